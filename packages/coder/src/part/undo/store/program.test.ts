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
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { Undo } from "./undo.ts";

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

function layOut(): void {
  rmSync(root, { recursive: true, force: true });
  mkdirSync(join(root, "src"), { recursive: true });
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

const open = () =>
  new Undo({
    root,
    home: join(base, `home-${crypto.randomUUID()}`),
    env: { PATH: process.env.PATH, HOME: base },
    limits: { maxFile: 1e6, maxIgnored: 1e5, maxEntries: 1000, maxBytes: 1e9 },
    cover: "everything",
    now: () => Date.now(),
    skip: [],
    keep: { ageMs: 1e12, bytes: 1e9 },
  });

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

function attempt(path: string, text: string): void {
  try {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  } catch {
    // A file or directory stands in the way.
  }
}
