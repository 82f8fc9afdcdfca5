import { expect, test } from "bun:test";
import { benches } from "../packages/llm/src/test/lab.ts";
import { floorOn, pithOn, protocols, recording } from "./protocol.ts";

test.each(protocols)("the floor and pith read the same words from the recorded chunks of %s", async (api) => {
  const bench = benches[api];
  if (!bench) throw new Error(`no protocol ${api}`);
  const parts = recording(bench);
  const words = floorOn(bench)(parts);
  expect(words.text.length + words.thinking.length).toBe(75_000);
  expect((await pithOn(bench))(parts)).toEqual(words);
});
