import { expect, test } from "bun:test";
import { type Scratch, scratch } from "@pith/kit/test";
import type { Request } from "@pith/llm";
import type { Values } from "../../../setting/schema.ts";
import { houseIn, scriptIn, talkIn } from "../../../test/open.ts";
import { intentIn } from "./classify.ts";

const answer = (intent: string, needsWrite: boolean) => JSON.stringify({ intent, needsWrite, reasoning: "because" });

/** Sends a prompt to a model that gives this intent; returns all requests and the recorded task. */
async function dispatched(dir: Scratch, classify: unknown, set: Values = {}, turns: unknown[] = [{ text: "Done." }]) {
  const house = await houseIn(dir, { "dispatch.enabled": true, ...set });
  const asked: Request[] = [];
  const stream: typeof house.models.stream = (request, signal) => {
    if (request.purpose !== "title") asked.push({ ...request, messages: [...request.messages] });
    return house.models.stream(request, signal);
  };
  const model = scriptIn(dir, turns, "script.json", { side: { classify } });
  const heard = { ...house, models: { ...house.models, stream } };
  const { coder, events, hall } = await talkIn(heard, { model });
  await coder.send({ text: "please do it" });
  const { data } = (hall.tree.lastCustom("pith.task") ?? {}) as { data?: unknown };
  const path = coder.path();
  await coder.close();
  return { asked, task: data, events, path };
}

test("the request for the intent begins like the conversation's own, and its answer becomes a note", async () => {
  using dir = scratch();
  const { asked, task } = await dispatched(dir, answer("modify", true));
  const [first, second] = asked;
  expect(asked.map(({ purpose }) => purpose)).toEqual(["classify", "main"]);
  expect([first?.system, first?.tools]).toEqual([second?.system, second?.tools] as never);
  const said = (request: Request | undefined) => request?.messages.map(({ content }) => JSON.stringify(content)) ?? [];
  expect(first?.messages).toHaveLength((second?.messages.length ?? 0) - 1);
  expect(said(first).at(-1)).toContain("please do it");
  expect(said(first).at(-1)).toContain("Do not do the work");
  expect(said(second).at(-2)).not.toContain("Do not do the work");
  expect(said(second).at(-1)).toContain("This asks for a change.");
  expect(task).toMatchObject({ intent: "modify", needsWrite: true, confidence: 0.85 });
});

test.each([
  ["garbage", "I would rather not."],
  ["another word", answer("destroy", true)],
  ["no yes and no no", '{"intent":"analyze","needsWrite":"maybe"}'],
  ["a call", { calls: [{ tool: "write", input: { path: "x", content: "y" } }] }],
  ["a failure", { error: { kind: "server", message: "busy" } }],
  ["a server that says nothing", { hang: true }],
])("an answer that is %s counts as unclear, and the work begins", async (_, classify) => {
  using dir = scratch();
  const { asked, task, path } = await dispatched(dir, classify, { "dispatch.timeout": 1 });
  expect(task).toMatchObject({ intent: "mixed", needsWrite: true, confidence: 0 });
  expect(asked.map(({ purpose }) => purpose)).toEqual(["classify", "main"]);
  expect(JSON.stringify(path)).not.toContain('"toolResult"');
});

test("the intent is asked once for an input, and never where that is off", async () => {
  using dir = scratch();
  dir.write({ "work/a": "1\n" });
  const turns = [{ calls: [{ tool: "read", input: { path: "a" } }] }, { text: "One." }];
  const { asked } = await dispatched(dir, answer("analyze", false), {}, turns);
  expect(asked.map(({ purpose }) => purpose)).toEqual(["classify", "main", "main"]);
  using other = scratch();
  const off = await dispatched(other, answer("analyze", false), { "dispatch.enabled": false });
  expect(off.asked.map(({ purpose }) => purpose)).toEqual(["main"]);
});

test.each([
  ["analyze", false, true],
  ["analyze", true, true],
  ["modify", true, false],
  ["create", true, false],
  ["mixed", false, false],
] as const)("by routes %s (write: %p) is looked into by a sub-agent: %p", async (intent, needsWrite, sent) => {
  using dir = scratch();
  const set = { "dispatch.routes": true, "roles.explore": scriptIn(dir, [{ text: "It is blue." }], "child.json") };
  const { asked, events } = await dispatched(dir, answer(intent, needsWrite), set);
  const last = JSON.stringify(asked.at(-1)?.messages.at(-1)?.content);
  expect(last.includes("It is blue.")).toBe(sent);
  expect(last.includes("write it where the user wants it")).toBe(sent && needsWrite);
  const panels = events.filter(({ type }) => type === "panel");
  expect(panels.length > 0).toBe(sent);
});

test("the intent is read from a fence and between other words, but not from far behind", () => {
  expect(intentIn(`Sure!\n\`\`\`json\n${answer("create", true)}\n\`\`\``)).toMatchObject({ intent: "create" });
  expect(intentIn(`${"x".repeat(20_000)}${answer("create", true)}`)).toMatchObject({ intent: "mixed", confidence: 0 });
});

test("a turn that goes on by itself, behind a result, is not asked for its intent again", async () => {
  using dir = scratch();
  dir.write({ "work/a.txt": "a\n" });
  const calls = [{ tool: "read", input: { path: "a.txt" } }];
  const house = await houseIn(dir, { "dispatch.enabled": true });
  const purposes: string[] = [];
  const stream: typeof house.models.stream = (request, signal) => {
    purposes.push(request.purpose);
    return house.models.stream(request, signal);
  };
  const model = scriptIn(dir, [{ calls }, { text: "Done." }], "script.json", {
    side: { classify: answer("modify", true) },
  });
  const heard = { ...house, models: { ...house.models, stream } };
  const { coder, events } = await talkIn(heard, { model });
  await coder.send({ text: "please do it" });
  await coder.close();
  expect(purposes.filter((purpose) => purpose !== "title")).toEqual(["classify", "main", "main"]);
  expect(events.findLast((event) => event.type === "turn")).toMatchObject({ state: { end: { reason: "done" } } });
});
