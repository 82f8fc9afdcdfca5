// The way from a fresh clone to a running Bun: plain Node (20 or newer), no dependencies, no install scripts.
// Everything said here goes to stderr, so that the output of what is started stays clean.
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { accessSync, constants, existsSync, readdirSync, readFileSync, writeFileSync, writeSync } from "node:fs";
import { createRequire } from "node:module";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { become } from "./become.mjs";
import { withLock } from "./lock.mjs";

export const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const at = (...parts) => join(root, ...parts);

/** `bin/bun`: the pinned Bun with the workspace installed. */
export async function startBun(args) {
  // Whoever changes the dependencies must be able to, although the lockfile does not match yet.
  const changing = [
    "install",
    "i",
    "add",
    "a",
    "remove",
    "rm",
    "update",
    "pm",
    "link",
    "unlink",
    "dedupe",
    "prune",
  ].includes(args[0]);
  await start(args, { workspace: !changing, env: process.env });
}

/** `bin/pith`: the product from its sources, or as a registry delivered it. */
export async function startPith(args) {
  const env = leaveNpm({ ...process.env });
  // Bun keeps the first -- to itself: the one that a person typed is the second.
  const said = ["--", ...args];
  if (existsSync(at("packages")))
    return await start([...alone, at("packages", "cli", "src", "main.ts"), ...said], { workspace: true, env });
  await explained(() => become(deliveredBun(), [...alone, at("dist", "lib", "main.js"), ...said], env));
}

// Bun is told to leave the settings, variables, packages and path maps of the current directory alone. The last are
// looked up for the very file it is started with, and a map of "*" would start another one.
const alone = [
  "--no-env-file",
  "--no-install",
  `--config=${at("bin", "bunfig.toml")}`,
  `--tsconfig-override=${at("tsconfig.json")}`,
];

const start = (args, { workspace, env }) => explained(async () => become(await install({ workspace }), args, env));

async function explained(work) {
  try {
    await work();
  } catch (error) {
    explain(error);
    process.exit(1);
  }
}

/** The Bun that was installed with us; nothing is ever written into a delivered package. */
function deliveredBun() {
  const cpu = process.arch === "arm64" ? "aarch64" : process.arch;
  const system = process.platform === "win32" ? "windows" : process.platform;
  const name = `@oven/bun-${system}-${cpu}${system === "linux" && libc() === "musl" ? "-musl" : ""}`;
  try {
    return createRequire(at("package.json")).resolve(`${name}/bin/${system === "windows" ? "bun.exe" : "bun"}`);
  } catch {
    throw new InstallError(
      `${name} is missing beside pith. It is an optional package, which npm leaves out with --omit=optional, with a ` +
        "lockfile of another machine, and where there is none for this machine.",
    );
  }
}

/** Makes sure of Bun and the workspace; answers the path of Bun. */
export async function install({ workspace }) {
  const ready = findBun();
  if (ready && (!workspace || isInstalled())) return ready;
  const waiting = () => say("another start is installing; waiting for it");
  mustBeWritable();
  return await withLock(at("runtime", "install.lock"), waiting, async () => {
    const bun = findBun() ?? (await installBun());
    if (workspace && !isInstalled()) await installWorkspace(bun);
    return bun;
  });
}

function mustBeWritable() {
  try {
    accessSync(at("runtime"), constants.W_OK);
  } catch {
    throw new InstallError(
      `${root} is not ready to run, and you may not write there: let its owner start it once (node bin/pith --version)`,
    );
  }
}

/**
 * The installed Bun that fits this machine and the lockfile. npm chose by os, cpu and libc; an older npm leaves both
 * libcs.
 */
function findBun() {
  const wanted = packagesOf("package-lock.json");
  // npm writes this one last, so a broken-off install does not count.
  const installed = packagesOf("node_modules", ".package-lock.json");
  const fitting = Object.entries(installed).filter(
    ([path, it]) => it.version === wanted[path]?.version && fitsMachine(it),
  );
  const [path] = (fitting.length > 1 ? fitting.find(([, it]) => it.libc?.includes(libc())) : fitting[0]) ?? [];
  return path && at("runtime", path, "bin", process.platform === "win32" ? "bun.exe" : "bun");
}

const fitsMachine = (it) => it.os?.includes(process.platform) && it.cpu?.includes(process.arch);

