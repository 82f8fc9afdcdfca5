// Sessions as a person meets them, through the real program: of relatives, damaged, copied, brought in, cleared away.
import { expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { pith, scripted } from "../pith.ts";
import { type Scratch, scratch } from "../scratch.ts";
import { terminal } from "../terminal.ts";

const below = (folder: string): string[] =>
  existsSync(folder) ? readdirSync(folder, { recursive: true, encoding: "utf8" }).toSorted() : [];
const sessionsIn = (dir: Scratch): string[] =>
  below(dir.at("home/.pith/sessions"))
    .filter((name) => name.endsWith(".jsonl"))
    .map((name) => dir.at("home/.pith/sessions", name));
const put = (file: string, bytes: Buffer) => {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, bytes);
};
const entries = (file: string) =>
  readFileSync(file, "utf8")
    .trimEnd()
    .split("\n")
    .slice(1)
    .map((line) => JSON.parse(line));
const say = (text: string) => ({ text });

/** A session file as a program of the family writes it: the header, and entries one below the other. */
function family(dir: Scratch, name: string, drafts: object[], header: object = {}): string {
  const time = "2026-01-01T00:00:00.000Z";
  const head = { type: "session", version: 3, id: name, timestamp: time, cwd: dir.at("work"), ...header };
  const lines = drafts.map((draft, at) => ({
    ...draft,
    id: `e${at}`,
    parentId: at === 0 ? null : `e${at - 1}`,
    timestamp: time,
  }));
  dir.write({ [`${name}.jsonl`]: [head, ...lines].map((line) => `${JSON.stringify(line)}\n`).join("") });
  return dir.at(`${name}.jsonl`);
}
const message = (role: string, content: unknown, more: object = {}) => ({
  type: "message",
  message: { role, content, timestamp: 1, ...more },
});
const reply = (text: string, more: object = {}) =>
  message("assistant", [{ type: "text", text }], {
    api: "openai-completions",
    provider: "openai",
    model: "small",
    usage: {
      input: 1,
      output: 1,
      cacheRead: 0,
      cacheWrite: 0,
      totalTokens: 2,
      cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 },
    },
    stopReason: "stop",
    ...more,
  });

test("a session of omp keeps its images, what its program told the model, and its model", async () => {
  using dir = scratch();
  const picture = Buffer.alloc(3000, 9);
  const name = createHash("sha256").update(picture).digest("hex");
  put(dir.at("home/.omp/agent/blobs", name), picture);
  const file = family(dir, "omp", [
    { type: "model_change", model: "openai/main-model", role: "default" },
    message("user", [
      { type: "text", text: "what is this" },
      { type: "image", data: `blob:sha256:${name}`, mimeType: "image/png" },
    ]),
    message("developer", [{ type: "text", text: "mind the walrus" }]),
    reply("a square"),
    { type: "model_change", model: "anthropic/tiny-model", role: "smol" },
  ]);
  const page = await pith(dir, ["export", file, "--html"]);
  expect(page).toMatchObject({ code: 0, err: "" });
  expect(page.out).toContain(picture.toString("base64"));
  expect(page.out).toContain("mind the walrus");
  // Kept here too, should omp clear it away.
  expect(readFileSync(dir.at("home/.pith/blobs", name))).toEqual(picture);
  expect((await pith(dir, ["-p", "go on", "-r", file])).err).toContain("openai needs a key");
});

test("a damaged image is not sent, and is whole again when it is attached once more", async () => {
  using dir = scratch();
  const picture = Buffer.concat([Buffer.from("89504e470d0a1a0a", "hex"), Buffer.alloc(4000, 3)]);
  put(dir.at("work/a.png"), picture);
  const attach = () => pith(dir, ["-p", "look", "@a.png", ...scripted(dir, say("Seen."))]);
  expect(await attach()).toMatchObject({ code: 0 });
  const blobs = dir.at("home/.pith/blobs");
  const [name = ""] = below(blobs);
  writeFileSync(join(blobs, name), readFileSync(join(blobs, name)).fill(0, 100, 200));
  const [file = ""] = sessionsIn(dir);
  expect((await pith(dir, ["export", file, "--md"])).err).toContain("gone or damaged");
  expect(await attach()).toMatchObject({ code: 0 });
  expect(await pith(dir, ["export", file, "--md"])).toMatchObject({ code: 0, err: "" });
});

