import { expect, test } from "bun:test";
import { findRegions } from "./marker.ts";

const merged =
  "a\n<<<<<<< HEAD\nours\n||||||| base\nold\n=======\ntheirs\n>>>>>>> topic\nb\n<<<<<<< HEAD\n=======\nx\n>>>>>>> topic\n";

test("conflict regions are found whole, and what only looks like one is text", () => {
  expect(findRegions(merged)).toMatchObject([
    {
      from: 2,
      to: 8,
      ours: { label: "HEAD", text: "ours\n" },
      base: { text: "old\n" },
      theirs: { label: "topic", text: "theirs\n" },
    },
    { from: 10, to: 13, ours: { text: "" }, theirs: { text: "x\n" } },
  ]);
  expect(findRegions(merged.replaceAll("\n", "\r\n"))).toHaveLength(2);
  for (const text of [
    "<<<<<<< HEAD\nx\n",
    "=======\n>>>>>>> a\n",
    "<<<<<<< a\n>>>>>>> b\n",
    "x <<<<<<< a\n=======\n>>>>>>> b\n",
  ])
    expect(findRegions(text)).toEqual([]);
});
