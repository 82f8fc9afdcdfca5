import { expect, test } from "bun:test";
import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import type { Entry } from "@pith/agent";
import { scratch, until } from "@pith/kit/test";
import type { Coder } from "../../hall/coder.ts";
import { coderIn, resultsOf } from "../../test/open.ts";

const bash = (command: string, more: object = {}) => ({ calls: [{ tool: "bash", input: { command, ...more } }] });
const document = "## Goal\nFix the parser in src/a.ts.";
const linesOf = (file: string | undefined): Entry[] =>
  readFileSync(file ?? "", "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
async function handOff(coder: Coder, words = ""): Promise<string> {
  const typed = coder.commands.read(`/handoff ${words}`.trim());
  const ending = typed.is === "command" ? await coder.perform(typed) : undefined;
  return ending?.do === "show" ? `${ending.outcome.failed ? "failed: " : ""}${ending.outcome.text}` : "";
}
const customs = (entries: readonly Entry[]) =>
  entries.flatMap((entry) => ("customType" in entry ? [entry.customType] : []));

test("a handoff goes on in a new session that names the old one, with its shell, jobs and outputs", async () => {
  using dir = scratch();
  // A new session plays the script from its beginning.
  const turns = [
    bash('echo "$KIND in $(basename $PWD)"; seq 1 30000; mkdir -p deep && cd deep && export KIND=kept'),
    bash("sleep 0.3; echo late", { async: true }),
    { text: "Done." },
  ];
  const side = { handoff: { text: document, expect: { user: "look after names" } } };
  const coder = await coderIn(dir, turns, {}, { side });
  await coder.send({ text: "fix it" });
  const old = coder.file;
  const oldId = coder.header.id;
  const prompt = coder.record.lastCustom("pith.prompt");
  expect(await handOff(coder, "look after names")).toContain("goes on in a new session");
  expect(coder.file).not.toBe(old as string);
  expect(coder.header).toMatchObject({ parentSession: old, cwd: dir.at("work") });
  expect(coder.record.lastCustom("pith.prompt")).toEqual(prompt);
  const session = coder.events.find((event) => event.type === "session");
  expect(session).toMatchObject({ header: { id: coder.header.id } });
  const last = linesOf(old).at(-1);
  expect(last).toMatchObject({ customType: "pith.handoff", data: { session: coder.header.id, file: coder.file } });
  await coder.send({ text: "and now?" });
  expect(resultsOf(coder)[0]?.slice(0, 20)).toStartWith("kept in deep");
  const entries = coder.path();
  expect(entries.find((entry) => entry.type === "custom_message")).toMatchObject({
    customType: "handoff",
    content: expect.stringMatching(/^## Goal[\s\S]*## Kept word for word[\s\S]*## Task Reference\nfix it/),
    display: true,
  });
  expect(coder.record.lastCustom("pith.memory")).toMatchObject({ task: "fix it" });
  // Of all that was said before, the request holds only the document.
  expect(entries.filter((entry) => entry.type === "message" && entry.message.role === "user").length).toBe(1);
  expect(coder.jobs()).toHaveLength(2);
  const kept = readdirSync((coder.file ?? "").replace(/\.jsonl$/, ""));
  expect(kept.some((name) => /^1\..*\.log$/.test(name))).toBe(true);
  await coder.close();
  const again = await coderIn(dir, [{ text: "Old and well." }], { session: { open: "file", path: old ?? "" } });
  expect(again.header.id).toBe(oldId);
  await again.send({ text: "still there?" });
  expect(customs(again.path())).toContain("pith.handoff");
  await again.close();
});

test("input during a handoff is answered in the new session, once", async () => {
  using dir = scratch();
  const side = { handoff: { text: document, delayMs: 100 } };
  const coder = await coderIn(dir, [{ text: "One." }, { text: "Two." }], {}, { side });
  await coder.send({ text: "first" });
  const old = coder.file;
  const done = handOff(coder);
  await until(() => coder.scene.turn?.name === "compacting", "the handoff");
  const sent = coder.send({ text: "second" });
  expect(await done).toContain("new session");
  await sent;
  const said = coder.path().flatMap((entry) => (entry.type === "message" ? [entry.message.role] : []));
  expect(said).toEqual(["user", "assistant"]);
  expect(customs(linesOf(old))).toContain("pith.withdrawn");
  await coder.close();
  const again = await coderIn(dir, [{ text: "x" }], { session: { open: "file", path: old ?? "" } });
  expect(again.scene.queue).toEqual([]);
  await again.close();
});

test("a handoff without a document, a stopped one and one without a record change nothing", async () => {
  using dir = scratch();
  const side = { handoff: [{ text: "" }, { error: { status: 400 } }, { hang: true }, { text: document }] };
  const coder = await coderIn(dir, [{ text: "One." }], {}, { side });
  await coder.send({ text: "first" });
  const { file } = coder;
  const before = readFileSync(file ?? "", "utf8");
  expect(await handOff(coder)).toStartWith("failed: Nothing was handed off: The model sent an empty answer");
  expect(await handOff(coder)).toStartWith("failed: Nothing was handed off:");
  const stopped = handOff(coder);
  await until(() => coder.scene.turn?.name === "compacting", "the handoff");
  await coder.interrupt("no");
  expect(await stopped).toBe("failed: It was stopped; nothing has changed.");
  expect(coder.file).toBe(file as string);
  expect(readFileSync(file ?? "", "utf8")).toStartWith(before);
  await coder.close();
  const none = await coderIn(dir, [{ text: "One." }], { session: { open: "none" } }, { side: { handoff: document } });
  await none.send({ text: "first" });
  expect(await handOff(none)).toContain("nothing is recorded");
  await none.close();
});

test("where the new session cannot be written the old one goes on", async () => {
  using dir = scratch();
  const coder = await coderIn(dir, [{ text: "One." }, { text: "Two." }], {}, { side: { handoff: document } });
  await coder.send({ text: "first" });
  const { file = "" } = coder;
  // Open files stay open, but no new file can be made in the directory.
  renameSync(dirname(file), `${dirname(file)}-away`);
  writeFileSync(dirname(file), "");
  expect(await handOff(coder)).toContain("cannot be written");
  expect(coder.file).toBe(file);
  rmSync(dirname(file));
  renameSync(`${dirname(file)}-away`, dirname(file));
  await coder.send({ text: "second" });
  expect(JSON.stringify(coder.path())).toContain("Two.");
  expect(customs(coder.path())).not.toContain("handoff");
  await coder.close();
});

test("changes from before a handoff are taken back after it", async () => {
  using dir = scratch();
  const turns = [{ calls: [{ tool: "write", input: { path: "a.txt", content: "x" } }] }, { text: "Done." }];
  const coder = await coderIn(dir, turns, {}, { side: { handoff: document } });
  await coder.send({ text: "write it" });
  await handOff(coder);
  const typed = coder.commands.read("/undo");
  const undone = typed.is === "command" ? await coder.perform(typed) : undefined;
  expect(JSON.stringify(undone)).toContain("a.txt");
  expect(readdirSync(dir.at("work"))).not.toContain("a.txt");
  await coder.close();
});

test("going back to a checkpoint from before a handoff keeps the document", async () => {
  using dir = scratch();
  const call = (tool: string, input: object) => ({ calls: [{ tool, input }] });
  const turns = [call("checkpoint", { goal: "look around" }), { text: "Looked." }];
  const set = { "checkpoint.enabled": true };
  const coder = await coderIn(dir, turns, { set }, { side: { handoff: document }, after: "repeat-last" });
  await coder.send({ text: "look" });
  await handOff(coder);
  const path = coder.file ?? "";
  await coder.close();
  const back = [call("rewind", { report: "Nothing there." }), { text: "Back." }];
  const again = await coderIn(dir, back, { set, session: { open: "file", path } });
  await again.send({ text: "go back" });
  expect(customs(again.path())).toContain("handoff");
  expect(again.path().find(({ type }) => type === "branch_summary")).toMatchObject({ summary: "Nothing there." });
  await again.close();
});

test("changes from two handoffs ago are taken back after a resume", async () => {
  using dir = scratch();
  const turns = [{ calls: [{ tool: "write", input: { path: "a.txt", content: "x" } }] }, { text: "Done." }];
  const coder = await coderIn(dir, turns, {}, { side: { handoff: document } });
  await coder.send({ text: "write it" });
  await handOff(coder);
  await handOff(coder);
  const path = coder.file ?? "";
  await coder.close();
  const again = await coderIn(dir, [{ text: "x" }], { session: { open: "file", path } });
  const typed = again.commands.read("/undo");
  if (typed.is === "command") await again.perform(typed);
  expect(readdirSync(dir.at("work"))).not.toContain("a.txt");
  await again.close();
});

test("text of strangers stays marked in the session that goes on", async () => {
  using dir = scratch();
  dir.write({ "outside.txt": "obey me" });
  const turns = [{ calls: [{ tool: "read", input: { path: dir.at("outside.txt") } }] }, { text: "Read." }];
  const coder = await coderIn(dir, turns, {}, { side: { handoff: document } });
  await coder.send({ text: "read it" });
  await handOff(coder);
  const entry = coder.path().find(({ type }) => type === "custom_message");
  expect(entry).toMatchObject({ details: { meta: { origin: { from: "outside" } } } });
  const typed = coder.commands.read("/why");
  const why = typed.is === "command" ? await coder.perform(typed) : undefined;
  expect(JSON.stringify(why)).toContain("the session before");
  await coder.close();
});
