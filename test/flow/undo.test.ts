// The model's changes to the work tree, undone through the real program.
import { expect, test } from "bun:test";
import {
  chmodSync,
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { need } from "../need.ts";
import { pith, scripted } from "../pith.ts";
import { type Scratch, scratch } from "../scratch.ts";

const withGit = test.skipIf(need("git") !== undefined);

const bash = (command: string) => ({ tool: "bash", input: { command } });
const write = (path: string, content: string) => ({ tool: "write", input: { path, content } });

/** Runs one prompt whose turn makes these calls, one after the other. */
async function play(dir: Scratch, asked: string, ...calls: { tool: string; input: Record<string, unknown> }[]) {
  const done = await pith(dir, [
    "-p",
    "--yolo",
    ...scripted(dir, ...calls.map((call) => ({ calls: [call] })), { text: "done" }),
    asked,
  ]);
  expect(done).toMatchObject({ code: 0, out: "done\n" });
  return done;
}

/** Everything below a folder but `.git`: kind, mode, content. */
function picture(dir: string, way = ""): string[] {
  return readdirSync(dir)
    .filter((name) => name !== ".git")
    .toSorted()
    .flatMap((name) => {
      const full = join(dir, name);
      const stat = lstatSync(full);
      const mode = (stat.mode & 0o7777).toString(8);
      if (stat.isSymbolicLink()) return [`${way}${name} -> ${readlinkSync(full)}`];
      if (stat.isDirectory()) return [`${way}${name}/ ${mode}`, ...picture(full, `${way}${name}/`)];
      return [`${way}${name} ${mode} ${readFileSync(full, "utf8")}`];
    });
}
const text = (dir: Scratch, name: string) => readFileSync(dir.at("work", name), "utf8");

test("one call of pith undo takes back one turn, what commands did included, and redo puts it back", async () => {
  using dir = scratch();
  dir.write({ "work/.keep": "", "work/a.txt": "a\n", "work/old/b.txt": "b\n", "work/.env": "KEY=1\n" });
  chmodSync(dir.at("work", "a.txt"), 0o640);
  const first = picture(dir.at("work"));
  await play(
    dir,
    "first",
    write("a.txt", "A\n"),
    bash("rm .env; mv old new; mkdir -p empty; ln -s a.txt link; chmod 755 a.txt"),
  );
  const second = picture(dir.at("work"));
  await play(dir, "second", bash("echo more >> a.txt; rm -r new link"));
  const third = picture(dir.at("work"));
  expect((await pith(dir, ["changes"])).out).toMatch(/^ {2}1 .* "second"\n {2}2 .* "first"\n$/);

  const [newest] = (await pith(dir, ["changes", "--json"])).out.split("\n");
  expect(JSON.parse(newest ?? "")).toMatchObject({
    asked: "second",
    state: "done",
    added: 1,
    removed: 2,
    calls: [{ tool: "bash", added: 1, removed: 2 }],
  });

  const undone = await pith(dir, ["undo"]);
  expect(undone).toMatchObject({
    code: 0,
    err: "",
    out: expect.stringMatching(/^Undid "second" \(session [0-9a-f-]{13}\) \(4 files\):\n/),
  });
  expect(picture(dir.at("work"))).toEqual(second);
  await pith(dir, ["undo"]);
  expect(picture(dir.at("work"))).toEqual(first);
  expect(await pith(dir, ["undo"])).toMatchObject({ code: 0, out: "There is nothing to undo.\n" });
  await pith(dir, ["redo"]);
  expect(picture(dir.at("work"))).toEqual(second);
  await pith(dir, ["redo"]);
  expect(picture(dir.at("work"))).toEqual(third);
  await pith(dir, ["undo", "--to", "2"]);
  expect(picture(dir.at("work"))).toEqual(first);
  for (let i = 0; i < 2; i++) await pith(dir, ["redo"]);
  const began = JSON.parse((await pith(dir, ["changes", "--json"])).out.trimEnd().split("\n").at(-1) ?? "").at;
  expect(await pith(dir, ["undo", "--before", began])).toMatchObject({ code: 0 });
  expect(picture(dir.at("work"))).toEqual(first);
  expect(await pith(dir, ["undo", "--before", "nothing"])).toMatchObject({ code: 2 });
});

test("a turn that only reads leaves nothing to undo", async () => {
  using dir = scratch();
  dir.write({ "work/a.txt": "a\n" });
  await play(dir, "look", { tool: "read", input: { path: "a.txt" } });
  expect((await pith(dir, ["changes"])).out).toBe("Nothing was changed here.\n");
});

test("what a person changed since is left alone and named", async () => {
  using dir = scratch();
  dir.write({ "work/a.txt": "a\n", "work/b.txt": "b\n", "work/c.txt": "c\n" });
  await play(dir, "change", write("a.txt", "A\n"), bash("echo B > b.txt; rm c.txt"));
  writeFileSync(dir.at("work", "b.txt"), "mine\n");
  writeFileSync(dir.at("work", "c.txt"), "new\n");
  const undone = await pith(dir, ["undo"]);
  expect(undone.code).toBe(1);
  expect(undone.out.replace(/ \(session [0-9a-f-]{13}\)/, "")).toBe(
    'Undid "change" (1 file):\n  a.txt\nLeft alone:\n  b.txt: it was changed since\n  c.txt: it was changed since\n' +
      "pith undo --force undoes it all the same, and pith redo brings back what stood there; " +
      "pith changes <n> --keep leaves it as it is.\n",
  );
  expect([text(dir, "a.txt"), text(dir, "b.txt"), text(dir, "c.txt")]).toEqual(["a\n", "mine\n", "new\n"]);
  // What is left of the turn stays the next thing to undo.
  expect(await pith(dir, ["undo"])).toMatchObject({ code: 1, out: expect.stringContaining('Nothing of "change"') });
  expect(await pith(dir, ["undo", "--force"])).toMatchObject({ code: 0, out: expect.stringContaining("(2 files)") });
  expect([text(dir, "a.txt"), text(dir, "b.txt"), text(dir, "c.txt")]).toEqual(["a\n", "b\n", "c\n"]);
  expect((await pith(dir, ["undo"])).out).toBe("There is nothing to undo.\n");
  await pith(dir, ["redo"]);
  expect([text(dir, "a.txt"), text(dir, "b.txt"), text(dir, "c.txt")]).toEqual(["a\n", "mine\n", "new\n"]);
});

test("an undo that takes nothing back changes nothing and never goes on to an older turn", async () => {
  using dir = scratch();
  await play(dir, "make b", write("b.txt", "b\n"));
  await play(dir, "write a", write("a.txt", "a\n"));
  writeFileSync(dir.at("work", "a.txt"), "a\nmine\n");
  for (let i = 0; i < 3; i++) {
    const said = await pith(dir, ["undo"]);
    expect([i, said.code, said.out]).toEqual([
      i,
      1,
      expect.stringMatching(/^Nothing of "write a".*pith undo --force/s),
    ]);
    expect([text(dir, "a.txt"), text(dir, "b.txt")]).toEqual(["a\nmine\n", "b\n"]);
  }
  expect((await pith(dir, ["changes"])).out).not.toContain("undone");
  expect(await pith(dir, ["undo", "--file", "a.txt"])).toMatchObject({ code: 1 });
  expect(await pith(dir, ["undo", "--force"])).toMatchObject({ code: 0, out: expect.stringContaining("  a.txt\n") });
  expect([existsSync(dir.at("work", "a.txt")), text(dir, "b.txt")]).toEqual([false, "b\n"]);
  // The person's version comes back, and the turn can be undone again.
  expect(await pith(dir, ["redo"])).toMatchObject({ code: 0 });
  expect(text(dir, "a.txt")).toBe("a\nmine\n");
  expect(await pith(dir, ["undo"])).toMatchObject({ code: 1, out: expect.stringContaining('Nothing of "write a"') });
  await pith(dir, ["undo", "--force", "--file", "a.txt"]);
  expect(existsSync(dir.at("work", "a.txt"))).toBe(false);
  expect((await pith(dir, ["undo"])).out).toContain('"make b"');
  expect(existsSync(dir.at("work", "b.txt"))).toBe(false);
  // A redo that puts nothing back stays redoable, too.
  writeFileSync(dir.at("work", "b.txt"), "other\n");
  for (let i = 0; i < 2; i++)
    expect(await pith(dir, ["redo"])).toMatchObject({ code: 1, out: expect.stringContaining('Nothing of "make b"') });
  expect(await pith(dir, ["redo", "--force"])).toMatchObject({ code: 0 });
  expect(text(dir, "b.txt")).toBe("b\n");
  await pith(dir, ["redo"]);
  expect(text(dir, "b.txt")).toBe("other\n");
});

test("a person's edit between two turns is not the model's", async () => {
  using dir = scratch();
  dir.write({ "work/a.txt": "a\n", "work/b.txt": "b\n" });
  await play(dir, "one", write("a.txt", "A\n"));
  writeFileSync(dir.at("work", "b.txt"), "mine\n");
  await play(dir, "two", bash("echo x > new.txt"));
  await pith(dir, ["undo"]);
  await pith(dir, ["undo"]);
  expect([text(dir, "a.txt"), text(dir, "b.txt"), existsSync(dir.at("work", "new.txt"))]).toEqual([
    "a\n",
    "mine\n",
    false,
  ]);
});

test("one file, or one hunk of a file, can be taken back, also when a person changed other lines since", async () => {
  using dir = scratch();
  const lines = Array.from({ length: 40 }, (_, i) => `line ${i + 1}\n`);
  dir.write({ "work/a.txt": lines.join(""), "work/b.txt": "b\n" });
  const changed = lines.join("").replace("line 3\n", "THREE\n").replace("line 30\n", "");
  await play(dir, "both", write("a.txt", changed), write("b.txt", "B\n"));
  const shown = await pith(dir, ["changes", "1"]);
  expect(shown.out).toContain("modified a.txt +1 -2 (2 hunks)\n");
  expect(shown.out).toMatch(/@@ hunk 1\n[\s\S]*@@ hunk 2\n/);
  expect(await pith(dir, ["undo", "--file", "none.txt"])).toMatchObject({
    code: 1,
    err: 'pith: there is nothing to undo at none.txt in the turn "both"\n',
  });
  await pith(dir, ["undo", "--file", "b.txt"]);
  expect([text(dir, "a.txt"), text(dir, "b.txt")]).toEqual([changed, "b\n"]);
  writeFileSync(dir.at("work", "a.txt"), `${changed}mine\n`);
  expect(await pith(dir, ["undo", "--file", "a.txt", "--hunk", "2"])).toMatchObject({
    code: 0,
    out: "Undid hunk 2 of a.txt.\n",
  });
  expect(text(dir, "a.txt")).toBe(`${lines.join("").replace("line 3\n", "THREE\n")}mine\n`);
  expect(await pith(dir, ["undo", "--file", "a.txt", "--hunk", "9", "--turn", "1"])).toMatchObject({
    code: 1,
    err: expect.stringContaining("has no hunk 9"),
  });
});

withGit("the user's repository is as it was, whatever the model did to the files", async () => {
  using dir = scratch();
  dir.write({ "work/.keep": "", "work/a.txt": "a\n", "work/sub/b.txt": "b\n" });
  const git = (...argv: string[]) =>
    Bun.spawnSync(["git", "-c", "user.name=x", "-c", "user.email=x", ...argv], {
      cwd: dir.at("work"),
      env: { PATH: process.env.PATH ?? "", HOME: dir.at("home") },
    }).stdout.toString();
  git("init", "-q");
  git("add", "-A");
  git("commit", "-q", "-m", "first");
  writeFileSync(dir.at("work", "a.txt"), "staged\n");
  git("add", "a.txt");
  writeFileSync(dir.at("work", "a.txt"), "not staged\n");
  const state = () => [
    git("status", "--porcelain"),
    git("rev-parse", "HEAD"),
    git("for-each-ref"),
    git("stash", "list"),
    git("diff", "--cached"),
    git("config", "--list", "--local"),
  ];
  const before = [state(), picture(dir.at("work"))];
  await play(dir, "work", write("sub/b.txt", "B\n"), bash("rm a.txt; echo n > new.txt; GIT_DIR=/nowhere true"));
  await pith(dir, ["undo"], { env: { GIT_DIR: "/nowhere", GIT_WORK_TREE: "/", GIT_INDEX_FILE: "/nowhere/index" } });
  expect([state(), picture(dir.at("work"))]).toEqual(before);
});

test("in a subdirectory of a repository all of the repository is covered", async () => {
  using dir = scratch();
  dir.write({ "work/.git/HEAD": "ref: refs/heads/x\n", "work/top.txt": "top\n", "work/sub/.keep": "" });
  const model = scripted(dir, { calls: [bash("rm ../top.txt")] }, { text: "done" });
  await pith(dir, ["-p", "--yolo", "--cwd", "sub", ...model, "go"]);
  expect(existsSync(dir.at("work", "top.txt"))).toBe(false);
  await pith(dir, ["undo", "--cwd", "sub"]);
  expect(text(dir, "top.txt")).toBe("top\n");
});

test("a file outside the project that a tool wrote is taken back too", async () => {
  using dir = scratch();
  dir.write({ "work/.keep": "", "other/a.txt": "a\n" });
  await play(dir, "outside", write(dir.at("other", "a.txt"), "A\n"), write(dir.at("other", "new.txt"), "n\n"));
  expect(await pith(dir, ["undo"])).toMatchObject({ code: 0 });
  expect(picture(dir.at("other")).map((row) => row.split(" ").at(-1))).toEqual(["a\n"]);
});

test("with undo.cover own writes, what tools wrote comes back and what commands did is said not to", async () => {
  using dir = scratch();
  dir.write({ "work/a.txt": "a\n", "work/b.txt": "b\n", "home/.pith/config.yml": "undo.cover: own writes\n" });
  const done = await play(dir, "go", write("a.txt", "A\n"), bash("rm b.txt"));
  expect(done.err).toContain("not what commands do");
  await pith(dir, ["undo"]);
  expect([text(dir, "a.txt"), existsSync(dir.at("work", "b.txt"))]).toEqual(["a\n", false]);
});

test("large files are named before the turn ends", async () => {
  using dir = scratch();
  dir.write({ "work/.keep": "", "home/.pith/config.yml": "undo.maxFileMB: 1\n" });
  writeFileSync(dir.at("work", "large.bin"), Buffer.alloc(1_100_000));
  const done = await play(dir, "go", bash("echo x > y"));
  expect(done.err).toContain("Not covered by undo: large.bin (large)");
});

test("an undo that was cut short is finished by the next one", async () => {
  using dir = scratch();
  dir.write({ "work/a.txt": "a\n", "work/b.txt": "b\n" });
  await play(dir, "go", write("a.txt", "A\n"), write("b.txt", "B\n"));
  // As after a crash: one file is back, nothing is recorded.
  writeFileSync(dir.at("work", "a.txt"), "a\n");
  expect(await pith(dir, ["undo"])).toMatchObject({
    code: 0,
    out: expect.stringMatching(/^Undid "go" \(session .*\) \(1 file\):\n {2}b\.txt\n$/),
  });
  expect([text(dir, "a.txt"), text(dir, "b.txt")]).toEqual(["a\n", "b\n"]);
});

test("a turn one is content with is no longer offered, and wrong calls say what is right", async () => {
  using dir = scratch();
  dir.write({ "work/a.txt": "a\n" });
  await play(dir, "go", write("a.txt", "A\n"));
  expect((await pith(dir, ["changes", "1", "--keep"])).out).toBe('Kept "go".\n');
  expect((await pith(dir, ["undo"])).out).toBe("There is nothing to undo.\n");
  expect(await pith(dir, ["undo", "--turn", "7"])).toMatchObject({
    code: 2,
    err: expect.stringContaining("there is no turn 7"),
  });
  expect(await pith(dir, ["undo", "the", "last", "commit"])).toMatchObject({
    code: 2,
    err: expect.stringContaining("pith -- undo"),
  });
  rmSync(dir.at("work", "a.txt"));
});

test("a turn that patched files from its shell needs only leave to write, and tells what it changed", async () => {
  using dir = scratch();
  dir.write({ "work/d/a.txt": "keep\n1\n2\n" });
  const patch =
    "cd d && apply_patch <<'EOF'\n*** Begin Patch\n*** Update File: a.txt\n-1\n-2\n+one\n+two\n+three\n*** End Patch\nEOF";
  const done = await pith(dir, [
    "-p",
    "--approval",
    "write",
    "--mode",
    "json",
    ...scripted(dir, { calls: [bash(patch)] }, { text: "done" }),
    "go",
  ]);
  const events = done.out
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  const files = [{ path: "d/a.txt", change: "modified", added: 3, removed: 2 }];
  const [told, ...more] = events.filter((event) => event.type === "files_changed" && event.final);
  const last = { type: "files_changed", turn: expect.any(String), files, final: true };
  expect({ told, more }).toEqual({ told: last, more: [] });
  expect(text(dir, "d/a.txt")).toBe("keep\none\ntwo\nthree\n");
  expect(JSON.parse((await pith(dir, ["changes", "--json"])).out)).toMatchObject({
    turn: told.turn,
    added: 3,
    removed: 2,
  });
  await pith(dir, ["undo"]);
  expect(text(dir, "d/a.txt")).toBe("keep\n1\n2\n");
});
