import { expect, test } from "bun:test";
import { memoryCheckpoints } from "../../test/checkpoints.ts";
import { intentOf, runTool } from "../../test/run.ts";
import { rewind } from "./tool.ts";

const call = { id: "1", signal: new AbortController().signal, progress() {} };

test("a rewind is asked for when a call runs, not when it is prepared", async () => {
  const checkpoints = memoryCheckpoints();
  checkpoints.open({ goal: "why", startedAt: "" });
  const intent = await intentOf(rewind(checkpoints), { report: " because \n" });
  expect(checkpoints.reports).toEqual([]);
  await intent.run(call);
  expect(checkpoints.reports).toEqual(["because"]);
});

test("a rewind without a checkpoint or a report is refused", async () => {
  const checkpoints = memoryCheckpoints();
  expect(await runTool(rewind(checkpoints), { report: "x" }, call)).toMatchObject({
    text: "There is no open checkpoint to go back to.",
  });
  checkpoints.open({ goal: "why", startedAt: "" });
  expect(await runTool(rewind(checkpoints), { report: " " }, call)).toMatchObject({ failed: true });
  expect(checkpoints.reports).toEqual([]);
});
