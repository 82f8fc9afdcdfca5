// Gets from a fresh clone to a running Bun with plain Node (20 or newer), no dependencies and no install scripts.
// All messages go to stderr, so that the output of the started program stays clean.
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

/** Runs `bin/bun`: the pinned Bun with the workspace installed. */
export async function startBun(args) {
  // Commands that change dependencies run although the lockfile does not match yet.
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

/** Runs `bin/pith`: from its sources, or from the package of a registry. */
export async function startPith(args) {
  const env = leaveNpm({ ...process.env });
  // Bun takes the first `--` for itself; a `--` of the user is the second.
  const said = ["--", ...args];
  if (existsSync(at("packages")))
    return await start([...alone, at("packages", "cli", "src", "main.ts"), ...said], { workspace: true, env });
  await explained(() => become(deliveredBun(), [...alone, at("dist", "lib", "main.js"), ...said], env));
}

// Keeps Bun from reading settings, variables, packages and path maps of the current directory. Path maps also apply to
// the file that Bun starts: a map of "*" would start another file.
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

/** Finds the Bun that a registry installed with pith; never writes into the package. */
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

/** Installs Bun, and the workspace if asked to, where they are missing; returns the path of Bun. */
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
 * Finds the installed Bun that fits this machine and the lockfile. npm chooses by os, cpu and libc; an older npm
 * installs the packages of both libcs.
 */
function findBun() {
  const wanted = packagesOf("package-lock.json");
  // npm writes this file last, so an interrupted install does not count.
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
  // npm reports no error when it cannot fetch an optional package.
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

/** Hash of all files that decide what an install brings. */
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
 * Undoes what `npm start` sets up: returns to the directory of the caller and removes npm's variables, which would
 * mislead an npm that a tool starts.
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

/** Prints why an install failed; throws any other error again, because it is a bug. */
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
