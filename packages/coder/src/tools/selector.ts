import { existsSync } from "node:fs";
import { fail, ok, type Result } from "@pith/kit";

/** Lines of a file, 1-based and inclusive; without `to`, up to the end. */
export interface Range {
  from: number;
  to?: number;
}

export interface Selected {
  path: string;
  range?: Range;
}

/** Splits `path:A`, `path:A-B` and `path:A+C`; `exists` tells a real name with a colon from a selector. Any other suffix is part of the name. */
export function parseSelector(given: string, exists: (path: string) => boolean = existsSync): Result<Selected, "range"> {
  const found = /^(.+):L?(\d+)(?:(-)(?:L?(\d+))?|(\+)L?(\d+))?$/s.exec(given);
  const [, path, first, , last, plus, count] = found ?? [];
  if (path === undefined || first === undefined || exists(given)) return ok({ path: given });
  const from = Number(first);
  if (from === 0) return fail("range", "Line selector 0 is invalid; lines are 1-indexed. Use :1.");
  if (plus && Number(count) === 0) return fail("range", `Line selector :${first}+0 is invalid; the count must be at least 1.`);
  if (plus) return ok({ path, range: { from, to: from + Number(count) - 1 } });
  if (last === undefined) return ok({ path, range: { from } });
  if (Number(last) < from) return fail("range", `Line selector :${first}-${last} is invalid; the end must not be before the start.`);
  return ok({ path, range: { from, to: Number(last) } });
}
