// `bun bench/agents/run.ts <folder> [--reps n] [--pith path]`: one prompt by each agent that is installed below the
// folder (`npm install --prefix <folder> --ignore-scripts @openai/codex …`), turn about, against a scripted server on
// this machine. Prints a table: time from the start of the process to the first request, time until it has ended, peak
// memory of the process and its children, bytes of the first request. As root, nothing but loopback is in reach.
import { existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { scratch } from "../../packages/kit/src/test/index.ts";
import { now } from "../mock.ts";
import { type Agent, agents, prepare } from "./agent.ts";
import { serveAgents } from "./server.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { reps: { type: "string", default: "7" }, pith: { type: "string" } },
});
const folder = resolve(positionals[0] ?? ".");
const root = join(import.meta.dir, "..", "..");
const prompt = "Say hi, and nothing else.";
const limitMs = 60_000;

if (process.getuid?.() === 0 && process.env.BENCH_ISOLATED === undefined) {
  const inside = ["unshare", "--net", "sh", "-c", 'ip link set lo up && exec "$@"', "sh", process.execPath];
  const env = { ...process.env, BENCH_ISOLATED: "1" };
  const { exitCode } = Bun.spawnSync([...inside, ...process.argv.slice(1)], {
    env,
    stdio: ["ignore", "inherit", "inherit"],
  });
  process.exit(exitCode);
}

const own: Agent = {
  npm: "pith",
  program: "",
  settings: () => ({}),
  env: ({ base }) => ({ OPENAI_BASE_URL: `${base}/v1`, OPENAI_API_KEY: "bench" }),
  args: (text) => ["-p", text, "--model", "openai/bench-model"],
};
const pith = resolve(values.pith ?? join(root, "dist", "pith"));
const all: Record<string, Agent> = { pith: own, ...agents };

interface Sample {
  request: number;
  wall: number;
  memory: number;
  bytes: number;
}

const columns: { title: string; of: keyof Sample; unit: string; per: number }[] = [
  { title: "start to first request", of: "request", unit: "ms", per: 1 },
  { title: "one prompt", of: "wall", unit: "ms", per: 1 },
  { title: "peak memory", of: "memory", unit: "MB", per: 1 },
  { title: "first request", of: "bytes", unit: "kB", per: 1000 },
];

const server = serveAgents(prompt);
using place = scratch();
const dropped = new Set<string>();
const samples = new Map<string, Sample[]>();
const subjects = Object.entries(all).filter(([name, agent]) => name === "pith" || existsSync(programOf(agent)));
for (const [name, agent] of subjects) {
  const home = homeOf(name);
  mkdirSync(join(home, "tmp"), { recursive: true });
  mkdirSync(place.at("project"), { recursive: true });
  prepare(agent, { home, project: place.at("project"), base: server.base });
  // The first run of all unpacks, migrates and asks; it does not count.
  await measure(name, agent).catch((error) => drop(name, error));
}
for (let round = 0; round < Number(values.reps); round++)
  for (const [name, agent] of subjects) if (samples.has(name) || round === 0) await sample(name, agent);
server.stop();
print();

async function sample(name: string, agent: Agent): Promise<void> {
  if (dropped.has(name)) return;
  try {
    const found = await measure(name, agent);
    samples.set(name, [...(samples.get(name) ?? []), found]);
  } catch (error) {
    drop(name, error);
  }
}

function drop(name: string, error: unknown) {
  dropped.add(name);
  samples.delete(name);
  process.stderr.write(`${name} is left out: ${error instanceof Error ? error.message : error}\n`);
}

async function measure(name: string, agent: Agent): Promise<Sample> {
  const home = homeOf(name);
  const at = { home, project: place.at("project"), base: server.base };
  const program = name === "pith" ? [pith] : commandOf(agent);
  server.asked();
  const began = now();
  const child = Bun.spawn([...program, ...agent.args(prompt)], {
    cwd: at.project,
    env: Object.assign(
      { HOME: home, TMPDIR: join(home, "tmp"), PATH: process.env.PATH, LANG: "C.UTF-8", TERM: "dumb" },
      agent.env(at),
    ),
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
    timeout: limitMs,
  });
  let memory = 0;
  const watch = setInterval(() => {
    memory = Math.max(memory, treeMemory(child.pid));
  }, 5);
  const [out, err] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
  const code = await child.exited;
  const ended = now();
  clearInterval(watch);
  const asked = server.asked();
  if (code !== 0 || !asked)
    throw new Error(`exit ${code}, ${asked ? "asked" : "never asked"}: ${(err || out).trim().slice(-300)}`);
  return { request: asked.arrived - began, wall: ended - began, memory, bytes: asked.bytes };
}

function programOf(agent: Agent): string {
  return join(folder, "node_modules", agent.program);
}

function commandOf(agent: Agent): string[] {
  const file = programOf(agent);
  const runtime = agent.by === "bun" ? process.execPath : (Bun.which("node") ?? "node");
  return agent.by ? [runtime, file] : [file];
}

function homeOf(name: string): string {
  return place.at(name.replaceAll(" ", "-"));
}

/** Resident memory in MB of a process and of all below it. */
function treeMemory(pid: number): number {
  try {
    const pages = Number(readFileSync(`/proc/${pid}/statm`, "latin1").split(" ")[1]);
    const below = readdirSync(`/proc/${pid}/task`).flatMap((task) =>
      readFileSync(`/proc/${pid}/task/${task}/children`, "latin1").split(" ").filter(Boolean),
    );
    return (pages * 4096) / 1e6 + below.reduce((sum, child) => sum + treeMemory(Number(child)), 0);
  } catch {
    return 0;
  }
}

function versionOf(agent: Agent): string {
  const manifest =
    agent.npm === "pith" ? join(root, "package.json") : join(folder, "node_modules", agent.npm, "package.json");
  return JSON.parse(readFileSync(manifest, "utf8")).version;
}

function print() {
  const median = (numbers: number[]) => numbers.sort((a, b) => a - b)[numbers.length >> 1] ?? Number.NaN;
  const of = (name: string, field: keyof Sample) => median((samples.get(name) ?? []).map((one) => one[field]));
  const cell = (name: string, { of: field, unit, per }: (typeof columns)[number]) => {
    const value = of(name, field);
    return `${(value / per).toFixed(0)} ${unit} (${(value / of("pith", field)).toFixed(1)}×)`;
  };
  const measured = subjects.filter(([name]) => samples.has(name));
  const rows = [
    ["agent", ...columns.map(({ title }) => title)],
    ["---", ...columns.map(() => "---")],
    ...measured.map(([name, agent]) => [`${name} ${versionOf(agent)}`, ...columns.map((column) => cell(name, column))]),
  ];
  process.stdout.write(rows.map((row) => `| ${row.join(" | ")} |\n`).join(""));
}
