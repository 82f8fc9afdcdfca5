import { expect, test } from "bun:test";
import { judgeProse, judgeWords, messagesIn } from "./prose.ts";

test("prose that nobody reads, or whose holes nobody fills, is found", () => {
  const prose = [
    { path: "p/a.md", text: "plain" },
    { path: "p/b.md", text: "with {{hole}}" },
  ];
  const user = (text: string) => [{ path: "p/x/c.ts", text }];
  expect(judgeProse(prose, user('import a from "../a.md";'))).toEqual(["p/b.md is imported by no source"]);
  expect(judgeProse(prose, user('import a from "../a.md"; import b from "../b.md"; use(b);'))).toEqual([
    "p/b.md has holes, and p/x/c.ts does not fill them",
  ]);
  expect(
    judgeProse(
      prose,
      user('import a from "../a.md"; const b = await import("../b.md"); fill(b.default, { hole: 1 });'),
    ),
  ).toEqual([]);
  expect(
    judgeProse(prose, [{ path: "p/a.test.ts", text: 'import a from "./a.md"; import b from "./b.md";' }]),
  ).toHaveLength(2);
});

test("private words in texts for people are found, with the word of the field", () => {
  const page = (text: string) => [{ path: "docs/a.md", text }];
  expect(judgeWords(page("fine\ncommands run behind the wall"))).toEqual([
    'docs/a.md:2 says "behind the wall"; the field says: sandbox',
  ]);
  expect(judgeWords(page("Which face"))).toHaveLength(1);
  expect(judgeWords(page("A wall clock, a face in a picture, a house told of in a story"))).toEqual([]);
});

test("a private word counts in a message of a source, and not in its names and comments", () => {
  const source = (text: string) => [messagesIn({ path: "p/a.ts", text })];
  expect(judgeWords(source('const worn = wall;\n// What strangers wrote.\nsay("the theme is worn now");\n'))).toEqual([
    'p/a.ts:3 says "worn"; the field says: active',
  ]);
});