function packagesOf(...file) {
  try {
    return JSON.parse(readFileSync(at("runtime", ...file), "utf8")).packages;
  } catch {
    return {};
  }
}

function libc() {
  process.report.excludeNetwork = true;
  return process.report.getReport().header.glibcVersionRuntime ? "glibc" : "musl";
}

async function installBun() {
  say("installing the pinned Bun into runtime/ (once)");
  const flags = [
    "--ignore-scripts",
    "--include=optional",
    "--no-audit",
    "--no-fund",
    "--loglevel=error",
    "--fetch-retry-mintimeout=500",
    "--fetch-retry-maxtimeout=4000",
  ];
  const { code, output } = await run("npm", ["ci", ...flags], at("runtime"));
  const bun = findBun();
  if (bun) return bun;
  const wanted = Object.values(packagesOf("package-lock.json"));
  if (!wanted.some(fitsMachine)) throw new InstallError(`there is no Bun for ${process.platform} ${process.arch}`);
  // To npm an optional package that cannot be fetched is no error: it ends well and without a word.
  throw new InstallError(`npm could not install Bun.${code === 0 ? unreached : advice(output)}`, output);
}

async function installWorkspace(bun) {
  say("installing the workspace from bun.lock");
  const { code, output } = await run(bun, ["install", "--frozen-lockfile", "--ignore-scripts"], root);
  if (code !== 0) {
    const stale = /frozen/.test(output);
    throw new InstallError(
      stale
        ? "bun.lock does not match the package.json files: run `node bin/bun install`"
        : `Bun could not install the workspace.${advice(output)}`,
      output,
    );
  }
  writeFileSync(stampFile(), stamp());
}

const stampFile = () => at("node_modules", ".stamp");
const isInstalled = () => existsSync(stampFile()) && readFileSync(stampFile(), "utf8") === stamp();

/** Changes whenever an install would give something else. */
function stamp() {
  const hash = createHash("sha256");
  const manifests = readdirSync(at("packages")).map((name) => join("packages", name, "package.json"));
  for (const file of [
    "bun.lock",
    "bunfig.toml",
    "package.json",
    join("runtime", "package.json"),
    ...manifests.sort(),
  ]) {
    if (existsSync(at(file))) hash.update(`${file}\0`).update(readFileSync(at(file)));
  }
  return hash.digest("hex");
}

/**
 * Under `npm start`: back to the directory it was called from, and out of npm's variables, which would lead an npm
 * that a tool starts astray.
 */
function leaveNpm(env) {
  if (env.npm_package_json !== at("package.json")) return env;
  if (env.INIT_CWD) process.chdir(env.INIT_CWD);
  for (const name of Object.keys(env)) {
    if (/^npm_(package|lifecycle|command|execpath|node_execpath)|^npm_config_local_prefix$|^INIT_CWD$/.test(name))
      delete env[name];
  }
  const added = (dir) =>
    /[\\/]node-gyp-bin$/.test(dir) ||
    (/[\\/]node_modules[\\/]\.bin$/.test(dir) && root.startsWith(dirname(dirname(dir))));
  env.PATH = (env.PATH ?? "")
    .split(delimiter)
    .filter((dir) => !added(dir))
    .join(delimiter);
  return env;
}

class InstallError extends Error {
  constructor(message, output = "") {
    super(message);
    this.output = output;
  }
}

/** Says what went wrong with an install; anything else is a bug and is thrown on. */
export function explain(error) {
  if (!(error instanceof InstallError)) throw error;
  if (error.output) writeSync(2, `${error.output.trimEnd()}\n`);
  say(error.message);
}

const networkTrouble =
  /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|ConnectionRefused|FailedToOpenSocket|Timeout/;
const unreached =
  " The package registry could not be reached: check the network, the proxy and `npm config get registry`, then start again.";
const advice = (output) => (networkTrouble.test(output) ? unreached : "");

function run(command, args, cwd) {
  return new Promise((done) => {
    const child = spawn(command, args, {
      cwd,
      stdio: ["ignore", "pipe", "pipe"],
      shell: process.platform === "win32" && command === "npm",
    });
    let output = "";
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding("utf8").on("data", (chunk) => (output += chunk));
    child.on("error", (error) => done({ code: 1, output: `${command}: ${error.message}` }));
    child.on("close", (code) => done({ code: code ?? 1, output }));
  });
}

const say = (line) => writeSync(2, `pith: ${line}\n`);
