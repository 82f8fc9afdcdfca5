import { join } from "node:path";
import { entriesIn, fail, ok, type Result, readPlain } from "@pith/kit";
import { builtinNames, builtinThemeData } from "./builtin.ts";
import { readTheme, type ThemeData } from "./theme.ts";

export const themeFolder = (home: string): string => join(home, "themes");

/** True for a name that cannot lead out of the folder. */
const isName = (name: string): boolean => /^[\w][\w .-]*$/.test(name);
export const themeFile = (home: string, name: string): string => join(themeFolder(home), `${name}.json`);

/** The folder of omp's themes, which have the same format. */
export const ompThemes = (userHome: string): string => join(userHome, ".omp", "agent", "themes");

/** Finds a theme: the user's file of that name, a built-in one, or a file of omp. */
export function findTheme(home: string, name: string, beside?: string): Result<ThemeData, "missing" | "theme"> {
  if (!isName(name)) return missing(home, name, beside);
  const own = readIn(themeFolder(home), name);
  if (own.ok || own.kind !== "missing") return own;
  const known = builtinThemeData(name);
  if (known) return ok(known);
  const other = beside === undefined ? own : readIn(beside, name);
  return other.ok || other.kind !== "missing" ? other : missing(home, name, beside);
}

function readIn(folder: string, name: string): Result<ThemeData, "missing" | "theme"> {
  const file = join(folder, `${name}.json`);
  const text = readPlain(file, { maxBytes: 256 * 1024 });
  if (!text.ok) return fail(text.kind === "missing" ? "missing" : "theme", `${file}: ${text.message}`);
  const theme = readTheme(text.value);
  return theme.ok ? theme : fail("theme", `${file}: ${theme.message}`);
}

const missing = (home: string, name: string, beside: string | undefined): Result<never, "missing"> =>
  fail("missing", `Theme not found: ${name}. There are ${themeNames(home, beside).join(", ")}.`);

/** The names of all themes, sorted. */
export function themeNames(home: string, beside?: string): string[] {
  const own = [themeFolder(home), ...(beside === undefined ? [] : [beside])].flatMap(namesIn);
  return [...new Set([...builtinNames, ...own])].sort();
}

const namesIn = (folder: string): string[] =>
  entriesIn(folder).flatMap(({ name: file }) => {
    const name = file.endsWith(".json") ? file.slice(0, -".json".length) : "";
    return isName(name) ? [name] : [];
  });
