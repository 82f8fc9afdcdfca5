// The differences between Bun and Node are here and in exec/platform.ts, so that the SDK runs on both.
import { compileGlob, matchesGlob } from "./git/glob.ts";

export const isBun = typeof Bun !== "undefined";

/** The message for something that Node cannot do. */
export const bunOnly = (what: string): string => `${what} needs Bun, and this program runs on Node`;

/** A decoded picture that can be resized and written again. @internal */
export function openImage(bytes: Uint8Array): Bun.Image {
  if (!isBun) throw new Error(bunOnly("looking at pictures"));
  return new Bun.Image(bytes);
}

/** Reads JSON5: comments, single quotes, bare keys; on Node, JSON. Throws a SyntaxError on bad text. */
export const parseJson5 = (text: string): unknown => (isBun ? Bun.JSON5.parse(text) : JSON.parse(text));

/** The module `bun:ffi`. @internal */
export type Ffi = typeof import("bun:ffi");

/** Calls into the C library, loaded where it is first used; undefined on Node. @internal */
export const openFfi = (): Ffi | undefined =>
  isBun ? (process.getBuiltinModule("bun:ffi") as Ffi | undefined) : undefined;

/** Frees unused memory, on Bun. */
export function collect(): void {
  if (isBun) Bun.gc(true);
}

/** Prints the answer of a script (`runScript`), all at once. */
export const answerWith = async (text: string): Promise<void> => void (await Bun.write(Bun.stdout, text));

/** A file pattern: `*`, `?`, `**`, `[…]`, `{a,b}`; a dot at the beginning of a name is a character like others. */
export function openGlob(pattern: string): { match(path: string): boolean } {
  if (isBun) return new Bun.Glob(pattern);
  const globs = alternatives(pattern)
    .map((each) => compileGlob(latin(each)))
    .filter((glob) => glob !== undefined);
  return { match: (path) => globs.some((glob) => matchesGlob(glob, latin(path))) };
}

const latin = (text: string): string => Buffer.from(text).toString("latin1");

/** The patterns that braces stand for, innermost first; a pattern that would stand for very many is taken as it is. */
function alternatives(pattern: string): string[] {
  let all = [pattern];
  while (all.length < mostAlternatives) {
    const next = all.flatMap((each) => {
      const [, before = "", inner, behind = ""] = /^(.*?)\{([^{}]*)\}(.*)$/s.exec(each) ?? [];
      return inner === undefined ? [each] : inner.split(",").map((word) => `${before}${word}${behind}`);
    });
    if (next.length === all.length && next.every((each, at) => each === all[at])) break;
    all = next;
  }
  return all;
}
const mostAlternatives = 1000;
