import { expect, test } from "bun:test";
import type { LanguageName } from "../language.ts";
import { openLanguage } from "../open.ts";
import { compilePattern, wordsOf } from "./goal.ts";
import { findMatches } from "./match.ts";

const never = (name: string): never => {
  throw new Error(`${name} was not parsed`);
};

/** What a pattern finds, as text. */
async function matches(name: LanguageName, pattern: string, text: string): Promise<string[]> {
  const language = await openLanguage(name);
  const compiled = compilePattern(pattern, language);
  if (!compiled.ok) return [compiled.message];
  using tree = language.parse(text);
  if (!tree) return never(name);
  return findMatches(compiled.value, tree, text).map(({ from, to }) => text.slice(from.index, to.index));
}

test("a pattern that is nothing, everything, several things or no code is refused with the reason", async () => {
  expect(await matches("typescript", "  ", "")).toEqual(["The pattern is empty"]);
  expect(await matches("typescript", "$A", "")).toEqual(["`$A` matches every node; name a construct around it"]);
  expect(await matches("typescript", "$$$", "")).toEqual(["`$$$` matches every node; name a construct around it"]);
  expect(await matches("typescript", "a(); b();", "")).toEqual([
    "`a(); b();` is more than one node; write one expression, statement or declaration",
  ]);
  expect(await matches("python", "def (", "")).toEqual(["`def (` does not parse as python"]);
});

test("files are looked through for a word that every match must hold", () => {
  expect(wordsOf(["console.log($A)", "fetch($URL, $$$OPTIONS)", "größe($X)"])).toEqual(["console", "fetch", "größe"]);
  expect(wordsOf(["console.log($A)", "$A + $B"])).toBeUndefined();
});
