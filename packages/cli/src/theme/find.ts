import { readdirSync } from "node:fs";
import { join } from "node:path";
import { fail, ok, type Result, readPlain } from "@pith/kit";
import { builtinNames, builtinTheme } from "./builtin.ts";
import { readTheme, type Theme } from "./theme.ts";

export const themeFolder = (home: string): string => join(home, "themes");

/** Only what can be the name of a file beside others: no way leads out of the folder. */
const isName = (name: string): boolean => /^[\w][\w .-]*$/.test(name);
export const themeFile = (home: string, name: string): string => join(themeFolder(home), `${name}.json`);

/** A user's file of that name, else the built-in one. */
export function findTheme(home: string, name: string): Result<Theme, "missing" | "theme"> {
  const file = themeFile(home, name);
  const text = isName(name)
    ? readPlain(file, { maxBytes: 256 * 1024 })
    : fail("missing" as const, "is no name of a theme");
  if (text.ok) {
    const theme = readTheme(text.value);
    return theme.ok ? theme : fail("theme", `${file}: ${theme.message}`);
  }
  if (text.kind !== "missing") return fail("theme", `${file}: ${text.message}`);
  const known = builtinTheme(name);
  return known ? ok(known) : fail("missing", `Theme not found: ${name}. There are ${themeNames(home).join(", ")}.`);
}

/** All that can be chosen, sorted. */
export function themeNames(home: string): string[] {
  let own: string[] = [];
  try {
    own = readdirSync(themeFolder(home)).flatMap((file) => {
      const name = file.endsWith(".json") ? file.slice(0, -".json".length) : "";
      return isName(name) ? [name] : [];
    });
  } catch {
    // No folder, no themes of one's own.
  }
  return [...new Set([...builtinNames, ...own])].sort();
}