test("a fork whose outputs cannot be copied is there without them, says so, and goes on", async () => {
  using dir = scratch();
  await pith(dir, ["-p", "one", ...scripted(dir, say("See artifact://4."))]);
  const [file = ""] = sessionsIn(dir);
  // So deep that the copy, in a folder with a longer name, has paths that no system takes.
  let deep = file.replace(/\.jsonl$/, "");
  while (deep.length + 202 < 4000) deep = join(deep, "d".repeat(200));
  deep = join(deep, "d".repeat(4000 - deep.length - 1));
  mkdirSync(deep, { recursive: true });
  const far = `work/${"f".repeat(150)}`;
  dir.write({ [`${far}/.keep`]: "" });
  const forked = await pith(dir, [
    "-p",
    "two",
    "--cwd",
    dir.at(far),
    "--fork",
    file,
    ...scripted(dir, say("a"), say("Copied.")),
  ]);
  expect(forked).toMatchObject({ code: 0, out: "Copied.\n", err: expect.stringContaining("could not be copied") });
  const copy = sessionsIn(dir).find((name) => name.includes("ffff")) ?? "";
  expect(existsSync(copy.replace(/\.jsonl$/, ""))).toBe(false);
  expect(JSON.stringify(entries(copy))).toContain("named above is gone in this copy");
  expect(below(dirname(copy)).filter((name) => !name.endsWith(".idx"))).toEqual([basename(copy)]);
});

test("a session whose first line was cut goes on with -c, wherever the cut was", async () => {
  using dir = scratch();
  await pith(dir, ["-p", "one", ...scripted(dir, say("First."))]);
  const [file = ""] = sessionsIn(dir);
  const [header = "", ...rest] = readFileSync(file, "utf8").split("\n");
  for (const cut of [1, 19, 60, 130, header.length - 1]) {
    rmSync(`${file}.idx`, { force: true });
    writeFileSync(file, [header.slice(0, cut), ...rest].join("\n"));
    const ended = await pith(dir, ["-p", "two", "-c", ...scripted(dir, say("First."), say("Second."))]);
    expect(ended).toMatchObject({ code: 0, out: "Second.\n", err: expect.stringContaining("was written anew") });
    expect(readFileSync(file, "utf8")).toContain('"content":[{"type":"text","text":"one"}]');
  }
  expect(sessionsIn(dir)).toEqual([file]);
});

test("a session of a newer pith does not stand in the way of -c, and is left as it is", async () => {
  using dir = scratch();
  await pith(dir, ["-p", "one", ...scripted(dir, say("First."))]);
  const [file = ""] = sessionsIn(dir);
  const newer = file.replace(/_.*$/, "_newer.jsonl");
  const text = `${JSON.stringify({ type: "session", version: 4, id: "newer", cwd: dir.at("work") })}\n`;
  writeFileSync(newer, text);
  const ended = await pith(dir, ["-p", "two", "-c", ...scripted(dir, say("First."), say("Second."))]);
  expect(ended).toMatchObject({ code: 0, out: "Second.\n", err: expect.stringContaining("pith sessions lists") });
  expect(await pith(dir, ["-p", "two", "-r", "newer", ...scripted(dir, say("No."))])).toMatchObject({
    code: 2,
    err: expect.stringContaining("newer pith"),
  });
  expect(readFileSync(newer, "utf8")).toBe(text);
});

