// Runs lines that are judged to only read in the read-only sandbox of a canary machine: its project, its home, another
// folder and its network have to be as before, whatever the lines hid from the judge.
import { createHash } from "node:crypto";
import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createServer, type Server } from "node:net";
import { join } from "node:path";
import { parse } from "../../packages/coder/src/bash/parse.ts";
import { insideOf } from "../../packages/coder/src/policy/approval.ts";
import { commandJudge } from "../../packages/coder/src/policy/command-judge.ts";
import { isHarmlessIn } from "../../packages/coder/src/policy/mode.ts";
import { openSandbox, Shell } from "../../packages/host/src/index.ts";
import { randomFrom } from "./commands.ts";
import { hidingFrom } from "./hiding.ts";

export interface ReadingFuzzed {
  judged: number;
  run: number;
  /** Changes of the machine, with the lines that ran since it was last as before. */
  wrong: string[];
}

interface Machine {
  at(path: string): string;
  port: number;
  /** Names what is no longer as it was. */
  changed(): string[];
  [Symbol.dispose](): void;
}

const git = ["-c", "user.name=a", "-c", "user.email=a@b", "-c", "init.defaultBranch=main"];

/** Makes a project, a home and a folder beside them, with servers that count who talks to them. */
async function canaryMachine(): Promise<Machine> {
  // Not below /tmp, which is another folder in the sandbox.
  const base = mkdtempSync(join(process.getuid?.() === 0 ? "/srv" : (process.env.HOME ?? "/"), "pith-canary-"));
  const at = (path: string) => join(base, path);
  for (const folder of ["work/src", "home/.ssh", "out"]) mkdirSync(at(folder), { recursive: true });
  let visitors = 0;
  const listen = async (place: string | number) => {
    const server: Server = createServer((socket) => {
      visitors++;
      socket.end("CANARY\n");
    });
    const where = typeof place === "number" ? { port: place, host: "127.0.0.1" } : { path: place };
    await new Promise<void>((done) => server.listen(where, done));
    return server;
  };
  const servers = [await listen(0), await listen(at("out/socket"))];
  const address = servers[0]?.address();
  const port = typeof address === "object" && address ? address.port : 0;
  const files = {
    "work/a.txt": "touch pwn\nx a 1\n",
    "work/src/b.txt": "x\n",
    "work/evil.sh": `touch pwn; echo x >> ~/.bashrc; echo x > ../out/file; echo > /dev/tcp/127.0.0.1/${port}\n`,
    "home/.bashrc": "# mine\n",
    "home/.ssh/id_ed25519": "CANARY-key\n",
    "out/file": "outside\n",
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(at(name), text, { mode: 0o755 });
  for (const words of [
    ["init", "-q"],
    ["add", "."],
    ["commit", "-qm", "x"],
  ])
    Bun.spawnSync(["git", ...git, ...words], {
      cwd: at("work"),
      env: { PATH: process.env.PATH ?? "", HOME: at("home") },
    });
  const looks = () => new Map(["work", "home", "out"].flatMap((folder) => [...lookAt(at(folder))]));
  const before = looks();
  return {
    at,
    port,
    changed() {
      const now = looks();
      const names = [...new Set([...before.keys(), ...now.keys()])].filter(
        (name) => before.get(name) !== now.get(name),
      );
      return visitors === 0 ? names : [...names, `${visitors} visitors`];
    },
    [Symbol.dispose]() {
      for (const server of servers) server.close();
      rmSync(base, { recursive: true, force: true });
    },
  };
}

/** Every file below a folder: its kind, rights, time and content. */
function* lookAt(folder: string): Generator<[string, string]> {
  for (const name of readdirSync(folder, { recursive: true, encoding: "utf8" })) {
    const path = join(folder, name);
    const stat = lstatSync(path);
    const held = stat.isFile() ? readFileSync(path) : stat.isSymbolicLink() ? readlinkSync(path) : "";
    yield [path, `${stat.mode} ${stat.mtimeMs} ${createHash("sha256").update(held).digest("hex")}`];
  }
}

/** Judges lines until the time is over, and runs those that are judged to only read. */
export async function fuzzReading({ seed, ms }: { seed: number; ms: number }): Promise<ReadingFuzzed> {
  using machine = await canaryMachine();
  const { at } = machine;
  const env = { PATH: process.env.PATH, HOME: at("home") };
  using sandbox = openSandbox({
    mode: () => "workspace",
    folders: [at("work")],
    home: at("home"),
    closed: [],
    readable: () => [],
    env,
    probeFile: join(at("."), "sandbox.json"),
    quarantine: join(at("."), "taken"),
    domains: [],
    notify() {},
  });
  const limits = { command: { memory: 1e9, processes: 100 }, fileSize: 1e7 };
  using shell = new Shell({ cwd: at("work"), env, startup: "skip", sandbox, limits });
  const stands = await shell.canSandbox();
  if (!stands.ok) throw new Error(stands.message);
  const inside = insideOf({ cwd: at("work"), roots: [], home: at("home/.pith"), folder: undefined });
  const judge = commandJudge({ cwd: at("work"), userHome: at("home"), inside, env });
  const random = randomFrom(seed);
  const end = performance.now() + ms;
  const result: ReadingFuzzed = { judged: 0, run: 0, wrong: [] };
  const since: string[] = [];
  const seen = new Set<string>();
  while (performance.now() < end) {
    const command = hidingFrom(random).replaceAll("PORT", String(machine.port));
    const { judgement } = judge({ command, cwd: at("work") }, parse(command));
    result.judged++;
    if (!isHarmlessIn("write", judgement, "confined") || seen.has(command)) continue;
    seen.add(command);
    since.push(command);
    result.run++;
    const signal = new AbortController().signal;
    await shell.run({ command, side: "reading", writes: "nothing", timeoutMs: 2000, signal, onData() {} });
    if (since.length < 25) continue;
    const changed = machine.changed();
    if (changed.length > 0) {
      result.wrong.push(`${changed.join(", ")} after ${JSON.stringify(since)}`);
      break;
    }
    since.length = 0;
  }
  const changed = result.wrong.length > 0 ? [] : machine.changed();
  if (changed.length > 0) result.wrong.push(`${changed.join(", ")} after ${JSON.stringify(since)}`);
  return result;
}

if (import.meta.main) {
  const seed = Number(process.argv[2] ?? Date.now() % 1e9);
  const seconds = Number(process.argv[3] ?? 20);
  const { judged, run, wrong } = await fuzzReading({ seed, ms: seconds * 1000 });
  process.stdout.write(`${wrong.join("\n")}\nseed ${seed}: ${judged} judged, ${run} run, ${wrong.length} wrong\n`);
  process.exit(wrong.length === 0 ? 0 : 1);
}
