// Taking back what turns did: whose turns, what exactly, and what the model hears of it.
import { expect, test } from "bun:test";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { until } from "../../packages/kit/src/test/index.ts";
import { ask, model } from "../model.ts";
import { envOf, main, pith } from "../pith.ts";
import { type Scratch, scratch } from "../scratch.ts";
import { terminal } from "../terminal.ts";

const write = (path: string, content: string) => ({ tool: "write", args: { path, content } });
const bash = (command: string) => ({ tool: "bash", args: { command } });
const text = (dir: Scratch, name: string) => readFileSync(dir.at("work", name), "utf8");
const command = (dir: Scratch, typed: string, ...more: string[]) =>
  pith(dir, ["-p", ...more, "--model", "faux/echo", typed]);

test("redo puts back exactly what undo took", async () => {
  using dir = scratch();
  dir.write({ "work/a": "1\n", "work/b": "1\n", "work/c": "1\n" });
  using told = model({ calls: [write("a", "2\n"), write("b", "2\n"), bash("echo 2 > c; echo 2 > d")] }, { text: "ok" });
  await ask(dir, told, "change all");
  // A person brings b back by hand and goes on with c: neither is undo's.
  writeFileSync(dir.at("work", "b"), "1\n");
  writeFileSync(dir.at("work", "c"), "mine\n");
  const undone = await pith(dir, ["undo", "--json"]);
  expect(JSON.parse(undone.out)).toMatchObject({ restored: ["a", "d"] });
  writeFileSync(dir.at("work", "c"), "1\n");
  const redone = await pith(dir, ["redo", "--json"]);
  expect(JSON.parse(redone.out)).toMatchObject({ restored: ["a", "d"], left: [] });
  expect([text(dir, "a"), text(dir, "b"), text(dir, "c"), text(dir, "d")]).toEqual(["2\n", "1\n", "1\n", "2\n"]);
});

test("a file that was kept stays when its turn is taken back, and a name that no turn changed is refused", async () => {
  using dir = scratch();
  dir.write({ "work/a": "1\n", "work/b": "1\n" });
  using told = model({ calls: [write("a", "2\n"), write("b", "2\n"), write("new/c", "2\n")] }, { text: "ok" });
  await ask(dir, told, "change all");
  const kept = await pith(dir, ["changes", "1", "--keep", "--file", "a", "--file", "new", "--file", "nowhere"]);
  expect([kept.code, kept.out]).toEqual([1, 'Kept a of "change all".\nKept new, new/c of "change all".\n']);
  expect(kept.err).toContain('there is nothing to keep at nowhere in the turn "change all"');
  expect((await pith(dir, ["changes", "--file", "a"])).code).toBe(2);
  expect((await pith(dir, ["changes", "1"])).out).toMatch(/^modified a \+1 -1 \(1 hunk\) \(kept\)\n/);
  const named = await pith(dir, ["undo", "--file", "a"]);
  expect([named.code, named.out]).toEqual([1, expect.stringContaining("  a: it was kept\n")]);
  await pith(dir, ["undo"]);
  expect([text(dir, "a"), text(dir, "b"), text(dir, "new/c")]).toEqual(["2\n", "1\n", "2\n"]);
  expect((await pith(dir, ["undo"])).out).toBe("There is nothing to undo.\n");
  await pith(dir, ["redo"]);
  expect([text(dir, "a"), text(dir, "b"), text(dir, "new/c")]).toEqual(["2\n", "2\n", "2\n"]);
});

test("a turn whose changes cancel out is passed over", async () => {
  using dir = scratch();
  dir.write({ "work/a": "1\n" });
  using first = model({ calls: [write("a", "2\n")] }, { text: "ok" });
  await ask(dir, first, "really change it");
  using second = model({ calls: [bash("echo x > a")] }, { calls: [bash("echo 2 > a")] }, { text: "ok" });
  await ask(dir, second, "there and back");
  expect((await pith(dir, ["undo"])).out).toContain('"really change it"');
  expect(text(dir, "a")).toBe("1\n");
});

