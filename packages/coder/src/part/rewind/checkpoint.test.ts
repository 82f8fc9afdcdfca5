import { expect, test } from "bun:test";
import { memoryCheckpoints } from "../../test/checkpoints.ts";
import { intentOf, runTool } from "../../test/run.ts";
import { checkpoint } from "./checkpoint.ts";

const call = { id: "1", signal: new AbortController().signal, progress() {} };
const clock = { now: () => 0 };

test("a checkpoint is made when a call runs, not when it is prepared, and never a second one", async () => {
  const checkpoints = memoryCheckpoints();
  const tool = checkpoint({ checkpoints, clock });
  const intent = await intentOf(tool, { goal: "why" });
  expect(intent).toMatchObject({ effect: "read", paths: [] });
  expect(checkpoints.active()).toBeUndefined();
  await intent.run(call);
  expect(checkpoints.active()).toEqual({ goal: "why", startedAt: "1970-01-01T00:00:00.000Z" });
  expect(await runTool(tool, { goal: "more" }, call)).toMatchObject({
    failed: true,
    text: "There is an open checkpoint; end it with rewind first.",
  });
});

test("a sub-agent cannot make a checkpoint", async () => {
  const tool = checkpoint({ checkpoints: undefined, clock });
  expect(await runTool(tool, { goal: "x" }, call)).toMatchObject({ failed: true });
});
