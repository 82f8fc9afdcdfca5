// Containers and odd hosts: each works, or says in one line what is missing.
import { expect, setDefaultTimeout, test } from "bun:test";
import { chmodSync, readdirSync } from "node:fs";
import { need } from "../need.ts";
import { program } from "../pith.ts";
import { run, type Scratch, scratch } from "../scratch.ts";

setDefaultTimeout(60_000);

const script = {
  turns: [
    { calls: [{ tool: "write", input: { path: "made.txt", content: "made\n" } }] },
    { calls: [{ tool: "bash", input: { command: "cat made.txt" } }] },
    { calls: [{ tool: "search", input: { pattern: "made" } }] },
    { text: "Done." },
  ],
};

interface Odd {
  /** Command in front of pith's own. */
  before?: string[];
  /** Shell lines that change the machine that this run sees. */
  shell?: string;
  env?: Record<string, string>;
}

function prepared(): Scratch {
  const dir = scratch();
  dir.write({ "script.json": JSON.stringify(script), "work/.keep": "", "home/.keep": "", "tmp/.keep": "" });
  for (const name of ["", "work", "home", "tmp"]) chmodSync(dir.at(name), 0o777);
  return dir;
}

function odd(dir: Scratch, args: string[], { before = [], shell = ":", env = { HOME: dir.at("home") } }: Odd) {
  const command = ["sh", "-c", `${shell}\nexec "$@"`, "sh", ...program, ...args];
  const paths = { PATH: process.env.PATH ?? "", TMPDIR: dir.at("tmp") };
  return run([...before, ...command], { cwd: dir.at("work"), env: Object.assign(paths, env) });
}

async function works(dir: Scratch, how: Odd): Promise<string> {
  const ended = await odd(dir, ["-p", "go", "--model", dir.at("script.json"), "--approval", "yolo"], how);
  expect(ended).toMatchObject({ code: 0, out: "Done.\n" });
  expect(readdirSync(dir.at("work"))).toContain("made.txt");
  expect(ended.err).not.toContain("    at ");
  return ended.err;
}

async function finding(dir: Scratch, name: string, how: Odd): Promise<string> {
  const { out } = await odd(dir, ["doctor", "--json"], how);
  const { checks } = JSON.parse(out) as { checks: { name: string; state: string; text: string }[] };
  const found = checks.find((check) => check.name === name);
  return `${found?.state}: ${found?.text}`;
}

const root = process.getuid?.() === 0;
const stranger = ["setpriv", "--reuid=64217", "--regid=64217", "--clear-groups"];
const noStranger = !root || need("setpriv") !== undefined;
const noMounts = !root || need("unshare") !== undefined;
const onOwnMounts = ["unshare", "--mount", "--propagation", "private"];

test("a usual machine has nothing that doctor would note", async () => {
  using dir = prepared();
  expect(await works(dir, {})).toBe("");
  expect(await finding(dir, "temporary", {})).toStartWith("ok: ");
  expect(await finding(dir, "machine", {})).toMatch(/^(?:ok: nothing unusual|note: )/);
});

test.skipIf(noStranger)("a user without a name works, and doctor says who will ask for one", async () => {
  using dir = prepared();
  expect(await works(dir, { before: stranger })).toBe("");
  expect(await finding(dir, "machine", { before: stranger })).toContain("the user 64217 has no name");
});

test.skipIf(noStranger)("a user without a home is told so in one line; PITH_HOME is enough", async () => {
  using dir = prepared();
  const without = { before: stranger, env: {} };
  expect(await odd(dir, ["-p", "hi", "--model", "faux/echo"], without)).toMatchObject({
    code: 1,
    out: "",
    err: "pith: this user has no home directory; HOME or PITH_HOME names one\n",
  });
  expect(await odd(dir, ["--version"], without)).toMatchObject({ code: 0 });
  await works(dir, { before: stranger, env: { PITH_HOME: dir.at("home/own") } });
});

test.skipIf(noStranger)("a home that cannot be made costs record and undo, and no command", async () => {
  using dir = prepared();
  const err = await works(dir, { before: stranger, env: { HOME: "/proc/none" } });
  expect(err).toContain("goes on in memory only");
  expect(err).toContain("The session was saved to");
});

test("64 open files are enough, and doctor says that they are few", async () => {
  using dir = prepared();
  const few = { shell: "ulimit -n 64" };
  expect(await works(dir, few)).toBe("");
  expect(await finding(dir, "machine", few)).toContain("only 64 files may be open at once: ulimit -n 1024");
});

test.skipIf(noMounts)("where namespaces are forbidden commands run without a sandbox, and that is said", async () => {
  using dir = prepared();
  const inside = { before: ["unshare", "--user"] };
  expect(await finding(dir, "sandbox", inside)).toMatch(/^note: none here \(.+\): commands follow the rules/);
  await works(dir, inside);
});

test.skipIf(noMounts)("root without capabilities works, without a sandbox", async () => {
  using dir = prepared();
  const bare = { before: ["setpriv", "--bounding-set=-all", "--inh-caps=-all"] };
  await works(dir, bare);
  expect(await finding(dir, "sandbox", bare)).toStartWith("note: none here");
});

test.skipIf(noMounts)(
  "directories that allow no programs, a small /dev/shm and a small /proc are no obstacle",
  async () => {
    using dir = prepared();
    const mount = "mount -t tmpfs -o noexec,mode=777 none";
    const noexec = `${mount} '${dir.at("tmp")}'; ${mount} '${dir.at("home")}'`;
    const unable = { before: onOwnMounts, shell: noexec };
    expect(await works(dir, unable)).toBe("");
    expect(await finding(dir, "machine", unable)).toContain(`${dir.at("tmp")} and `);
    expect(await finding(dir, "machine", unable)).toContain("can hold no programs (noexec)");
    const small = { before: onOwnMounts, shell: "mount -t tmpfs -o size=1M none /dev/shm" };
    await works(dir, small);
    expect(await finding(dir, "machine", small)).toContain("/dev/shm has 1 MB");
    const pids = { before: [...onOwnMounts, "--pid", "--fork"], shell: "mount -t proc -o subset=pid proc /proc" };
    await works(dir, pids);
    expect(await finding(dir, "machine", pids)).toContain("/proc/sys/kernel cannot be read");
  },
);

test.skipIf(noMounts)("on a disk that cannot be written a prompt is answered, and every loss is said", async () => {
  using dir = prepared();
  const how = { before: onOwnMounts, shell: "mount -o remount,bind,ro /" };
  const ended = await odd(dir, ["-p", "hello", "--model", "faux/echo"], how);
  expect(ended.code).toBe(0);
  expect(ended.out).toContain("hello");
  expect(ended.err).toContain("in memory only");
});

test("without TERM the screen is plain, and doctor says what was found", async () => {
  using dir = prepared();
  expect(await works(dir, {})).not.toContain("\u001b");
  expect(await finding(dir, "terminal", {})).toContain("unknown");
});
