// A job swaps a folder for a link to a place outside while pith takes back what it made: nothing outside is moved.
import { afterAll, expect, test } from "bun:test";
import {
  closeSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { quarantine } from "../../packages/host/src/exec/sandbox/guard/guard.ts";
import { openSandbox, Shell } from "../../packages/host/src/index.ts";
import { until } from "../../packages/kit/src/test/index.ts";
import { need } from "../need.ts";
import { scratch } from "../scratch.ts";
import { flip } from "./flip.ts";

test.skipIf(process.platform !== "linux")(
  "what a command made is taken back from where it stands, and never from where a link leads by then",
  async () => {
    using dir = scratch();
    for (const folder of ["work/d", "out"]) mkdirSync(dir.at(folder), { recursive: true });
    symlinkSync(dir.at("out"), dir.at("work/l"));
    writeFileSync(dir.at("out/config"), "mine");
    const inside = openSync(dir.at("work/d"), "r");
    const flipper = await flip(dir);
    let taken = 0;
    for (const end = Date.now() + 1500; Date.now() < end && existsSync(dir.at("out/config")); ) {
      writeFileSync(`/proc/self/fd/${inside}/config`, "made");
      if (quarantine(dir.at("work/d/config"), dir.at("work"), dir.at("aside")).what === "taken back") taken++;
    }
    await flipper.stop();
    closeSync(inside);
    expect(readFileSync(dir.at("out/config"), "utf8")).toBe("mine");
    expect([flipper.flips, taken > 0]).toEqual(["yes", true]);
  },
  20_000,
);

// Not below /tmp, which is another folder behind the wall.
const base = mkdtempSync(join(process.getuid?.() === 0 ? "/srv" : (process.env.HOME ?? "/"), "pith-race-"));
afterAll(() => rmSync(base, { recursive: true, force: true }));
/** Makes a repository, which its own wall has no mounts for, and exchanges it for the link now and then. */
const swapping = `import ctypes, os, time
for folder in ("objects", "refs"): os.makedirs("d/.git/" + folder)
for name, text in (("HEAD", "ref: refs/heads/main"), ("config", "[core]")):
    open("d/.git/" + name, "w").write(text + "\\n")
libc = ctypes.CDLL(None)
time.sleep(0.5)
while True:
    libc.renameat2(-100, b"d", -100, b"l", 2)
    time.sleep(0.0002)
`;

test.skipIf(["bwrap", "python3"].some((name) => need(name) !== undefined))(
  "a repository that a job swaps for a link while a wall is built opens nothing outside",
  async () => {
    for (const folder of ["work", "victim/.git/objects", "victim/.git/refs"])
      mkdirSync(join(base, folder), { recursive: true });
    writeFileSync(join(base, "victim/.git/HEAD"), "ref: refs/heads/main\n");
    writeFileSync(join(base, "victim/.git/config"), "[core]\n");
    // By such a way it is found from within a wall that is not finished too.
    symlinkSync("../victim", join(base, "work/l"));
    writeFileSync(join(base, "work/swap.py"), swapping);
    const home = join(base, "home");
    const env = { PATH: process.env.PATH, HOME: home };
    using wall = openSandbox({
      mode: () => "workspace",
      folders: [join(base, "work")],
      home,
      closed: [],
      readable: () => [],
      env,
      probeFile: join(home, "sandbox.json"),
      quarantine: join(home, "taken"),
      domains: [],
      notify() {},
    });
    using shell = new Shell({ cwd: join(base, "work"), env, startup: "skip", sandbox: wall });
    const stop = new AbortController();
    const run = (command: string) =>
      shell.run({ command, side: "inside", timeoutMs: 60_000, signal: stop.signal, onData() {} });
    const job = run("exec python3 swap.py");
    const isSwapped = () => lstatSync(join(base, "work/l"), { throwIfNoEntry: false })?.isDirectory() === true;
    await until(isSwapped, "the first exchange");
    const made = join(base, "victim/.git/made");
    for (const end = Date.now() + 3000; Date.now() < end && !existsSync(made); ) await run(`echo x > ${made}`);
    stop.abort();
    await job;
    expect(existsSync(made)).toBe(false);
  },
  60_000,
);
