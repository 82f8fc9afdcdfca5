import { expect, test } from "bun:test";
import { readdirSync, rmSync } from "node:fs";
import { scratch } from "@pith/kit/test";
import type { Coder } from "../../hall/coder.ts";
import { houseIn, scriptIn, talkIn } from "../../test/open.ts";

const read = (path: string) => ({ calls: [{ tool: "read", input: { path } }] });
/** Longer than what a summary of it keeps word for word. */
const done = { text: `Done. ${"It took long. ".repeat(400)}` };
const typed = async (coder: Coder, text: string) => {
  const command = coder.commands.read(text);
  if (command.is !== "command") throw new Error(`no command: ${text}`);
  await coder.perform(command);
};
const summaries = (coder: Coder) =>
  coder.path().flatMap((entry) => (entry.type === "compaction" ? [entry.summary] : []));

test("instructions that came with results are kept by every later summary, not only by the next", async () => {
  using dir = scratch();
  dir.write({
    "work/a/AGENTS.md": "Never rename in a.",
    "work/a/one.ts": "1",
    "work/b/AGENTS.md": "Tabs only in b.",
    "work/b/two.ts": "2",
  });
  const model = scriptIn(dir, [read("a/one.ts"), done, read("b/two.ts"), done, done], "script.json", {
    after: "repeat-last",
  });
  const { coder } = await talkIn(await houseIn(dir), { model });
  for (const text of ["look at a", "and on"]) await coder.send({ text });
  await typed(coder, "/compact");
  // The script counts the answers in the request, and a summary removes them.
  const next = scriptIn(dir, [read("b/two.ts"), done, done], "next.json", { after: "repeat-last" });
  await coder.use(next);
  for (const text of ["look at b", "and on"]) await coder.send({ text });
  await typed(coder, "/compact");
  const [first, second] = summaries(coder);
  expect(first).toContain("Never rename in a.");
  expect(second).toContain("Never rename in a.");
  expect(second).toContain("Tabs only in b.");
  await coder.close();
});

test("the end of a long session holds the state of every part", async () => {
  using dir = scratch();
  dir.write({ "work/a/AGENTS.md": "Never rename in a.", "work/a/one.ts": "1", "work/big.txt": "line\n".repeat(3) });
  const house = await houseIn(dir, { "checkpoint.enabled": true });
  const turns = [
    read("a/one.ts"),
    { calls: [{ tool: "todo", input: { ops: [{ op: "init", list: [{ phase: "P", items: ["one"] }] }] } }] },
    done,
    done,
  ];
  const model = scriptIn(dir, turns, "script.json", { after: "repeat-last", side: { handoff: "## Goal\nOn." } });
  const { coder, hall } = await talkIn(house, { model });
  await typed(coder, "/memory add be kind");
  await coder.send({ text: "go" });
  await typed(coder, "/handoff");
  await typed(coder, `/explorer ${model}`);
  await typed(coder, "/compact");
  const before = hall.keeping.states.filter((name) => hall.tree.lastCustom(name));
  for (const name of ["pith.before", "pith.explorer", "pith.arrived", "pith.memory", "pith.todo"])
    expect(before).toContain(name);
  const noise = { type: "custom", customType: "noise", data: "x".repeat(400_000) } as const;
  for (let at = 0; at < 12; at++) hall.channel.record(noise);
  for (const text of ["and now?", "and then?"]) {
    await coder.send({ text });
    await typed(coder, "/compact");
  }
  await coder.close();
  const file = coder.file ?? "";
  for (const name of readdirSync(dir.path, { recursive: true }))
    if (String(name).endsWith(".idx")) rmSync(dir.at(String(name)));
  const again = await talkIn(await houseIn(dir), { model, session: { open: "file", path: file } });
  expect(again.hall.tree.isWhole).toBe(false);
  expect(before.filter((name) => again.hall.tree.lastCustom(name) === undefined)).toEqual([]);
  await again.coder.close();
});

test("the first request is kept in a session that another program has summed up before", async () => {
  using dir = scratch();
  const model = scriptIn(dir, [done, done], "script.json", { after: "repeat-last" });
  const { coder, hall } = await talkIn(await houseIn(dir), { model });
  await coder.send({ text: "Rename readRows, and never touch vendor/" });
  await coder.send({ text: "with tabs" });
  const kept = hall.channel.record({
    type: "custom_message",
    customType: "hint",
    content: "mind the gap",
    display: true,
  });
  // The form of other products, which carry no quotes on.
  hall.channel.record({
    type: "compaction",
    summary: "Renaming.",
    firstKeptEntryId: kept.id,
    tokensBefore: 5,
    details: { readFiles: ["a.ts"], modifiedFiles: [] },
  });
  for (const text of ["go on", "and on", "and now?"]) await coder.send({ text });
  await typed(coder, "/compact");
  const summary = summaries(coder).at(-1) ?? "";
  expect(summary).toContain("### First request\nRename readRows, and never touch vendor/");
  expect(summary).toContain("- with tabs");
  expect(summary).toContain("a.ts (Read)");
  await coder.close();
});

test("a file that a command has made is among the files of a summary in the middle of the same turn", async () => {
  using dir = scratch();
  dir.write({ "work/log.txt": "line of the log\n".repeat(300) });
  const made = { calls: [{ tool: "bash", input: { command: "mkdir -p d && cp log.txt d/copy.txt" } }] };
  const reads = Array.from({ length: 20 }, () => read("log.txt"));
  const model = scriptIn(dir, [made, ...reads, done], "script.json", {
    after: "repeat-last",
    model: { contextWindow: 32_000 },
  });
  const { coder } = await talkIn(await houseIn(dir, { "loop.mode": "off" }), { model });
  await coder.send({ text: "copy it" });
  expect(summaries(coder)[0]).toContain("# d/\ncopy.txt (Write)");
  expect(await coder.perform(coder.commands.read("/memory") as never)).toMatchObject({
    outcome: { text: expect.stringContaining("file written: d/copy.txt") },
  });
  await coder.close();
});
