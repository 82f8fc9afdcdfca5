import { fail, ok, type Result } from "@pith/kit";

/** Takes a part of a JSON value by a path: `a.b[0].c`, `["odd key"].x`; the empty path is the value itself. */
export function extract(value: unknown, path: string): Result<unknown, "query"> {
  const keys = parsePath(path);
  if (!keys.ok) return keys;
  let at = value;
  for (const [i, key] of keys.value.entries()) {
    const has = at !== null && typeof at === "object" && Object.hasOwn(at, key);
    if (!has) return fail("query", `there is no ${keys.value.slice(0, i + 1).join(".")}${keysOf(at)}`);
    at = (at as Record<string, unknown>)[key];
  }
  return ok(at);
}

function parsePath(path: string): Result<string[], "query"> {
  const keys: string[] = [];
  const step = /\.?([^.[\]"]+)|\[(\d+)\]|\["((?:[^"\\]|\\.)*)"\]/gy;
  for (let end = 0; end < path.length; end = step.lastIndex) {
    step.lastIndex = end;
    const [, name, index, quoted] = step.exec(path) ?? [];
    const key = name ?? index ?? quoted?.replace(/\\(.)/g, "$1");
    if (key === undefined) return fail("query", `${JSON.stringify(path)} is no path in a JSON value; write a.b[0].c`);
    keys.push(key);
  }
  return ok(keys);
}

function keysOf(value: unknown): string {
  if (Array.isArray(value)) return ` in a list of ${value.length}`;
  return value !== null && typeof value === "object"
    ? `; there is ${Object.keys(value).slice(0, 20).join(", ") || "nothing"}`
    : ` in ${JSON.stringify(value)}`;
}
