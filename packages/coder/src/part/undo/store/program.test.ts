// Random programs of edits, writes and shell commands; afterwards undo leaves the tree and the user's git as they were.
import { afterAll, expect, test } from "bun:test";
import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { Undo, type UndoOptions } from "./undo.ts";

const base = realpathSync(mkdtempSync(join(tmpdir(), "pith-program-")));
afterAll(() => rmSync(base, { recursive: true, force: true }));
const root = join(base, "project");
const env = {
  PATH: process.env.PATH ?? "",
  HOME: base,
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_AUTHOR_DATE: "2026-01-01T00:00:00Z",
  GIT_COMMITTER_DATE: "2026-01-01T00:00:00Z",
};
const sh = (command: string) =>
  Bun.spawnSync(["sh", "-c", command], { cwd: root, env, stderr: "ignore" }).stdout.toString();

function layOut(more = 0): void {
  rmSync(root, { recursive: true, force: true });
  mkdirSync(join(root, "src"), { recursive: true });
  for (let n = 0; n < more; n++) {
    mkdirSync(join(root, `many/m${n % 9}/n${n % 4}`), { recursive: true });
    const file = join(root, `many/m${n % 9}/n${n % 4}/f${n}`);
    writeFileSync(file, `file ${n}\n`.repeat(n % 40));
    // Older than git's index, which vouches for no others.
    utimesSync(file, 1000 + n, 1000 + n);
  }
  for (const [name, text] of Object.entries({
    "a.txt": "a\n",
    "src/b.ts": "b\r\n",
    "src/c.ts": "c",
    ".env": "K=1\n",
    ".gitignore": ".env\n",
  }))
    writeFileSync(join(root, name), text);
  sh(
    "git init -q && git add -A && git -c user.name=x -c user.email=x commit -qm x && echo staged > a.txt && git add a.txt && echo unstaged > a.txt && git stash list",
  );
}

function picture(dir = root): unknown[] {
  return readdirSync(dir)
    .filter((name) => name !== ".git")
    .toSorted()
    .map((name) => {
      const full = join(dir, name);
      const stat = lstatSync(full);
      if (stat.isSymbolicLink()) return [name, readlinkSync(full)];
      return stat.isDirectory() ? [name, stat.mode, picture(full)] : [name, stat.mode, readFileSync(full, "base64")];
    });
}
const gitState = () =>
  sh(
    "git status --porcelain=v2 --branch; git for-each-ref; git stash list; git ls-files -s; git config --list --local; cat .git/HEAD",
  );

const name = fc.constantFrom("a.txt", "src/b.ts", "src/c.ts", ".env", "new/deep/x", "y");
const write = fc.record({ path: name, text: fc.string({ maxLength: 8 }) });
const commands = fc.constantFrom(
  "rm -rf src",
  "mv src lib",
  "cp -r src copy",
  "chmod 700 a.txt",
  "chmod 755 src/* 2>/dev/null",
  "ln -sf a.txt link",
  "mkdir -p empty/inner",
  "rm -f .env a.txt",
  "for i in 1 2 3; do echo $i > f$i; done",
  "sed -i s/a/z/ a.txt",
  "find . -name '*.ts' -not -path './.git/*' -delete",
  "mv a.txt y; mkdir a.txt; echo in > a.txt/in",
  "true",
);
const turn = fc.array(fc.oneof(write, commands), { minLength: 1, maxLength: 4 });

const gitCommands = fc.constantFrom(
  "rm -rf .git",
  "rm -rf .git many",
  "git rm -rq --cached many && git gc -q --prune=now && rm -rf many/m1",
  "git stash -q",
  "git checkout -q -- .",
  "git mv many other && git add -A",
  "git gc -q",
  "git add -A && git -c user.name=x -c user.email=x commit -qm more",
  "sed -i s/file/line/ many/m3/n*/*",
  "rm -rf many/m2 && mkdir -p many/m2/n1 && echo new > many/m2/n1/f2",
  "mv many/m4 src/m4; chmod 700 src/m4/n0",
);

const homes = new WeakMap<Undo, string>();
const optionsIn = (home: string): UndoOptions => ({
  root,
  home,
  env: { PATH: process.env.PATH, HOME: base },
  limits: { maxFile: 1e6, maxIgnored: 1e5, maxEntries: 1000, maxBytes: 1e9 },
  cover: "everything",
  now: () => Date.now(),
  skip: [],
  keep: { ageMs: 1e12, bytes: 1e9 },
});
const open = () => {
  const home = join(base, `home-${crypto.randomUUID()}`);
  const undo = new Undo(optionsIn(home));
  homes.set(undo, home);
  return undo;
};
/** States of another process after this one. */
const options = (undo: Undo) => optionsIn(homes.get(undo) ?? "");

async function play(undo: Undo, call: string | { path: string; text: string }, turn: string): Promise<void> {
  const begun =
    typeof call === "string" ? await undo.begin("anything", []) : await undo.begin("paths", [join(root, call.path)]);
  if (typeof call === "string") sh(call);
  else attempt(join(root, call.path), call.text);
  undo.end(begun, { tool: "x", note: { turn, session: "s", asked: "" } });
}

/** Moves every turn there is; nothing may be left alone. */
function moveAll(undo: Undo, way: "undo" | "redo"): void {
  for (let next = undo.next(way); next; next = undo.next(way)) expect(undo.move(way, next).left).toEqual([]);
}

test("after any turns, undo restores tree, index and refs, and redo puts the changes back", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(turn, { minLength: 1, maxLength: 3 }), async (turns) => {
      layOut();
      const undo = open();
      const [tree, git] = [picture(), gitState()];
      for (const [i, calls] of turns.entries()) for (const call of calls) await play(undo, call, `t${i}`);
      await undo.settle();
      const done = picture();
      moveAll(undo, "undo");
      expect(picture()).toEqual(tree);
      expect(gitState()).toBe(git);
      moveAll(undo, "redo");
      expect(picture()).toEqual(done);
    }),
    { numRuns: 12 },
  );
}, 120_000);

for (const how of ["with git", "with git, packed", "without git"] as const)
  test(`${how}, undo of any commands over very many files gives the old tree, and redo the new one`, async () => {
    const [commandsThere, pack] = [how === "without git" ? commands : fc.oneof(commands, gitCommands), "git gc -q"];
    await fc.assert(
      fc.asyncProperty(fc.array(fc.oneof(write, commandsThere), { minLength: 1, maxLength: 5 }), async (calls) => {
        layOut(400);
        if (how === "without git") rmSync(join(root, ".git"), { recursive: true });
        if (how === "with git, packed") sh(pack);
        const undo = open();
        const tree = picture();
        for (const [i, call] of calls.entries()) await play(undo, call, `t${i}`);
        await undo.settle();
        await undo.close();
        const [done, later] = [picture(), new Undo(options(undo))];
        moveAll(later, "undo");
        expect(picture()).toEqual(tree);
        moveAll(later, "redo");
        expect(picture()).toEqual(done);
        await later.close();
      }),
      { numRuns: 8 },
    );
  }, 240_000);

function attempt(path: string, text: string): void {
  try {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  } catch {
    // A file or directory stands in the way.
  }
}
