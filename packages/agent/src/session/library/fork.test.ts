import { afterAll, expect, test } from "bun:test";
import { appendFileSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { clock, fileLines, folders, reopen, session } from "../../test/library.ts";
import { openArtifacts } from "../artifact.ts";
import { Journal } from "../journal.ts";
import { InputQueue } from "../queue.ts";
import { fileStorage } from "../store/disk.ts";
import { artifactsOf, readHeader } from "./files.ts";
import { forkSession } from "./fork.ts";

const folder = folders(afterAll);

test("a fork is the same session under a new id, with its outputs, and their numbering goes on", async () => {
  const sessions = folder();
  const { file } = await session(sessions);
  mkdirSync(artifactsOf(file));
  for (const name of ["0.bash.log", "3.read.log"]) writeFileSync(join(artifactsOf(file), name), name);
  const forked = forkSession({ file, sessions, take: "all", clock });
  if (!forked.ok) throw new Error(forked.message);
  const { header, warnings } = forked.value;
  expect(warnings).toEqual([]);
  expect(fileLines(forked.value.file).slice(1)).toEqual(fileLines(file).slice(1));
  expect(readHeader(forked.value.file)).toEqual(header);
  expect(header.parentSession).toBe(file);
  expect(header.id).not.toBe(readHeader(file)?.id ?? "");
  expect(openArtifacts(forked.value.file).allocate("bash")?.id).toBe("4");
});

test("a session in use can be forked", async () => {
  const sessions = folder();
  const { file } = await session(sessions);
  const opened = Journal.open({ storage: fileStorage(file), clock, onFault: () => {} });
  expect(opened.ok && forkSession({ file, sessions, take: "all", clock }).ok).toBe(true);
});

test("outputs that cannot be copied are told in the fork, which stands without them", async () => {
  const sessions = folder();
  const { file } = await session(sessions, "/project", ["Full: artifact://3", "[raw output: artifact://5]"]);
  mkdirSync(artifactsOf(file));
  writeFileSync(join(artifactsOf(file), "5.bash.log"), "x");
  const copy = () => {
    throw new Error("unreadable");
  };
  const forked = forkSession({ file, sessions, take: "all", clock, copy });
  if (!forked.ok) throw new Error(forked.message);
  expect(forked.value.warnings).toEqual([expect.stringContaining("unreadable")]);
  expect(fileLines(forked.value.file).at(-1)).toContain("every artifact:// named above is gone");
  // A number that the conversation knows never comes to mean something else.
  const lost = openArtifacts(forked.value.file);
  expect(lost.allocate("bash")?.id).toBe("6");
  expect(lost.resolve("5").ok).toBe(false);
  // Nobody holds it: it can be gone on with at once.
  const again = reopen(forked.value.file);
  expect(again.tree.pathTo()).toHaveLength(3);
  await again.close();
});

test("outputs whose folder is missing, a link or a file are told in the fork as gone", async () => {
  const sessions = folder();
  const places = [
    () => {},
    (place: string) => symlinkSync(sessions, place),
    (place: string) => writeFileSync(place, "no folder"),
  ];
  for (const make of places) {
    const { file } = await session(sessions, "/project", ["Full: artifact://3"]);
    make(artifactsOf(file));
    const forked = forkSession({ file, sessions, take: "all", clock });
    if (!forked.ok) throw new Error(forked.message);
    expect(forked.value.warnings).toEqual([expect.stringContaining(`${artifactsOf(file)} is no folder`)]);
    expect(fileLines(forked.value.file).at(-1)).toContain("every artifact:// named above is gone");
  }
});

test("numbers go on in a session whose outputs are gone with their folder, and in a copy of it", async () => {
  const sessions = folder();
  const { file } = await session(sessions, "/project", ["Full: artifact://3"]);
  const forked = forkSession({ file, sessions, take: "all", clock });
  if (!forked.ok) throw new Error(forked.message);
  expect(openArtifacts(forked.value.file).allocate("bash")?.id).toBe("4");
  expect(openArtifacts(file).allocate("bash")?.id).toBe("4");
  // The folder alone, from a run that was killed, holds no number.
  expect(openArtifacts(file).allocate("bash")?.id).toBe("4");
});

test("a fork that cannot be written leaves nothing of itself", async () => {
  const sessions = folder();
  const { file } = await session(sessions);
  mkdirSync(artifactsOf(file));
  writeFileSync(join(artifactsOf(file), "0.bash.log"), "x");
  // A folder stands where the file would be written.
  const copy = (_: string, to: string) => {
    mkdirSync(to, { recursive: true });
    mkdirSync(`${to}.jsonl`);
  };
  const before = readdirSync(join(file, "..")).toSorted();
  const forked = forkSession({ file, sessions, take: "all", clock, copy });
  expect(forked).toMatchObject({ ok: false, kind: "unwritable" });
  const left = readdirSync(join(file, "..")).filter((name) => !before.includes(name));
  expect(left).toEqual([expect.stringMatching(/\.jsonl$/)]);
});

test("a copy of one path has the outputs that it names, and their numbering goes on", async () => {
  const sessions = folder();
  const { file, ids } = await session(sessions);
  mkdirSync(artifactsOf(file));
  writeFileSync(join(artifactsOf(file), "2.bash.log"), "x");
  const forked = forkSession({ file, sessions, take: { upTo: ids[1] ?? "" }, clock });
  if (!forked.ok) throw new Error(forked.message);
  expect(openArtifacts(forked.value.file).resolve("2").ok).toBe(true);
  expect(openArtifacts(forked.value.file).allocate("bash")?.id).toBe("3");
});

test("a branch holds the path before a message and the labels of its entries, and nothing else", async () => {
  const sessions = folder();
  const { file, ids } = await session(sessions);
  const journal = reopen(file);
  journal.append({ type: "label", targetId: ids[0] ?? "", label: "start" });
  journal.append({ type: "label", targetId: ids[2] ?? "", label: "end" });
  await journal.close();
  const branch = forkSession({ file, sessions, take: { upTo: ids[1] ?? "" }, clock });
  if (!branch.ok) throw new Error(branch.message);
  const again = Journal.open({ storage: fileStorage(branch.value.file), clock, onFault: () => {} });
  if (!again.ok) throw new Error(again.message);
  const { tree } = again.value.journal;
  expect(tree.pathTo().map((entry) => entry.type)).toEqual(["message", "message", "label"]);
  expect([...tree.labels()]).toEqual([[ids[0] ?? "", "start"]]);
  expect(again.value.notes).toEqual([]);
});

test("input that was delivered or taken back later does not wait again in a copy of what came before", async () => {
  const sessions = folder();
  const { file } = await session(sessions);
  const journal = reopen(file);
  const inbox = new InputQueue(journal);
  const [, late, dropped, waiting] = ["early", "late", "dropped", "waiting"].map((text) =>
    inbox.admit({ text }, text === "early" ? "steer" : "after"),
  );
  const [delivered] = inbox.deliver("steer", 0);
  inbox.deliver("after", 0);
  inbox.withdraw(dropped?.id ?? "");
  await journal.close();
  const upTo = delivered?.id ?? "";
  const branch = forkSession({ file, sessions, take: { upTo }, clock });
  if (!branch.ok) throw new Error(branch.message);
  const copy = reopen(branch.value.file);
  expect(new InputQueue(copy).list().map(({ id }) => id)).toEqual([waiting?.id ?? ""]);
  const settled = copy.tree.pathTo().slice(-2);
  expect(settled.map((entry) => entry.type === "custom" && entry.data)).toEqual([
    { inbox: late?.id },
    { inbox: dropped?.id },
  ]);
});

test("entries of a newer pith are in every copy unchanged", async () => {
  const sessions = folder();
  const { file, ids } = await session(sessions);
  const base = { timestamp: "2030-01-01T00:00:00.000Z" };
  const newer = [
    { type: "weather", id: "n1", parentId: ids[2], ...base, sky: { blue: true } },
    { type: "custom", id: "n2", parentId: "n1", ...base, customType: "pith.later", data: [1] },
    { type: "label", id: "n3", parentId: "n2", ...base, targets: [ids[0]], colour: 3 },
    {
      type: "message",
      id: "n4",
      parentId: "n3",
      ...base,
      message: { role: "user", content: [{ type: "smell" }] },
      mood: 1,
    },
  ].map((entry) => JSON.stringify(entry));
  appendFileSync(file, newer.map((line) => `${line}\n`).join(""));
  const journal = reopen(file);
  const last = journal.append({ type: "session_info", name: "on" });
  await journal.close();
  expect(fileLines(file).slice(4, 8)).toEqual(newer);
  for (const take of ["all", { upTo: last.id }] as const) {
    const forked = forkSession({ file, sessions, take, clock });
    if (!forked.ok) throw new Error(forked.message);
    expect(fileLines(forked.value.file).slice(4, 8)).toEqual(newer);
    expect(reopen(forked.value.file).tree.pathTo()).toHaveLength(8);
  }
});

test("a fork does not have the title that stands in the header of the old session", async () => {
  const sessions = folder();
  const { file } = await session(sessions);
  const [first = "", ...rest] = readFileSync(file, "utf8").split("\n");
  writeFileSync(file, [JSON.stringify({ ...JSON.parse(first), title: "The old one" }), ...rest].join("\n"));
  rmSync(`${file}.idx`, { force: true });
  expect(readHeader(file)?.title).toBe("The old one");
  const forked = forkSession({ file, sessions, take: "all", clock });
  if (!forked.ok) throw new Error(forked.message);
  expect(forked.value.header.title).toBeUndefined();
  expect(readHeader(forked.value.file)).not.toHaveProperty("title");
});
