import { fail, ok, type Result } from "@pith/kit";

/** Lines of a file, 1-based and inclusive; without `to`, up to the end. */
export interface Range {
  from: number;
  to?: number;
  /** Starts behind so many bytes of a line that is too long for a page. */
  after?: number;
}

/** The wanted part of a document: some lines of it, as they stand or numbered, or its merge conflicts. */
export interface Selector {
  /** Sorted, none touching another; empty is everything. */
  ranges: Range[];
  /** The last so many lines, in the place of ranges. */
  last?: number | undefined;
  show: "numbered" | "raw" | "conflicts";
}

export interface Selected extends Selector {
  path: string;
}

/**
 * Splits a trailing `:40`, `:40-80`, `:40-`, `:40+20`, `:5-16,40-80`, `:-20`, `#L40-L80`, `:3@8000`, `:raw` or
 * `:conflicts` off, `:raw` also beside lines. `exists` tells a real name with a colon from a selector. Any other suffix
 * is part of the name.
 */
export function parseSelector(argument: string, exists: (path: string) => boolean): Result<Selected, "range"> {
  const [, page, from, to] = /^(.+?)#L(\d+)(?:C\d+)?(?:-L?(\d+)(?:C\d+)?)?$/s.exec(argument) ?? [];
  if (page === undefined || exists(argument)) return parseSuffix(argument, exists);
  return parseSuffix(`${page}:${from}${to === undefined ? "" : `-${to}`}`, exists);
}

function parseSuffix(argument: string, exists: (path: string) => boolean): Result<Selected, "range"> {
  const whole = { path: argument, ranges: [], show: "numbered" as const };
  const [, path, suffix] = /^(.+?)((?::(?:raw|conflicts|L?\d[\dL,+@-]*|-\d+))+)$/s.exec(argument) ?? [];
  if (path === undefined || suffix === undefined || exists(argument)) return ok(whole);
  const pieces = suffix.slice(1).split(":");
  const words = pieces.filter((piece) => piece === "raw" || piece === "conflicts");
  const lines = pieces.filter((piece) => piece !== "raw" && piece !== "conflicts");
  // As compilers write it: a line and a column.
  if (words.length === 0 && /^\d+:\d+$/.test(suffix.slice(1)) && exists(path))
    return parseSuffix(`${path}:${lines[0]}`, exists);
  if (words.length > 1 || lines.length > 1 || (words[0] === "conflicts" && lines.length > 0))
    return lastOnly(argument, exists);
  if (lines[0] !== undefined && !shape.test(lines[0])) return ok(whole);
  const show = words[0] === "raw" || words[0] === "conflicts" ? words[0] : "numbered";
  const last = /^-(\d+)$/.exec(lines[0] ?? "")?.[1];
  if (last !== undefined && Number(last) === 0) return fail("range", ":-0 would be no line at all");
  const ranges = parseRanges(last === undefined ? (lines[0] ?? "") : "");
  return ranges.ok
    ? ok({ path, ranges: ranges.value, last: last === undefined ? undefined : Number(last), show })
    : ranges;
}

const range = String.raw`L?\d+(?:-(?:L?\d+)?|[+@]L?\d+)?`;
const shape = new RegExp(`^(?:-\\d+|${range}(?:,${range})*)$`);

/** Reads `db:3:40`: only the last part can be a selector, the rest is a name. */
function lastOnly(argument: string, exists: (path: string) => boolean): Result<Selected, "range"> {
  const at = argument.lastIndexOf(":");
  const last = parseSelector(`x${argument.slice(at)}`, exists);
  return last.ok ? ok({ ...last.value, path: last.value.path === "x" ? argument.slice(0, at) : argument }) : last;
}

function parseRanges(text: string): Result<Range[], "range"> {
  const ranges: Range[] = [];
  for (const part of text === "" ? [] : text.split(",")) {
    const range = parseRange(part);
    if (!range.ok) return range;
    ranges.push(range.value);
  }
  if (ranges.length > 1 && ranges.some(({ after }) => after !== undefined))
    return fail("range", "A part of a line is read alone, without other lines");
  return ok(mergeRanges(ranges));
}

function parseRange(text: string): Result<Range, "range"> {
  const [, first, dash, last, plus, count] = /^L?(\d+)(?:(-)(?:L?(\d+))?|([+@])L?(\d+))?$/.exec(text) ?? [];
  const from = Number(first);
  if (from === 0) return fail("range", "Lines are counted from 1; there is no line 0");
  if (plus === "@") return ok({ from, to: from, after: Number(count) });
  if (plus && Number(count) === 0) return fail("range", `:${first}+0 would be no line at all`);
  if (plus) return ok({ from, to: from + Number(count) - 1 });
  if (last === undefined) return ok(dash ? { from } : { from, to: from });
  if (Number(last) < from) return fail("range", `:${first}-${last} ends before it begins`);
  return ok({ from, to: Number(last) });
}

/** Sorts ranges, and joins those that overlap or touch. */
export function mergeRanges(ranges: readonly Range[]): Range[] {
  const merged: Range[] = [];
  for (const range of ranges.toSorted((a, b) => a.from - b.from)) {
    const last = merged.at(-1);
    if (last && range.from <= (last.to ?? Number.POSITIVE_INFINITY) + 1) {
      if (last.to !== undefined)
        merged[merged.length - 1] =
          range.to === undefined ? { from: last.from } : { from: last.from, to: Math.max(last.to, range.to) };
    } else merged.push(range);
  }
  return merged;
}
