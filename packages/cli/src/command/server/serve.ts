import { spawn } from "node:child_process";
import { mkdirSync, openSync } from "node:fs";
import { dirname, join } from "node:path";
import { idStart, plainText, plainWrite, sleep } from "@pith/kit";
import { launchFlags } from "../../argv/flag.ts";
import { exit } from "../../io/interrupt.ts";
import { complain, type Io, usage } from "../../io/io.ts";
import { askServer, socketOf } from "../../open/server.ts";
import { subcommand } from "../subcommand.ts";

const { model, approval, sandbox, trust, config, tools } = launchFlags;
/** Holds sessions that live on while interfaces come and go. */
export const serve = subcommand({
  usage: "[list|stop]",
  about: "keep sessions running for several interfaces",
  help: "serve",
  options: {
    background: { takes: "nothing", about: "run in the background" },
    web: { takes: "text", as: "port", about: "also serve a web page on this machine", bare: true },
    address: { takes: "text", as: "address", about: "with --web: listen there; needs --allow-remote" },
    "allow-remote": { takes: "nothing", about: "let other machines reach the page" },
    model,
    approval,
    sandbox,
    trust,
    tools,
    config,
  },
  words: ["list", "stop"],
  maxWords: 1,
  async run({ flags, words: [word], argv }, io) {
    if (word === "list") return list(io);
    if (word === "stop") return stop(io);
    if (word !== undefined) return "usage";
    const web = portOf(flags.web);
    if (web === "wrong") return usage(io, `--web expects a port from 0 to 65535, not "${flags.web}"`);
    if (flags.address !== undefined && !flags["allow-remote"] && !isLoopback(flags.address))
      return usage(io, `other machines could reach ${flags.address}: say --allow-remote if that is meant`);
    if (flags.background) return background(argv, web === undefined ? "pith serves " : "watch ", io);
    const { serve: run } = await import("../../mode/serve/serve.ts");
    return run({ flags, web, address: flags.address ?? "127.0.0.1" }, io);
  },
});

const isLoopback = (address: string) => address === "::1" || /^127\.\d+\.\d+\.\d+$/.test(address);

function portOf(web: string | undefined): number | undefined | "wrong" {
  if (web === undefined || web === "") return web === undefined ? undefined : 0;
  const port = Number(web);
  return /^\d{1,5}$/.test(web) && port <= 65535 ? port : "wrong";
}

async function list(io: Io): Promise<number> {
  const response = await askServer(io.home, "/v1/sessions");
  if (!response) return none(io);
  const { pid, sessions } = (await response.json()) as { pid: number; sessions: Listed[] };
  io.out.write(`process ${pid}, ${sessions.length === 0 ? "no session yet" : `${sessions.length} open`}\n`);
  for (const { sessionId, cwd, title = "", running, waiting } of sessions) {
    const does = waiting > 0 ? "asks" : running ? "works" : "idle";
    io.out.write(`${idStart(sessionId)}  ${does.padEnd(5)}  ${plainText(`${cwd}  ${title}`)}\n`);
  }
  return exit.finished;
}

interface Listed {
  sessionId: string;
  cwd: string;
  title?: string;
  running: boolean;
  waiting: number;
}

async function stop(io: Io): Promise<number> {
  const response = await askServer(io.home, "/v1/stop", { method: "POST" });
  if (!response) return none(io);
  for (let tries = 0; tries < 100 && (await askServer(io.home, "/v1/sessions")); tries++) await sleep(50);
  io.out.write(`stopped; ${socketOf(io.home)} is free\n`);
  return exit.finished;
}

function none(io: Io): number {
  complain(io, "no server runs here; pith serve begins one");
  return exit.unfinished;
}

/** The same command once more, in a process of its own that outlives this one; what it says at the start is shown. */
async function background(argv: readonly string[], last: string, io: Io): Promise<number> {
  if (await askServer(io.home, "/v1/sessions")) return usage(io, "a server runs already: pith serve list");
  const log = join(io.home, "logs", "serve.log");
  mkdirSync(dirname(log), { recursive: true, mode: 0o700 });
  const faults = openSync(log, plainWrite, 0o600);
  const [program = process.execPath, ...rest] = own();
  const child = spawn(program, [...rest, "serve", ...argv.filter((word) => word !== "--background")], {
    cwd: io.cwd,
    env: { ...io.given },
    detached: true,
    // The addresses have tokens in them, so they go to this terminal and into no file.
    stdio: ["ignore", "pipe", faults],
  });
  const ended = new Promise<"ended">((done) => {
    child.on("exit", () => done("ended"));
    child.on("error", () => done("ended"));
  });
  const said = new Promise<string>((done) => {
    let text = "";
    child.stdout?.setEncoding("utf8").on("data", (piece: string) => {
      text += piece;
      if (text.includes(last) && text.endsWith("\n")) done(text);
    });
  });
  const began = await Promise.race([said, ended, sleep(10_000)]);
  child.unref();
  child.stdout?.destroy();
  if (began === undefined) complain(io, `the server has not begun yet; what it says stands in ${log}`);
  else if (began === "ended") io.err.write(await Bun.file(log).text());
  else io.out.write(began);
  return began === undefined || began === "ended" ? exit.usage : exit.finished;
}

/** The command that starts this program: one file, or its sources. */
const own = (): string[] =>
  Bun.main.startsWith("/$bunfs/") || Bun.main.startsWith("B:/")
    ? [process.execPath]
    : [process.execPath, Bun.main, "--"];
