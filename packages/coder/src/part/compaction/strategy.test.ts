import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { type Scratch, scratch } from "@pith/kit/test";
import type { Request } from "@pith/llm";
import { coderIn, houseIn, noticesOf, scriptIn, talkIn } from "../../test/open.ts";

const reads = { calls: [{ tool: "read", input: { path: "log.txt" } }] };
const turns = [...Array.from({ length: 8 }, () => reads), { text: "Done." }];
const side = { summary: "## Current state\nCounting.", handoff: "## Goal\nCount the lines.\n\n## Next steps\nGo on." };
/** So long that the window is full before the reads are done; in a session without it there is room. */
const prompt = `count them. ${"This is what the log is about. ".repeat(2200)}`;

async function long(dir: Scratch, strategy: string, model: object = {}, more: object = {}) {
  dir.write({ "work/log.txt": Array.from({ length: 120 }, (_, line) => `line ${line} of the log`).join("\n") });
  const set = { "compaction.strategy": strategy, "loop.mode": "off" } as never;
  const script = { side, model: { contextWindow: 32_000, ...model } };
  const coder = await coderIn(
    dir,
    turns,
    { set, env: { PATH: process.env.PATH, PITH_NO_TITLE: "1" }, ...more },
    script,
  );
  const old = coder.file ?? "";
  await coder.send({ text: prompt });
  return { coder, old };
}
const types = (file: string) =>
  readFileSync(file, "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as { type: string; customType?: string });

test("with the strategy handoff the turn goes on in a new session, and nothing is summed up", async () => {
  using dir = scratch();
  const { coder, old } = await long(dir, "handoff");
  expect(coder.header.parentSession).toBe(old);
  expect(types(old).some(({ type }) => type === "compaction")).toBe(false);
  expect(types(old).at(-1)).toMatchObject({ customType: "pith.handoff" });
  const told = coder.path().flatMap((entry) => (entry.type === "custom_message" ? [entry] : []));
  expect(told.map(({ customType }) => customType)).toEqual(["handoff", "pith.note"]);
  expect(String(told[0]?.content)).toMatch(/^## Goal[\s\S]*## Kept word for word[\s\S]*count them\.[\s\S]*log\.txt/);
  expect(coder.path().at(-1)).toMatchObject({ type: "message", message: { content: [{ text: "Done." }] } });
  await coder.close();
});

test("a session without a record is summed up in place of a handoff", async () => {
  using dir = scratch();
  const { coder } = await long(dir, "handoff", {}, { session: { open: "none" } });
  expect(coder.path().filter(({ type }) => type === "compaction")).toHaveLength(1);
  expect(coder.path().at(-1)).toMatchObject({ type: "message", message: { content: [{ text: "Done." }] } });
  expect(noticesOf(coder.events).join()).toContain("handoff is not used: the session is not recorded");
  await coder.close();
});

test("with the strategy snapcompact a model with vision gets pictures, and another a summary", async () => {
  using dir = scratch();
  const seeing = await long(dir, "snapcompact", { input: ["text", "image"] });
  const made = seeing.coder.path().flatMap((entry) => (entry.type === "compaction" ? [entry] : []));
  const { frames = [] } = (made[0]?.preserveData?.snapcompact ?? {}) as { frames?: object[] };
  expect(frames.length).toBeGreaterThan(0);
  for (const frame of frames) expect(frame).toMatchObject({ type: "image", mimeType: "image/png" });
  expect(made[0]?.summary).toContain("## Kept word for word");
  // The pictures are not in the record but beside it.
  expect(readFileSync(seeing.old, "utf8")).toContain('"data":"blob:sha256:');
  await seeing.coder.close();
  const again = await coderIn(dir, [{ text: "x" }], { session: { open: "file", path: seeing.old } });
  const [entry] = again.path().flatMap((one) => (one.type === "compaction" ? [one] : []));
  expect(entry?.preserveData).toEqual(made[0]?.preserveData as Record<string, unknown>);
  await again.close();
  using other = scratch();
  const blind = await long(other, "snapcompact", { input: ["text"] });
  expect(blind.coder.path().find(({ type }) => type === "compaction")).toMatchObject({
    summary: expect.stringContaining("Counting."),
  });
  expect(noticesOf(blind.coder.events).join()).toContain("does not see pictures");
  await blind.coder.close();
});

test("pictures of the past become words for a model without vision, or when words are asked for", async () => {
  using dir = scratch();
  dir.write({ "work/log.txt": Array.from({ length: 120 }, (_, line) => `line ${line} of the log`).join("\n") });
  const house = await houseIn(dir, { "compaction.strategy": "snapcompact", "loop.mode": "off" });
  const asked: Request[] = [];
  const stream: typeof house.models.stream = (request, signal) => {
    asked.push({ ...request, messages: [...request.messages] });
    return house.models.stream(request, signal);
  };
  const models = { ...house.models, stream };
  const model = { contextWindow: 32_000, input: ["text", "image"] };
  const more = { side, after: "repeat-last" };
  const { coder, events } = await talkIn(
    { ...house, models, env: { ...house.env, PITH_NO_TITLE: "1" } },
    { model: scriptIn(dir, turns, "script.json", { ...more, model }) },
  );
  const summaries = () =>
    asked.filter(({ purpose }) => purpose === "summary").map(({ messages }) => JSON.stringify(messages));
  const compact = async (text: string) => {
    const typed = coder.commands.read(text);
    if (typed.is === "command") await coder.perform(typed);
  };
  const made = () => coder.path().flatMap((entry) => (entry.type === "compaction" ? [entry] : []));
  await coder.send({ text: "count, and mind the heron" });
  await compact("/compact");
  expect(made().at(-1)?.preserveData?.snapcompact).toBeDefined();
  expect(summaries()).toEqual([]);
  await coder.send({ text: "and on" });
  await compact("/compact the names");
  expect(summaries().at(-1)).toContain("[earlier] user count, and mind the heron");
  expect(summaries().at(-1)).not.toContain("rows from top to bottom");
  expect(made().at(-1)?.preserveData?.snapcompact).toBeUndefined();

  await compact("/compact");
  expect(made().at(-1)?.preserveData?.snapcompact).toBeDefined();
  const count = made().length;
  const blind = { ...model, input: ["text"] };
  const used = await coder.use(scriptIn(dir, [{ text: "Blind." }], "blind.json", { ...more, model: blind }));
  expect(used.ok).toBe(true);
  await coder.send({ text: "who is it?" });
  expect(made().length).toBe(count + 1);
  expect(summaries().at(-1)).toContain("mind the heron");
  expect(made().at(-1)).toMatchObject({ summary: expect.stringContaining("Counting.") });
  expect(JSON.stringify(asked.at(-1)?.messages)).not.toContain("image/png");
  expect(noticesOf(events).join()).toContain("does not see pictures");
  // Once is enough.
  await coder.send({ text: "and now?" });
  expect(made().length).toBe(count + 1);
  await coder.close();
});

test("a sub-agent is not handed off, because its parent names its record", async () => {
  using dir = scratch();
  dir.write({ "work/log.txt": Array.from({ length: 120 }, (_, line) => `line ${line} of the log`).join("\n") });
  const house = await houseIn(dir, { "compaction.strategy": "handoff", "loop.mode": "off" });
  const model = scriptIn(dir, [...Array.from({ length: 26 }, () => reads), { text: "Done." }], "script.json", {
    side,
    after: "repeat-last",
    model: { contextWindow: 32_000 },
  });
  const { coder } = await talkIn(house, { model, scope: "child", agent: "explore" });
  const { file } = coder;
  await coder.send({ text: "count" });
  expect(coder.file).toBe(file as string);
  expect(coder.path().filter(({ type }) => type === "compaction").length).toBeGreaterThan(0);
  await coder.close();
});
