import { expect, test } from "bun:test";
import { matches } from "../../test/pattern.ts";
import { wordsOf } from "./goal.ts";

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
