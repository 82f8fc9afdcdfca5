import { folded, foldsAt } from "@pith/kit";

/** Directories that the patterns of rules are relative to. */
export interface Bases {
  roots: readonly string[];
  home: string;
}

/** A pattern of paths as tests of absolute ones. Without a slash it is a name at any depth. */
export function pathTests(pattern: string, { roots, home }: Bases): readonly PathTest[] {
  const tilde = /^~(?=\/|$)/.test(pattern) ? home + pattern.slice(1) : pattern;
  const plain = tilde.replace(/^\.\//, "");
  if (plain.startsWith("/")) return [pathTest(plain)];
  const below = plain.includes("/") ? plain : `**/${plain}`;
  return roots.map((root) => pathTest(`${root}/${below}`));
}

export interface PathTest {
  test(path: string): boolean;
  /** True for the named path and all below it: a closed folder is closed with all that it holds. */
  covers(path: string): boolean;
  /** The folder above everything that fits. */
  folder: string;
  /** True when it fits in folders below that too. */
  deep: boolean;
}

function pathTest(pattern: string): PathTest {
  const fixed = /^[^*?[{]*/.exec(pattern)?.[0] ?? "";
  const folder = fixed === pattern ? pattern : fixed.slice(0, Math.max(1, fixed.lastIndexOf("/")));
  const source = sourceOf(pattern);
  const [exact, below] = [new RegExp(`^${source}$`, "s"), new RegExp(`^${source}(?:/.*)?$`, "s")];
  const deep = pattern.includes("*");
  // A rule that closes is not passed by another spelling of the same name.
  const loose = new RegExp(`^${sourceOf(folded(pattern))}(?:/.*)?$`, "s");
  const covers = (path: string) => below.test(path) || (loose.test(folded(path)) && foldsAt(path));
  return { test: (path) => exact.test(path), covers, folder, deep };
}

/** `**` is any number of folders, and behind the last slash the folder itself too. */
function sourceOf(pattern: string): string {
  let source = "";
  for (let at = 0; at < pattern.length; ) {
    const rest = pattern.slice(at);
    const [sign = ""] = /^(?:\/\*\*$|\*\*\/|\*+|\?|\{[^{}]*\}|[\s\S])/.exec(rest) ?? [];
    at += sign.length;
    if (sign === "/**") source += "(?:/.*)?";
    else if (sign === "**/") source += "(?:.*/)?";
    else if (sign === "*") source += "[^/]*";
    else if (/^\*+$/.test(sign)) source += ".*";
    else if (sign === "?") source += "[^/]";
    else if (sign.length > 1) source += `(?:${sign.slice(1, -1).split(",").map(sourceOf).join("|")})`;
    else source += escapeRegex(sign);
  }
  return source;
}

export const escapeRegex = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");