test("/undo takes back its own session's turns only, and says whose the newest change is", async () => {
  using dir = scratch();
  dir.write({ "work/mine": "1\n", "work/theirs": "1\n" });
  using one = model({ calls: [write("mine", "2\n")] }, { text: "ok" });
  await ask(dir, one, "my change");
  const [mine = ""] = [...new Bun.Glob("home/.pith/sessions/**/*.jsonl").scanSync({ cwd: dir.path, dot: true })];
  using two = model({ calls: [write("theirs", "2\n")] }, { text: "ok" });
  await ask(dir, two, "their change");

  const none = await command(dir, "/undo");
  expect(none.out).toMatch(/^There is nothing to undo\.\nThe newest change here is another session's: "their change"/);
  expect(text(dir, "theirs")).toBe("2\n");
  const own = await command(dir, "/undo", "-r", dir.at(mine));
  expect(own.out).toContain('Undid "my change" (1 file):\n  mine\n');
  expect(own.out).toContain("another session's");
  expect([text(dir, "mine"), text(dir, "theirs")]).toEqual(["1\n", "2\n"]);
  expect((await pith(dir, ["undo"])).out).toMatch(/^Undid "their change" \(session [0-9a-f-]{13}\) \(1 file\):/);
});

test("the model is told what /undo and /redo did, also in a later run", async () => {
  using dir = scratch();
  using told = model({ calls: [write("a", "2\n")] }, { text: "ok" }, { text: "I know." });
  await ask(dir, told, "make a");
  expect((await command(dir, "/undo", "-c")).out).toContain("Undid");
  await ask(dir, told, "-c", "go on");
  const note = told.asked.at(-1)?.said.find((said) => said.includes("undid what was done for"));
  expect(note).toContain('"make a"');
  expect(note).toContain("\na\n");
});

/** Runs `pith undo` until it finds something: the changes of a call are recorded during the next model request. */
async function tookBack(dir: Scratch): Promise<string> {
  for (;;) {
    const { out } = await pith(dir, ["undo"]);
    if (!out.startsWith("There is nothing to undo")) return out;
  }
}

test("a turn that is taken back while it runs can be taken back again for what it did later", async () => {
  using dir = scratch();
  dir.write({ "work/.keep": "", "tmp/.keep": "", "home/.keep": "" });
  let undone = Promise.resolve("");
  using told = model(
    { calls: [write("a", "first\n")] },
    async () => {
      undone = tookBack(dir);
      await undone;
      return { calls: [write("b", "second\n")] };
    },
    { text: "ok" },
  );
  await ask(dir, told, "make both");
  expect(await undone).toContain("(1 file)");
  expect([existsSync(dir.at("work", "a")), existsSync(dir.at("work", "b"))]).toEqual([false, true]);
  expect((await pith(dir, ["undo"])).out).toContain("  b\n");
  expect(existsSync(dir.at("work", "b"))).toBe(false);
  await pith(dir, ["redo"]);
  await pith(dir, ["redo"]);
  expect([text(dir, "a"), text(dir, "b")]).toEqual(["first\n", "second\n"]);
});

test("a turn is called by the prompt that began it, not by what was said on the way", async () => {
  using dir = scratch();
  const asked = Promise.withResolvers<void>();
  const steered = Promise.withResolvers<void>();
  using told = model(
    { calls: [write("a", "1\n")] },
    async () => {
      asked.resolve();
      await steered.promise;
      return { calls: [write("b", "1\n")] };
    },
    { text: "Both are there." },
  );
  const desk = terminal(dir, ["--yolo", ...told.argv], told.env);
  await desk.waits();
  desk.type("make a\n");
  await asked.promise;
  desk.type("and b\n");
  await desk.sees("next: and b");
  steered.resolve();
  await desk.sees("Both are there.");
  await desk.waits();
  desk.type("/undo\n");
  await desk.sees('Undid "make a" (2 files):');
  desk.type("\u0004");
  await desk.child.exited;
});

test("programs hear of changes while the turn goes on, and which word is the last", async () => {
  using dir = scratch();
  dir.write({ "work/.keep": "", "tmp/.keep": "", "home/.keep": "" });
  let out = "";
  const changes = () =>
    out
      .split("\n")
      .filter((line) => line.includes('"files_changed"'))
      .map((line) => JSON.parse(line));
  using told = model(
    { calls: [write("a", "1\n2\n")] },
    async () => {
      await until(() => changes().length > 0, "the first change");
      return { calls: [write("b", "1\n")] };
    },
    { text: "ok" },
  );
  const argv = ["-p", "--yolo", "--mode", "json", ...told.argv, "go"];
  const child = Bun.spawn([process.execPath, main, ...argv], {
    cwd: dir.at("work"),
    env: envOf(dir, told.env),
    stdout: "pipe",
    stderr: "ignore",
  });
  for await (const chunk of child.stdout) out += Buffer.from(chunk).toString();
  const [first, ...rest] = changes();
  expect(first).toMatchObject({ files: [{ path: "a", change: "added", added: 2, removed: 0 }] });
  expect(first.final).toBeUndefined();
  expect(rest.at(-1)).toMatchObject({ turn: first.turn, final: true, files: [{ path: "a" }, { path: "b" }] });
  expect(rest.filter(({ final }) => final)).toHaveLength(1);
});
