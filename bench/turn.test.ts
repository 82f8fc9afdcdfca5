import { expect, test } from "bun:test";
import { join } from "node:path";
import { openLab } from "./lab.ts";
import { ask, loop } from "./turn.ts";

test("the floor answers a prompt and does a loop of calls against the mock", async () => {
  await using lab = await openLab("/nonexistent");
  const run = await ask(lab, "floor", 300);
  expect(run.seen).toHaveLength(1);
  expect(run.ended - run.began).toBeGreaterThan((run.seen[0]?.arrived ?? 0) - run.began);
  expect(run.cpuMs).toBeGreaterThan(0);
  const shell = await loop(
    lab,
    "floor",
    { play: "calls", turns: 3, tool: "bash", input: { command: "echo turn {n}" } },
    "turn 3",
  );
  expect(shell.turn).toBeGreaterThan(0);
  const read = {
    play: "calls",
    turns: 2,
    tool: "read",
    input: { path: join(lab.project, "src", "file-{n}.ts") },
  } as const;
  expect((await loop(lab, "floor", read, "value199")).rss).toBeGreaterThan(1);
});

test("a run that did not do the work is not counted", async () => {
  await using lab = await openLab("/bin/true");
  await expect(ask(lab, "pith", 10)).rejects.toThrow(/characters of the answer were not printed/);
  await expect(loop(lab, "pith", { play: "calls", turns: 3, tool: "bash", input: {} }, "")).rejects.toThrow(
    /0 of 3 results/,
  );
  await using broken = await openLab("/bin/false");
  await expect(broken.start("pith", [])).rejects.toThrow(/ended with 1/);
});
