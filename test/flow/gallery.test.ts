import { expect, test } from "bun:test";
import { pith } from "../pith.ts";
import { scratch } from "../scratch.ts";

test("the gallery is the same every time, one story can be chosen, and an unknown one brings the names", async () => {
  using dir = scratch();
  const [once, again] = await Promise.all([
    pith(dir, ["gallery", "--width", "60"]),
    pith(dir, ["gallery", "--width", "60"]),
  ]);
  expect(once).toEqual(again);
  expect(once).toMatchObject({ code: 0, err: "" });
  const story = await pith(dir, ["gallery", "diff-inline"]);
  expect(once.out).toContain("diff-inline");
  expect(story.out.length).toBeLessThan(once.out.length / 5);
  expect(await pith(dir, ["gallery", "nothing"])).toMatchObject({
    code: 2,
    out: expect.stringContaining("diff-inline"),
  });
});
