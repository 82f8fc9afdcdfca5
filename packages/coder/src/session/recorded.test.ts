// A session keeps what its model was told, whoever goes on with it and however that is configured.
import { expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { Journal, memoryStorage } from "@pith/agent";
import { type Scratch, scratch } from "@pith/kit/test";
import type { Effort, Model, Request, ToolSpec } from "@pith/llm";
import { type EditMode, editModes } from "../edit/mode.ts";
import { houseIn, noticesOf, resultsOf, scriptIn, talkIn } from "../test/open.ts";
import { model } from "../test/scripted.ts";
import { opening, type RecordedPrompt, recordedEffort, recordedModel } from "./recorded.ts";

/** Edits of `a.txt` in each dialect, with the tag that a read of it showed. */
const edits: Record<EditMode, (tag: string) => object> = {
  hashline: (tag) => ({ input: `[a.txt#${tag}]\nreplace 2..2:\n+two` }),
  replace: () => ({ path: "a.txt", edits: [{ oldText: "2", newText: "two" }] }),
  patch: () => ({ path: "a.txt", diff: "@@\n 1\n-2\n+two\n 3" }),
  apply_patch: () => ({ input: "*** Begin Patch\n*** Update File: a.txt\n@@\n 1\n-2\n+two\n*** End Patch" }),
};
const read = { calls: [{ tool: "read", input: { path: "a.txt" } }] };
const tagIn = (text = "") => /#([0-9A-F]{4})\]/.exec(text)?.[1] ?? "";

const toldIn = ({ system, tools }: Request): string => JSON.stringify({ system, tools });

/** A session in which a file was read, held in one dialect. */
async function begun(dir: Scratch, mode: EditMode) {
  const house = await houseIn(dir, { "edit.mode": mode });
  dir.write({ "work/a.txt": "1\n2\n3\n" });
  const model = scriptIn(dir, [read, { text: "Read." }], "first.json");
  const { coder, requests } = await talkIn(house, { model });
  await coder.send({ text: "look" });
  await coder.close();
  const [told] = requests;
  if (!told || !coder.file) throw new Error("Nothing was asked.");
  return { file: coder.file, told, tag: tagIn(resultsOf(coder)[0]) };
}

const prompts = (file: string): RecordedPrompt[] =>
  readFileSync(file, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line))
    .flatMap((entry) => (entry.customType === "pith.prompt" ? [entry.data] : []));

/** Changes what a record says that its model was told. */
function retell(file: string, change: (told: RecordedPrompt) => object): void {
  const lines = readFileSync(file, "utf8").trim().split("\n");
  const changed = lines.map((line) => {
    const entry = JSON.parse(line);
    return entry.customType === "pith.prompt" ? JSON.stringify({ ...entry, data: change(entry.data) }) : line;
  });
  writeFileSync(file, `${changed.join("\n")}\n`);
}

const others = (mode: EditMode) => editModes.filter((other) => other !== mode);

test.each(editModes.flatMap((mode) => others(mode).map((other) => [mode, other] as const)))(
  "a session that was begun in %s and goes on with edit.mode %s is told the same, and its edits are understood",
  async (mode, other) => {
    using dir = scratch();
    const { file, told, tag } = await begun(dir, mode);
    dir.write({ "work/AGENTS.md": "What would be said today is longer." });
    const house = await houseIn(dir, { "edit.mode": other });
    const model = scriptIn(dir, [{ calls: [{ tool: "edit", input: edits[mode](tag) }] }, { text: "Done." }], "b.json");
    const { coder, requests, events } = await talkIn(house, { model, session: { open: "file", path: file } });
    await coder.send({ text: "edit it" });
    expect(requests.map(toldIn)).toEqual([toldIn(told), toldIn(told)]);
    expect([coder.choice.dialect, readFileSync(dir.at("work/a.txt"), "utf8")]).toEqual([mode, "1\ntwo\n3\n"]);
    await coder.close();
    expect(prompts(file)).toHaveLength(1);
    expect(noticesOf(events)).toEqual([]);
  },
);

test.each([
  ["plain.json", "patches.json", "hashline"],
  ["patches.json", "plain.json", "apply_patch"],
] as const)(
  "a session that was begun with %s goes on with %s in %s, by a resume and by a change of the model",
  async (one, another, dialect) => {
    using dir = scratch();
    dir.write({ "work/a.txt": "1\n2\n3\n" });
    const house = await houseIn(dir);
    const first = await talkIn(house, { model: scriptIn(dir, [read, { text: "Read." }], one) });
    await first.coder.send({ text: "look" });
    const [told] = first.requests;
    const edit = { calls: [{ tool: "edit", input: edits[dialect](tagIn(resultsOf(first.coder)[0])) }] };
    const model = scriptIn(dir, [edit, { text: "Edited." }, { text: "Still here." }], another);
    expect(await first.coder.use(model)).toMatchObject({ ok: true });
    await first.coder.send({ text: "edit it" });
    expect(readFileSync(dir.at("work/a.txt"), "utf8")).toBe("1\ntwo\n3\n");
    await first.coder.close();
    const second = await talkIn(await houseIn(dir), { model, session: { open: "file", path: first.coder.file ?? "" } });
    await second.coder.send({ text: "and now?" });
    const all = [...first.requests, ...second.requests];
    expect(all).toHaveLength(5);
    expect(new Set(all.map(toldIn))).toEqual(new Set([toldIn(told as Request)]));
    expect(second.coder.choice.dialect).toBe(dialect);
    await second.coder.close();
  },
);

