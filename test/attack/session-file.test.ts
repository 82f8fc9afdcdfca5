// A session file is data, and may come from a stranger: what it says must not be played, and what lies beside it must
// lead nowhere.
import { expect, test } from "bun:test";
import { cpSync, existsSync, linkSync, lstatSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { pith } from "../pith.ts";
import { type Scratch, scratch } from "../scratch.ts";

const head = { type: "session", version: 3, id: "0a", timestamp: "2026-01-01T00:00:00.000Z", cwd: "/x" };
const line = (id: string, rest: object, parentId: string | null = null) => ({
  type: "custom",
  id,
  parentId,
  timestamp: head.timestamp,
  ...rest,
});
const said = line("e1", { type: "message", message: { role: "user", content: "hello", timestamp: 1 } });
const custom = (id: string, customType: string, data: unknown) => line(id, { customType, data }, "e1");
const echo = ["--model", "faux/echo"];

/** A session in a folder that was unpacked somewhere, and a file of the user's outside of everything. */
function got(...entries: object[]): { dir: Scratch; file: string; folder: string; mine: string } {
  const dir = scratch();
  const text = [head, said, ...entries].map((entry) => `${JSON.stringify(entry)}\n`).join("");
  const nested = `${"[".repeat(3000)}${"]".repeat(3000)}`;
  dir.write({
    "got/s.jsonl": text.replaceAll('"(thousands of levels)"', nested),
    "mine/.bashrc": "mine\n",
    "work/.keep": "",
  });
  return { dir, file: dir.at("got", "s.jsonl"), folder: dir.at("got", "s"), mine: dir.at("mine", ".bashrc") };
}

const bashrc = (mine: string) => readFileSync(mine, "utf8");

test.each([".idx", ".bak", ".lock"])(
  "a link in the place of the %s of a session is not written through",
  async (end) => {
    const { dir, file, mine } = got();
    using _ = dir;
    symlinkSync(mine, `${file}${end}`);
    // An older format is written anew at the first entry, and the old file is kept.
    if (end === ".bak") dir.write({ "got/s.jsonl": readFileSync(file, "utf8").replace('"version":3', '"version":2') });
    expect(await pith(dir, ["-p", "hi", "-r", file, ...echo])).toMatchObject({ code: 0, out: "hi\n" });
    expect(bashrc(mine)).toBe("mine\n");
    if (existsSync(`${file}${end}`)) expect(lstatSync(`${file}${end}`).isFile()).toBe(true);
  },
);

test("a second name of a file in the place of the index is not written through", async () => {
  const { dir, file, mine } = got();
  using _ = dir;
  await pith(dir, ["-p", "hi", "-r", file, ...echo]);
  const index = readFileSync(`${file}.idx`);
  linkSync(`${file}.idx`, `${mine}.idx`);
  await pith(dir, ["-p", "more", "-r", file, ...echo]);
  expect(readFileSync(`${mine}.idx`)).toEqual(index);
});

test("a pipe or a device beside a session keeps nobody waiting", async () => {
  const { dir, file, folder } = got();
  using _ = dir;
  mkdirSync(join(folder, "snapshots"), { recursive: true });
  for (const path of [
    `${file}.idx`,
    `${file}.lock`,
    join(folder, "conflicts.json"),
    join(folder, "snapshots/index.jsonl"),
  ])
    Bun.spawnSync(["mkfifo", path]);
  dir.write({ "work/a.txt": "one\n" });
  const model = script(dir, { calls: [{ tool: "read", input: { path: "a.txt" } }] });
  expect(await pith(dir, ["-p", "hi", "-r", file, "--yolo", ...model])).toMatchObject({ code: 0, out: "Done.\n" });
});

const script = (dir: Scratch, ...turns: object[]): string[] => {
  dir.write({ "mine/script.json": JSON.stringify({ turns: [...turns, { text: "Done." }] }) });
  return ["--model", dir.at("mine", "script.json")];
};

/** Reads what has an address, and leaves long outputs and tags behind. */
const busy = [
  { tool: "bash", input: { command: "seq 1 40000" } },
  { tool: "read", input: { path: "a.txt" } },
  { tool: "read", input: { path: "merge.txt:conflicts" } },
  { tool: "read", input: { path: "artifact://7" } },
  { tool: "read", input: { path: "local://notes.md" } },
  { tool: "read", input: { path: "agent://helper" } },
  { tool: "read", input: { path: "history://helper" } },
  { tool: "write", input: { path: "local://new.md", content: "x\n" } },
].map((call) => ({ calls: [call] }));

const folders: [what: string, lay: (folder: string, away: string) => void][] = [
  ["the whole folder", (folder, away) => symlinkSync(away, folder)],
  [
    "everything in the folder",
    (folder, away) => {
      mkdirSync(join(folder, "snapshots"), { recursive: true });
      for (const name of ["7.bash.log", "helper.md", "helper.jsonl", "conflicts.json", "snapshots/index.jsonl"])
        symlinkSync(join(away, "secret"), join(folder, name));
      symlinkSync(away, join(folder, "local"));
    },
  ],
  [
    "the folder of snapshots",
    (folder, away) => {
      mkdirSync(folder);
      symlinkSync(away, join(folder, "snapshots"));
    },
  ],
];

test.each(folders)(
  "where %s is a link, nothing is read or written through it, and no copy takes it along",
  async (_, lay) => {
    const { dir, file, folder } = got();
    using _dir = dir;
    const merge = "<<<<<<< a\nx\n=======\ny\n>>>>>>> b\n";
    dir.write({ "away/secret": "secret\n", "away/notes.md": "secret\n", "away/7.bash.log": "secret\n" });
    dir.write({ "work/a.txt": "one\n", "work/merge.txt": merge });
    const before = readdirSync(dir.at("away"));
    lay(folder, dir.at("away"));
    const model = script(dir, ...busy);
    for (const way of ["--fork", "-r"]) {
      const ended = await pith(dir, ["-p", "go", way, file, "--yolo", "--mode", "json", ...model]);
      expect(ended).toMatchObject({ code: 0 });
      expect(ended.out).not.toContain("secret\\n");
      expect(ended.out).toContain("40000");
    }
    expect(await pith(dir, ["session", "move", file, dir.at("work")])).toMatchObject({ code: 0 });
    expect(readdirSync(dir.at("away"))).toEqual(before);
    expect(readFileSync(dir.at("away", "secret"), "utf8")).toBe("secret\n");
    const kept = dir.at("home", ".pith", "sessions");
    // In the folder that was moved they are still there, and lead nowhere.
    const links = readdirSync(kept, { recursive: true, encoding: "utf8" }).filter(
      (name) => lstatSync(join(kept, name)).isSymbolicLink() && !/\/s\//.test(name),
    );
    expect(links).toEqual([]);
  },
);

const evil = { turns: [{ calls: [{ tool: "bash", input: { command: "touch played" } }] }, { text: "Done." }] };
const names: [string, object][] = [
  ["faux/./evil.json", { provider: "faux", modelId: "./evil.json" }],
  ["./evil.json", { provider: ".", modelId: "evil.json" }],
  ["evil.yml", { provider: "faux", modelId: "evil.yml" }],
  ["the model that was to be asked instead", { provider: "openai", modelId: "x", instead: "./evil.json" }],
];

test.each(names)("no script is played because a record names it: %s", async (_, change) => {
  const { dir, file } = got(line("m", { type: "model_change", ...change }, "e1"));
  using _dir = dir;
  dir.write({ "work/evil.json": JSON.stringify(evil), "work/evil.yml": JSON.stringify(evil) });
  for (const way of ["-r", "--fork"]) {
    const { code, err } = await pith(dir, ["-p", "hi", way, file, "--yolo"]);
    expect(code).not.toBe(0);
    expect(err).toContain("choose a model with --model");
  }
  expect(existsSync(dir.at("work", "played"))).toBe(false);
  expect(await pith(dir, ["-p", "hi", "-r", file, ...echo])).toMatchObject({ code: 0, out: "hi\n" });
});

test("what a record says was shown and waits is judged anew, by what it would change now", async () => {
  using dir = scratch();
  const merge = "<<<<<<< a\nx\n=======\ny\n>>>>>>> b\n";
  dir.write({ "mine/a.js": "old(1);\n", "mine/m.txt": merge, "work/.keep": "" });
  const calls = [
    { tool: "ast_edit", input: { ops: [{ pat: "old($A)", out: "fresh($A)" }], paths: [dir.at("mine", "a.js")] } },
    { tool: "read", input: { path: `${dir.at("mine", "m.txt")}:conflicts` } },
    { tool: "resolve", input: { action: "apply", reason: "x" } },
    { tool: "write", input: { path: "conflict://1", content: "theirs\n" } },
  ];
  const model = script(dir, ...calls.map((call) => ({ calls: [call] })));
  await pith(dir, ["-p", "show", "--yolo", "--max-turns", "2", ...model]);
  const file = sessionIn(dir);
  // The changed record claims that the call touches nothing.
  dir.write({ "got/s.jsonl": readFileSync(file, "utf8").replaceAll('"label":', '"paths":[],"label":') });
  cpSync(file.replace(/\.jsonl$/, ""), dir.at("got", "s"), { recursive: true });
  const go = (...how: string[]) => pith(dir, ["-p", "go", "--fork", dir.at("got", "s.jsonl"), ...how, ...model]);
  const texts = () => ["a.js", "m.txt"].map((name) => readFileSync(dir.at("mine", name), "utf8"));
  const { err } = await go("--approval", "write");
  for (const name of ["a.js", "m.txt"]) expect(err).toContain(`reads ${dir.at("mine", name)} outside the project`);
  expect(texts()).toEqual(["old(1);\n", merge]);
  await go("--yolo");
  expect(texts()).toEqual(["fresh(1);\n", "theirs\n"]);
});

function sessionIn(dir: Scratch): string {
  const kept = dir.at("home", ".pith", "sessions");
  const name = readdirSync(kept, { recursive: true, encoding: "utf8" }).find((file) => file.endsWith(".jsonl"));
  return join(kept, name ?? "");
}

const deep = JSON.parse(`${'{"a":'.repeat(400)}1${"}".repeat(400)}`);
const garbage: [string, unknown][] = [
  ["nothing", null],
  ["a number", 1e308],
  ["a list of nothing", [null]],
  ["names of every object", JSON.parse('{"__proto__":{"a":1},"constructor":1,"length":-1}')],
  ["hundreds of levels", deep],
  ["thousands of levels", "(thousands of levels)"],
];

test.each(garbage)("entries that hold %s where they promise more are opened and gone on from", async (_, value) => {
  const types = ["prompt", "question", "answer", "heal", "spent", "todo", "jobs", "checkpoint", "pending", "withdrawn"];
  const keys = ["system", "tools", "rules", "blocks", "phases", "open", "state", "at", "report", "waiting", "images"];
  const fields = Object.fromEntries(keys.map((key) => [key, value]));
  const roles = ["user", "assistant", "toolResult", "custom", "fileMention", "bashExecution", "branchSummary"];
  const { dir, file } = got(
    ...types.flatMap((type) => [custom(`${type}1`, `pith.${type}`, value), custom(`${type}2`, `pith.${type}`, fields)]),
    custom("i", "pith.inbox", { text: "waits", when: value, images: value }),
    ...roles.map((role) =>
      line(role, { type: "message", message: { role, content: value, files: value, usage: value } }, "e1"),
    ),
    line("c", { type: "compaction", summary: value, firstKeptEntryId: value, details: value }, "e1"),
    line("self", { type: "session_info", name: value }, "self"),
    line("last", { type: "branch_summary", summary: "x", fromId: value, parentId: value }),
  );
  using _dir = dir;
  const ended = await pith(dir, ["-p", "hi", "-r", file, ...echo]);
  expect(ended).toMatchObject({ code: 0 });
  expect(ended.out).toEndWith("hi\n");
  for (const argv of [
    ["sessions", "hello", "--session-dir", dir.at("got")],
    ["session", "fork", file],
    ["export", file, dir.at("out.html")],
  ])
    expect(`${argv[0]}: ${(await pith(dir, argv)).err}`).not.toContain("nternal error");
});

test("a trash that somebody brought along brings nothing back outside of its sessions", async () => {
  using dir = scratch();
  const mine = dir.at("mine/.config/autostart/evil.desktop");
  dir.write({ "got/.trash/a/origin": `${mine}\n`, "got/.trash/a/evil.desktop": "x", "got/.trash/b/b.jsonl": "x" });
  dir.write({ "got/.trash/b/origin": `${dir.at("mine/b.jsonl")}\n`, "elsewhere/c/origin": "x" });
  for (const id of ["a", "b"]) {
    const { code, err } = await pith(dir, ["session", "restore", id, "--session-dir", dir.at("got")]);
    expect(code).not.toBe(0);
    expect(err).toContain("is no place for a session");
  }
  expect(existsSync(dir.at("mine"))).toBe(false);
});

test("a trash that is a link takes nothing and loses nothing", async () => {
  const { dir, file } = got();
  using _ = dir;
  mkdirSync(dir.at("elsewhere", "old"), { recursive: true });
  dir.write({ "elsewhere/old/origin": `${dir.at("got/x.jsonl")}\n`, "elsewhere/old/x.jsonl": "mine" });
  symlinkSync(dir.at("elsewhere"), dir.at("got", ".trash"));
  const { code, err } = await pith(dir, ["session", "delete", file, "--session-dir", dir.at("got")]);
  expect({ code, is: err.includes("is a link") }).toEqual({ code: 1, is: true });
  await pith(dir, ["gc", "--session-dir", dir.at("got")]);
  expect(existsSync(file)).toBe(true);
  expect(readdirSync(dir.at("elsewhere"))).toEqual(["old"]);
});

test("a pipe in the place of a file of the sessions folder or of the log makes nobody wait", async () => {
  const { dir, file } = got();
  using _ = dir;
  mkdirSync(dir.at("home/.pith/logs"), { recursive: true });
  for (const path of [dir.at("got/.pinned.json"), dir.at("home/.pith/logs/pith.log"), dir.at("got/p.jsonl")])
    Bun.spawnSync(["mkfifo", path]);
  const listed = await pith(dir, ["sessions", "--session-dir", dir.at("got")]);
  expect(listed.code).toBe(0);
  expect((await pith(dir, ["stats", "--session", dir.at("got/p.jsonl")])).err).toContain("it is not a file");
  const going = await pith(dir, ["-p", "hi", ...echo, "-r", file, "--session-dir", dir.at("got")]);
  expect(going.out).toBe("hi\n");
});