test("what only a newer pith understands goes through a resume and a fork untouched", async () => {
  using dir = scratch();
  const file = family(dir, "later", [
    message("user", "hello"),
    { type: "weather", sky: { blue: true } },
    { type: "custom", customType: "pith.later", data: [1, 2] },
    reply("hi"),
  ]);
  const kept = readFileSync(file, "utf8").split("\n").slice(2, 4);
  expect(await pith(dir, ["-p", "on", "-r", file, ...scripted(dir, say("hi"), say("On."))])).toMatchObject({ code: 0 });
  expect(readFileSync(file, "utf8").split("\n").slice(2, 4)).toEqual(kept);
  const forked = await pith(dir, ["session", "fork", file, "--at", "e3"]);
  expect(readFileSync(forked.out.trim(), "utf8").split("\n").slice(2, 4)).toEqual(kept);
});

test("a session of Claude Code that went on there is brought up to date by a second import", async () => {
  using dir = scratch();
  const line = (type: string, uuid: string, parentUuid: string | null, content: unknown) => ({
    type,
    uuid,
    parentUuid,
    sessionId: "11111111-2222-4333-8444-555555555555",
    cwd: dir.at("work"),
    timestamp: "2026-02-01T10:00:00.000Z",
    message: type === "user" ? { role: "user", content } : { id: "same", role: "assistant", model: "m", content },
  });
  const text = (said: string) => [{ type: "text", text: said }];
  const first = [line("user", "u1", null, "first walrus"), line("assistant", "a1", "u1", text("One."))];
  const second = [line("user", "u2", "a1", "second walrus"), line("assistant", "a2", "u2", text("Two."))];
  const bring = (lines: object[]) => {
    dir.write({ "c.jsonl": lines.map((one) => `${JSON.stringify(one)}\n`).join("") });
    return pith(dir, ["import", "claude", dir.at("c.jsonl")]);
  };
  expect((await bring(first)).err).toContain("1 session imported");
  const [file = ""] = sessionsIn(dir);
  expect((await bring([...first, ...second])).err).toContain("1 grown");
  expect((await bring([...first, ...second])).err).toContain("1 known already");
  const shown = await pith(dir, ["export", file, "--md"]);
  for (const said of ["first walrus", "One.", "second walrus", "Two."]) expect(shown.out).toContain(said);
  expect(sessionsIn(dir)).toEqual([file]);
  // Every answer, with what led to it, by its model and vendor.
  const found = await pith(dir, ["sessions", "walrus", "--model", "anthropic/m"]);
  expect(found.out.match(/^11111111/gm)).toHaveLength(2);
});

test("gc takes what undo kept for projects that are gone, and a tour leaves nothing", async () => {
  using dir = scratch();
  const run = { calls: [{ tool: "write", input: { path: "a.txt", content: "a" } }] };
  dir.write({ "gone/.keep": "", "work/.keep": "" });
  for (const cwd of ["gone", "work"])
    await pith(dir, ["-p", "go", "--yolo", "--cwd", dir.at(cwd), ...scripted(dir, run, say("Done."))]);
  const undo = dir.at("home/.pith/undo");
  expect(readdirSync(undo)).toHaveLength(2);
  const recorded = sessionsIn(dir);
  expect((await pith(dir, ["-p", "go", "--model", "faux/tour"])).code).toBe(0);
  expect(readdirSync(undo)).toHaveLength(2);
  expect(sessionsIn(dir)).toEqual(recorded);
  rmSync(dir.at("gone"), { recursive: true });
  expect((await pith(dir, ["gc", "--dry-run"])).out).toContain("1 undo store of projects that are gone");
  expect((await pith(dir, ["gc"])).code).toBe(0);
  expect(readdirSync(undo)).toEqual([expect.stringMatching(/^work-/)]);
});

test("PITH_TIMING=x at a terminal tells how long the start took, and leaves", async () => {
  using dir = scratch();
  const { child, screen } = terminal(dir, ["--model", "faux/echo"], { PITH_TIMING: "x" });
  expect(await child.exited).toBe(0);
  expect(screen()).toMatch(/ms {2}pith \(at 0\.0\)/);
  expect(screen()).toContain("open coder");
});