test.each([...editModes])("a record that does not name its dialect is understood: %s", async (mode) => {
  using dir = scratch();
  const { file, told, tag } = await begun(dir, mode);
  retell(file, ({ dialect: _, ...older }) => older);
  const house = await houseIn(dir, { "edit.mode": mode === "replace" ? "patch" : "replace" });
  const model = scriptIn(dir, [{ calls: [{ tool: "edit", input: edits[mode](tag) }] }, { text: "Done." }], "b.json");
  const { coder, requests } = await talkIn(house, { model, session: { open: "file", path: file } });
  await coder.send({ text: "edit it" });
  expect(requests.map(toldIn)).toEqual([toldIn(told), toldIn(told)]);
  expect([coder.choice.dialect, readFileSync(dir.at("work/a.txt"), "utf8")]).toEqual([mode, "1\ntwo\n3\n"]);
  await coder.close();
  expect(prompts(file)).toHaveLength(1);
});

const stranger: ToolSpec = { name: "weather", description: "OLD", parameters: { type: "object" } };
test.each<[string, (tools: readonly ToolSpec[]) => ToolSpec[], string | undefined]>([
  [
    "has another schema",
    (tools) => tools.map((spec) => (spec.name === "bash" ? { ...stranger, name: "bash" } : spec)),
    "changed tools: bash",
  ],
  ["is not there any more", (tools) => [...tools, stranger], undefined],
  ["is new", (tools) => tools.filter(({ name }) => name !== "bash"), "new tools: bash"],
])(
  "when a tool of the record %s, the model hears its words again, and of the tool in the list",
  async (_, change, why) => {
    using dir = scratch();
    const { file, told } = await begun(dir, "patch");
    retell(file, ({ tools, ...rest }) => ({ ...rest, system: ["OLD"], tools: change(tools) }));
    const house = await houseIn(dir, { "edit.mode": "replace" });
    const model = scriptIn(
      dir,
      [{ calls: [{ tool: "weather", input: {} }] }, { text: "Hello." }, { text: "Again." }],
      "b.json",
    );
    const { coder, requests, events } = await talkIn(house, { model, session: { open: "file", path: file } });
    await coder.send({ text: "hello" });
    await coder.send({ text: "again" });
    expect(new Set(requests.map(toldIn)).size).toBe(1);
    expect(requests[0]?.system).toEqual(["OLD"]);
    const names = (tools: readonly ToolSpec[] = []) => tools.map(({ name }) => name).sort();
    expect(names(requests[0]?.tools)).toEqual(names(why ? told.tools : [...told.tools, stranger]));
    expect(resultsOf(coder).at(-1)).toContain('There is no tool "weather"');
    expect(noticesOf(events)).toEqual(why ? [`The model gets its instructions again (${why}).`] : []);
    await coder.close();
    expect(prompts(file)).toHaveLength(why ? 2 : 1);
    expect(prompts(file).at(-1)).toMatchObject({ system: ["OLD"], dialect: "patch" });
  },
);

const empty = () => Journal.create({ storage: () => memoryStorage(), clock: { now: () => 0 } }, { cwd: "/" });

test("the model that a relative asks for something else is not the one of the conversation", () => {
  const journal = empty();
  journal.append({ type: "model_change", provider: "a", modelId: "main", role: "default" });
  journal.append({ type: "model_change", provider: "b", modelId: "small", role: "smol" });
  expect(recordedModel(journal.tree, "chosen")).toBe("a/main");
  journal.append({ type: "model_change", provider: "c", modelId: "next" });
  expect(recordedModel(journal.tree, "asked last")).toBe("c/next");
});

test("the record says how long the model thinks, not how long it should, and a resume still knows the wish", () => {
  const journal = empty();
  const [small, large] = [model("m"), model("m", { thinkingLevelMap: { xhigh: "max" } })];
  const levels = (which: Model, effort: Effort) =>
    journal.appendAll(opening(journal.tree, which, effort).filter(({ type }) => type === "thinking_level_change"));
  expect(levels(small, "xhigh")).toMatchObject([{ thinkingLevel: "high", configured: "xhigh" }]);
  expect(recordedEffort(journal.tree)).toBe("xhigh");
  expect(levels(small, "xhigh")).toEqual([]);
  // The same wish is another level for another model.
  expect(levels(large, "xhigh")).toMatchObject([{ thinkingLevel: "xhigh" }]);
  expect(levels(large, "low")).toMatchObject([{ thinkingLevel: "low" }]);
  journal.append({ type: "thinking_level_change", thinkingLevel: "low", configured: "auto" });
  expect(recordedEffort(journal.tree)).toBe("low");
});
