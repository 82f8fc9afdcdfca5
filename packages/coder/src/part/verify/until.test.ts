import { expect, test } from "bun:test";
import { scratch } from "@pith/kit/test";
import { coderIn } from "../../test/open.ts";

const write = (content: string) => ({ calls: [{ tool: "write", input: { path: "a", content } }] });

async function run(turns: readonly object[], until: string, more: Parameters<typeof coderIn>[2] = {}, files = {}) {
  using dir = scratch();
  dir.write({ "work/.keep": "", ...files });
  const coder = await coderIn(dir, turns, { until, asks: false, approval: "write", ...more }, { after: "repeat-last" });
  await coder.send({ text: "go" });
  const path = coder.path();
  const end = coder.events.findLast((event) => event.type === "turn");
  await coder.close();
  const answers = path.filter((entry) => entry.type === "message" && entry.message.role === "assistant").length;
  const notes = path.flatMap((entry) => (entry.type === "custom_message" ? [String(entry.content)] : []));
  return { end, answers, notes };
}

test("work goes on until the command succeeds, and its output goes back to the model", async () => {
  const { end, notes } = await run([write("no\n"), { text: "Done." }, write("yes\n"), { text: "Now." }], "grep yes a");
  expect(notes).toHaveLength(1);
  expect(notes[0]).toContain("round 1 of 20");
  expect(end).toMatchObject({ state: { end: { reason: "done" } } });
});

test("a model that never makes the command succeed is stopped after twenty rounds", async () => {
  const { end, answers } = await run([{ text: "Done." }], "false");
  expect(answers).toBe(20);
  expect(end).toMatchObject({
    state: { end: { reason: "limit", message: "--until: false did not succeed in 20 rounds." } },
  });
});

test("a budget ends the rounds earlier, and a command that may not run ends them at once", async () => {
  const spent = await run([{ text: "Done.", usage: { input: 100, output: 10 } }], "false", { maxTokens: 300 });
  expect(spent.answers).toBe(3);
  expect(spent.end).toMatchObject({ state: { end: { reason: "limit" } } });
  const refused = await run([{ text: "Done." }], "rm -rf /");
  expect(refused.answers).toBe(1);
  expect(refused.end).toMatchObject({ state: { end: { reason: "limit" } } });
});

test("a model that may not run commands cannot run one by changing the check", async () => {
  const turns = [{ calls: [{ tool: "write", input: { path: "check.sh", content: "exit 0\n" } }] }, { text: "Done." }];
  const { end } = await run(turns, "sh ./check.sh", { set: { "sandbox.mode": "off" } });
  expect(end).toMatchObject({ state: { end: { reason: "limit", message: expect.stringContaining("was changed") } } });
});

test.each([
  "sh ./check.sh > report.txt",
  "sh ./check.sh 2>&1 | tee report.txt; grep -q yes a",
  "sh ./check.sh '*' \"two words\"",
])(
  "a command that a person gave runs as it was given, round after round, where the model may run none: %s",
  async (until) => {
    const files = { "work/check.sh": "echo $RANDOM $*; grep yes a\n", "work/report.txt": "" };
    const turns = [write("no\n"), { text: "Done." }, write("yes\n"), { text: "Now." }];
    const { end, notes } = await run(turns, until, { set: { "sandbox.mode": "off" } }, files);
    expect(notes).toHaveLength(1);
    expect(end).toMatchObject({ state: { end: { reason: "done" } } });
  },
);

test("a turn that others let go on without end does not count as a success", async () => {
  const files = { "work/.pith/rules/mine.md": "---\ncondition: forbidden\ninterruptMode: never\n---\nNo.\n" };
  const set = { "ttsr.repeatMode": "after-gap", "ttsr.repeatGap": 1 } as const;
  const { end } = await run([{ text: "forbidden" }], "false", { set }, files);
  expect(end).toMatchObject({ state: { end: { reason: "limit", message: expect.stringContaining("20 rounds") } } });
});
