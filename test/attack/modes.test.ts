// Files in pith's home are readable by their owner only, whatever the umask and the mode of the folder.
import { expect, test } from "bun:test";
import { chmodSync, lstatSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import { envOf, main, scripted } from "../pith.ts";
import { run, type Scratch, scratch } from "../scratch.ts";

const home = (dir: Scratch, ...names: string[]) => dir.at("home", ".pith", ...names);

const calls = [
  ["write", { path: "a.txt", content: "one\n" }],
  ["write", { path: "d/b.zip:c.txt", content: "two\n" }],
  ["bash", { command: "seq 1 200000; head -c 100000 /dev/urandom | base64 -w0" }],
  ["bash", { command: "echo job; sleep 0.1", async: true }],
  ["read", { path: "merge.txt:conflicts" }],
  ["write", { path: "local://note.md", content: "note\n" }],
  ["write", { path: "local://deep/er/note.md", content: "note\n" }],
  ["search", { pattern: "one", path: "." }],
  ["todo", { ops: [{ op: "init", list: [{ phase: "A", items: ["x"] }] }] }],
] as const;

/** Everything that leaves something behind, under this umask and in a home that all may enter. */
async function live(dir: Scratch, umask: string): Promise<string[]> {
  const merge = "<<<<<<< HEAD\nours\n=======\ntheirs\n>>>>>>> topic\n";
  dir.write({ "work/merge.txt": merge, "tmp/.keep": "", "home/.keep": "" });
  mkdirSync(home(dir));
  chmodSync(home(dir), 0o777);
  const pith = (argv: string[], input = "") =>
    run(["/bin/sh", "-c", `umask ${umask}; exec "$@"`, "sh", process.execPath, main, ...argv], {
      cwd: dir.at("work"),
      env: envOf(dir, { BUN_RUNTIME_TRANSPILER_CACHE_PATH: "0" }),
      input,
    });
  const turns = calls.map(([tool, input]) => ({ calls: [{ tool, input }] }));
  // The model is reminded of open work, and told of the end of the job.
  const model = scripted(dir, ...turns, ...Array.from({ length: 8 }, () => ({ text: "Done." })));
  expect(await pith(["-p", "go", "--yolo", ...model])).toMatchObject({ code: 0 });
  const id = /_([^_]+)\.jsonl$/.exec(filesIn(home(dir, "sessions")).find((file) => file.endsWith(".jsonl")) ?? "")?.[1];
  const more: [string[], string?][] = [
    [["sessions", "go"]],
    [["session", "rename", `${id}`, "name"]],
    [["session", "pin", `${id}`]],
    [["session", "fork", `${id}`]],
    [["config", "set", "approval.mode", "write"]],
    [["auth", "add", "anthropic"], "sk-ant-api03-key\n"],
    [["undo"]],
    [["session", "delete", `${id}`]],
  ];
  for (const [argv, input] of more) {
    const { code, err } = await pith(argv, input);
    expect({ argv, code, err }).toMatchObject({ argv, code: 0 });
  }
  return filesIn(home(dir));
}

const filesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name));

test.each(["000", "022"])(
  "with umask %s every file and folder of the home is the user's alone",
  async (umask) => {
    using dir = scratch();
    const files = await live(dir, umask);
    const names = files.map((file) => basename(file));
    for (const name of ["search.db", "config.yml", "agent.db", "origin", "note.md"]) expect(names).toContain(name);
    expect(files.length).toBeGreaterThan(20);
    const all = readdirSync(home(dir), { recursive: true }).map((name) => home(dir, `${name}`));
    expect(all).toContain(files.find((file) => file.endsWith("er/note.md"))?.replace(/\/note.md$/, "") ?? "");
    const open = all.filter((file) => (lstatSync(file).mode & 0o077) !== 0);
    expect(open.map((file) => file.slice(home(dir).length))).toEqual([]);
  },
  60_000,
);

test("a database that others could read is closed when it is opened, with the files beside it", async () => {
  using dir = scratch();
  dir.write({ "home/.pith/.keep": "" });
  const { openDatabase } = await import("../../packages/kit/src/index.ts");
  const file = home(dir, "search.db");
  for (let opened = 0; opened < 2; opened++) {
    const tables = ["CREATE TABLE IF NOT EXISTS t (a)", "INSERT INTO t VALUES (1)"];
    const database = await openDatabase(file, { version: 1, tables, journal: "write ahead" });
    for (const end of ["", "-wal", "-shm"]) expect([end, lstatSync(file + end).mode & 0o777]).toEqual([end, 0o600]);
    database.close();
    chmodSync(file, 0o644);
    for (const end of ["-wal", "-shm"]) rmSync(file + end, { force: true });
  }
});
