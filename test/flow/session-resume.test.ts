// Going on with a session through the real program: by its id, in a copy, after a crash, beside another process.
import { expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { until } from "../../packages/kit/src/test/index.ts";
import { envOf, main, pith, scripted } from "../pith.ts";
import { type Scratch, scratch } from "../scratch.ts";

function sessions(base: string): string[] {
  if (!existsSync(base)) return [];
  return readdirSync(base, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".jsonl"))
    .map((name) => join(base, name))
    .sort();
}
const usual = (dir: Scratch) => sessions(dir.at("home", ".pith", "sessions"));
const idOf = (file: string) => basename(file, ".jsonl").split("_")[1] ?? "";
const entries = (file: string) =>
  readFileSync(file, "utf8")
    .trimEnd()
    .split("\n")
    .slice(1)
    .map((line) => JSON.parse(line));
const roles = (file: string) => entries(file).flatMap((entry) => entry.message?.role ?? []);
const say = (text: string) => ({ text });

test("a session goes on by the beginning of its id, from any directory", async () => {
  using dir = scratch();
  await pith(dir, ["-p", "one", ...scripted(dir, say("First."))]);
  const [file = ""] = usual(dir);
  dir.write({ "work/sub/.keep": "" });
  const ended = await pith(dir, [
    "-p",
    "two",
    "--cwd",
    "sub",
    "-r",
    idOf(file).slice(0, 16),
    ...scripted(dir, say("First."), say("Second.")),
  ]);
  expect(ended).toMatchObject({
    code: 0,
    out: "Second.\n",
    err: `pith: This session was recorded in ${dir.at("work")}; it goes on in ${dir.at("work", "sub")}.\n`,
  });
  expect(usual(dir)).toEqual([file]);
  expect(roles(file)).toEqual(["user", "assistant", "user", "assistant"]);
  expect(await pith(dir, ["-p", "x", "-r", "ffff", ...scripted(dir, say("No."))])).toMatchObject({
    code: 2,
    err: "pith: No session begins with ffff.\n",
  });
});

test("a fork goes on in a copy and leaves the original as it was", async () => {
  using dir = scratch();
  await pith(dir, ["-p", "one", ...scripted(dir, say("First."))]);
  const [file = ""] = usual(dir);
  const before = readFileSync(file);
  expect(await pith(dir, ["-p", "two", "--fork", file, ...scripted(dir, say("First."), say("Second."))])).toMatchObject(
    { code: 0, out: "Second.\n" },
  );
  expect(readFileSync(file).equals(before)).toBe(true);
  const [, copy = ""] = usual(dir);
  expect(roles(copy)).toEqual(["user", "assistant", "user", "assistant"]);
  expect(JSON.parse(readFileSync(copy, "utf8").split("\n")[0] ?? "")).toMatchObject({ parentSession: file });
  expect(await pith(dir, ["-p", "x", "--fork", file, "-c"])).toMatchObject({ code: 2 });
});

test("sessions are kept and found in another folder when one is named", async () => {
  using dir = scratch();
  await pith(dir, ["-p", "one", "--session-dir", "kept", ...scripted(dir, say("First."))]);
  expect(usual(dir)).toEqual([]);
  const [file = ""] = sessions(dir.at("work", "kept"));
  await pith(dir, ["-p", "two", "-c", "--session-dir", "kept", ...scripted(dir, say("First."), say("Second."))]);
  expect(roles(file)).toEqual(["user", "assistant", "user", "assistant"]);
});

/** A run in the middle of a tool. */
async function busy(dir: Scratch) {
  dir.write({ "work/.keep": "", "tmp/.keep": "", "home/.keep": "" });
  const model = scripted(dir, { calls: [{ tool: "bash", input: { command: "sleep 300" } }] }, say("Never."));
  const child = Bun.spawn([process.execPath, main, "-p", "wait", "--yolo", ...model], {
    cwd: dir.at("work"),
    env: envOf(dir),
    stdout: "ignore",
    stderr: "ignore",
  });
  await until(() => usual(dir).some((file) => roles(file).includes("assistant")), "the call");
  return child;
}

test("a run killed in the middle of a tool goes on with -c, and the model is told what was interrupted", async () => {
  using dir = scratch();
  const child = await busy(dir);
  child.kill("SIGKILL");
  await child.exited;
  const ended = await pith(dir, ["-p", "go on", "-c", ...scripted(dir, say("Wait."), say("Went on."))]);
  expect(ended).toMatchObject({ code: 0, out: "Went on.\n" });
  const [file = ""] = usual(dir);
  expect(roles(file)).toEqual(["user", "assistant", "toolResult", "user", "assistant"]);
  expect(entries(file).find((entry) => entry.message?.role === "toolResult").message).toMatchObject({ isError: true });
}, 120_000);

test("a session that another process is writing is left alone: -c passes it over, -r names the way on", async () => {
  using dir = scratch();
  const child = await busy(dir);
  const [file = ""] = usual(dir);
  const before = readFileSync(file, "utf8");
  const way = `pith --fork ${idOf(file)} goes on in a copy of it.`;
  const why = `pith: This session is in use by process ${child.pid}. ${way}\n`;
  expect(await pith(dir, ["-p", "me too", "-r", idOf(file), ...scripted(dir, say("No."))])).toMatchObject({
    code: 2,
    out: "",
    err: why,
  });
  expect(await pith(dir, ["-p", "me too", "-c", ...scripted(dir, say("Elsewhere."))])).toMatchObject({
    code: 0,
    out: "Elsewhere.\n",
    err: `${why}pith: There is no other session in this directory; a new one begins.\n`,
  });
  expect(readFileSync(file, "utf8")).toBe(before);
  expect(
    await pith(dir, ["-p", "a copy", "--fork", file, ...scripted(dir, say("Wait."), say("Copied."))]),
  ).toMatchObject({ code: 0, out: "Copied.\n" });
  child.kill("SIGKILL");
  await child.exited;
}, 120_000);

