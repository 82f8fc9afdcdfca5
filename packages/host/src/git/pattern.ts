import { compileGlob, type Glob, matchesGlob } from "./glob.ts";

/** A line of an ignore file. */
export interface IgnorePattern {
  /** True for a line that begins with `!`. */
  negated: boolean;
  directories: boolean;
  /** True when it is matched with the last name of a path, else with the path below the ignore file. */
  nameOnly: boolean;
  /** The text before the first wildcard. */
  plain: string;
  /** The rest; undefined when there is none. */
  glob: Glob | undefined;
}

/** Reads the lines of an ignore file, which holds one byte in each character. */
export function parsePatterns(text: string): IgnorePattern[] {
  return text
    .replace(/^\xef\xbb\xbf/, "")
    .split("\n")
    .flatMap((line) => {
      if (line === "" || line.startsWith("#")) return [];
      const ended = line.replace(/\r$/, "");
      const nul = ended.indexOf("\0");
      return parsePattern(withoutSpaces(nul === -1 ? ended : ended.slice(0, nul))) ?? [];
    });
}

export function matchesPattern(pattern: IgnorePattern, below: string): boolean {
  const text = pattern.nameOnly ? below.slice(below.lastIndexOf("/") + 1) : below;
  if (!pattern.glob) return text === pattern.plain;
  return text.startsWith(pattern.plain) && matchesGlob(pattern.glob, text.slice(pattern.plain.length));
}

function parsePattern(line: string): IgnorePattern | undefined {
  const negated = line.startsWith("!");
  const directories = line.endsWith("/");
  const body = line.slice(negated ? 1 : 0, directories ? -1 : undefined);
  if (body === "") return undefined;
  const nameOnly = !body.includes("/");
  const anchored = body.startsWith("/") ? body.slice(1) : body;
  const cut = anchored.search(/[*?[\\]/);
  if (cut === -1) return { negated, directories, nameOnly, plain: anchored, glob: undefined };
  // Compiled from the wildcard on, as git does: `a**/b` as a whole means something else.
  const glob = compileGlob(anchored.slice(cut));
  return glob && { negated, directories, nameOnly, plain: anchored.slice(0, cut), glob };
}

/** The line without spaces at its end, unless the last one is escaped. */
function withoutSpaces(line: string): string {
  let end = 0;
  for (let at = 0; at < line.length; at++) {
    if (line[at] === " ") continue;
    if (line[at] === "\\") {
      at++;
      if (at >= line.length) return line;
    }
    end = at + 1;
  }
  return line.slice(0, end);
}
