import { expect, test } from "bun:test";
import type { Entry } from "@pith/agent";
import { scratch } from "@pith/kit/test";
import { call, type Heard, hear } from "../../test/small.ts";
import { nudgeIn } from "./nudge.ts";

const write = call("write", { path: "a", content: "x\n" });
const said = { text: "I would do it like this." };
const done = { text: "All done. [TASK_COMPLETE]" };
const change = { intent: "modify", needsWrite: true };

const nudges = ({ path }: Heard) => path.flatMap((entry) => nudgeIn(entry) ?? []);
const lastReply = ({ path }: Heard) => {
  const isReply = (entry: Entry) => entry.type === "message" && entry.message.role === "assistant";
  const entry = path.findLast(isReply);
  return entry?.type === "message" ? entry.message : undefined;
};

test("the done word ends the turn as its stop reason, and is not shown as text", async () => {
  using dir = scratch();
  const heard = await hear(dir, [write, done]);
  expect([heard.answers, nudges(heard), heard.end]).toEqual([2, [], { reason: "done" }]);
  expect(lastReply(heard)).toMatchObject({
    content: [{ type: "text", text: "All done." }],
    rawStopReason: "task_complete",
  });
});

test("after a reply with neither a call nor the done word the model is asked on once", async () => {
  using dir = scratch();
  const heard = await hear(dir, [said], { script: { after: "repeat-last" } });
  expect([heard.answers, nudges(heard), heard.end]).toEqual([2, ["nudge"], { reason: "done" }]);
  expect(heard.packets).toHaveLength(1);
  expect(heard.packets[0]).toContain('"state":"need_tools"');
  expect(heard.packets[0]).toContain("That reply called no tool.");
  expect(heard.notices).toEqual([]);
});

test("a model that calls a tool after being asked on is asked on again", async () => {
  using dir = scratch();
  const heard = await hear(dir, [said, write, said, done]);
  expect([heard.answers, nudges(heard)]).toEqual([4, ["nudge", "nudge"]]);
});

test("while a change is due the done word is refused twice, then the user is told", async () => {
  using dir = scratch();
  const heard = await hear(dir, [done], { classify: change, script: { after: "repeat-last" } });
  expect([heard.answers, nudges(heard), heard.end]).toEqual([3, ["write", "write"], { reason: "done" }]);
  expect(heard.packets.at(-1)).toContain("no file was changed yet");
  expect(heard.notices).toEqual(["The task seems to ask for a change, and no file was changed."]);
});

test.each([
  ["a written file", write, 0],
  ["a command that wrote one", call("bash", { command: "echo x > a" }), 0],
  ["a command that only looked", call("bash", { command: "true" }), 2],
  ["a write that failed", call("write", { path: "/proc/nowhere/a", content: "x" }), 2],
])("a change that is due: %s", async (_, turn, count) => {
  using dir = scratch();
  const heard = await hear(dir, [turn, done, done, done], { classify: change });
  expect(nudges(heard)).toEqual(Array(count).fill("write"));
});

test("a task that asks for no change ends without one", async () => {
  using dir = scratch();
  const heard = await hear(dir, [done], { classify: { intent: "analyze", needsWrite: false } });
  expect([heard.answers, nudges(heard)]).toEqual([1, []]);
});

test("thinking that ends with the done word is the end, and the model is asked what it did", async () => {
  using dir = scratch();
  const thought = { thinking: "It is all there. [TASK_COMPLETE]" };
  const heard = await hear(dir, [write, thought, { text: "I wrote a. [TASK_COMPLETE]" }]);
  expect([heard.answers, nudges(heard), heard.end]).toEqual([3, ["words"], { reason: "done" }]);
  expect(JSON.stringify(heard.path)).not.toContain("all there. [TASK_COMPLETE]");
  expect(lastReply(heard)).toMatchObject({ content: [{ type: "text", text: "I wrote a." }] });
});

test("a turn without a final text ends with a list of its calls", async () => {
  using dir = scratch();
  const silent = { text: "[TASK_COMPLETE]" };
  const heard = await hear(dir, [write, silent, silent]);
  expect([heard.answers, nudges(heard), heard.end]).toEqual([3, ["words"], { reason: "done" }]);
  expect(heard.notices).toEqual(["The model ended without a word. In its place: I wrote a."]);
});

test("a model that neither changes nor says anything is reported once for each", async () => {
  using dir = scratch();
  const silent = { thinking: "Done. [TASK_COMPLETE]" };
  const heard = await hear(dir, [silent], { classify: change, script: { after: "repeat-last" } });
  expect(heard.notices).toEqual([
    "The task seems to ask for a change, and no file was changed.",
    "The model ended without a word.",
  ]);
});