test("a session with a torn end opens, says so, and goes on", async () => {
  using dir = scratch();
  await pith(dir, ["-p", "one", ...scripted(dir, say("First."))]);
  const [file = ""] = usual(dir);
  writeFileSync(file, readFileSync(file).subarray(0, -30));
  const ended = await pith(dir, ["-p", "two", "-c", ...scripted(dir, say("Second."))]);
  expect(ended).toMatchObject({ code: 0, out: "Second.\n" });
  expect(ended.err).toContain("cut off in the middle of a write");
  expect(roles(file)).toEqual(["user", "user", "assistant"]);
});

test("a hit of a search is a place to go on from, in the session or in a copy", async () => {
  using dir = scratch();
  await pith(dir, ["-p", "find the walrus", ...scripted(dir, say("First."))]);
  await pith(dir, ["-p", "two", "-c", ...scripted(dir, say("First."), say("Second."))]);
  const hit = (await pith(dir, ["sessions", "first"])).out.split(/\s/)[0] ?? "";
  const [file = ""] = usual(dir);
  await pith(dir, ["-p", "another way", "-r", hit, ...scripted(dir, say("First."), say("Third."))]);
  const all = entries(file);
  let above = all.find((entry) => JSON.stringify(entry.message ?? "").includes("another way"));
  do above = all.find((entry) => entry.id === above.parentId);
  while (above.type !== "message");
  expect(`${idOf(file).slice(0, 8)}#${above.id}`).toBe(hit);
  expect(
    await pith(dir, ["-p", "a copy", "--fork", hit, ...scripted(dir, say("First."), say("Fourth."))]),
  ).toMatchObject({ code: 0, out: "Fourth.\n" });
  const [, copy = ""] = usual(dir);
  expect(roles(copy)).toEqual(["user", "assistant", "user", "assistant"]);
  expect(await pith(dir, ["-p", "x", "-r", `${idOf(file)}#ffffffff`])).toMatchObject({
    code: 2,
    err: expect.stringContaining("has no entry ffffffff"),
  });
});

test("each terminal goes on with its own session, though the other one's is newer", async () => {
  using dir = scratch();
  const at = (pane: string) => ({ env: { TMUX: "/x,1,0", TMUX_PANE: pane } });
  await pith(dir, ["-p", "in the first", ...scripted(dir, say("First."))], at("%1"));
  await pith(dir, ["-p", "in the second", ...scripted(dir, say("First."))], at("%2"));
  const [first = "", second = ""] = usual(dir);
  await pith(dir, ["-p", "more", "-c", ...scripted(dir, say("First."), say("Second."))], at("%1"));
  expect(roles(first)).toHaveLength(4);
  expect(roles(second)).toHaveLength(2);
  await pith(dir, ["-p", "more", "-c", ...scripted(dir, say("First."), say("Second."))], at("%2"));
  expect(roles(second)).toHaveLength(4);
  const other = await pith(
    dir,
    ["-p", "more", "-c", ...scripted(dir, say("First."), say("Second."), say("Third."))],
    at("%3"),
  );
  expect(other).toMatchObject({ code: 0, out: "Third.\n" });
  expect(roles(second)).toHaveLength(6);
});

test("-r alone lists what there is to go on with here", async () => {
  using dir = scratch();
  await pith(dir, ["-p", "find me again", ...scripted(dir, say("First."))]);
  const [file = ""] = usual(dir);
  const listed = await pith(dir, ["-r"]);
  expect(listed).toMatchObject({
    code: 2,
    err: "pith: say which one to go on with: pith -r <the beginning of its id>\n",
  });
  expect(listed.out).toContain("find me again");
  expect(listed.out).toStartWith(idOf(file).slice(0, 8));
});

test("what could not be recorded is saved elsewhere at the end, and goes on from there", async () => {
  using dir = scratch();
  dir.write({ "work/kept": "a file, where a folder should be" });
  const ended = await pith(dir, ["-p", "one", "--session-dir", "kept", ...scripted(dir, say("First."))]);
  expect(ended).toMatchObject({ code: 0, out: "First.\n" });
  const saved = /was saved to (\S+);/.exec(ended.err)?.[1] ?? "";
  try {
    expect(roles(saved)).toEqual(["user", "assistant"]);
    expect(await pith(dir, ["-p", "two", "-r", saved, ...scripted(dir, say("First."), say("Second."))])).toMatchObject({
      code: 0,
      out: "Second.\n",
    });
    expect(roles(saved)).toEqual(["user", "assistant", "user", "assistant"]);
  } finally {
    rmSync(saved, { force: true });
    rmSync(`${saved}.idx`, { force: true });
  }
});

test("a session that could not be opened for want of a model is not left locked", async () => {
  using dir = scratch();
  await pith(dir, ["-p", "one", ...scripted(dir, say("First."))]);
  expect(await pith(dir, ["-p", "two", "-c", "--model", "nobody/x"])).toMatchObject({ code: 2 });
  const [file = ""] = usual(dir);
  expect(existsSync(`${file}.lock`)).toBe(false);
});
