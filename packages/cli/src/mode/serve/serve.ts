import { randomBytes } from "node:crypto";
import { chmodSync, lstatSync, rmSync } from "node:fs";
import { lockFile } from "@pith/agent";
import { fail, messageOf, ok, type Result } from "@pith/kit";
import { Guard, hostOf, pageResponse, type Tokens } from "@pith/serve";
import type { LaunchFlags } from "../../argv/flag.ts";
import { exit } from "../../io/interrupt.ts";
import { complain, type Io } from "../../io/io.ts";
import { askServer, socketOf } from "../../open/server.ts";
import { answer, refused } from "./route.ts";
import { Host } from "./sessions.ts";

export interface ServeOptions {
  flags: LaunchFlags;
  /** The port of the page; none without. */
  web: number | undefined;
  /** Another address than this machine's own. */
  address: string;
}

/** Hosts sessions until somebody stops it. */
export async function serve({ flags, web, address }: ServeOptions, io: Io): Promise<number> {
  const over = Promise.withResolvers<void>();
  const host = new Host(flags, io, over.resolve);
  const socket = await bindSocket(host, io);
  if (!socket.ok) {
    complain(io, socket.message);
    return exit.usage;
  }
  const tokens: Tokens = { full: token(), watch: token() };
  const page = web === undefined ? undefined : bindPage(host, { port: web, address, tokens }, io);
  if (page && !page.ok) {
    complain(io, page.message);
    await socket.value.stop(true);
    return exit.usage;
  }
  using _signals = io.interrupts.handle(() => over.resolve());
  io.out.write(`pith serves ${socketOf(io.home)} (process ${process.pid})\n`);
  if (page) {
    io.out.write(`open   ${page.value}#${tokens.full}\n`);
    io.out.write(`watch  ${page.value}#${tokens.watch}\n`);
  }
  await io.out.flush();
  await over.promise;
  await host.closeAll();
  // Takes the socket away, too.
  await socket.value.stop(true);
  return exit.finished;
}

/** Bytes of a socket's name. */
const mostName = process.platform === "darwin" ? 103 : 107;
const patient = { idleTimeout: 0 };
const token = () => randomBytes(32).toString("base64url");

/** One server has the socket: of two that find a dead one at once, the second would take away the first one's. */
async function bindSocket(host: Host, io: Io): Promise<Result<Bound, "busy">> {
  const lock = lockFile(`${socketOf(io.home)}.lock`);
  if (!lock.ok) return fail("busy", lock.kind === "locked" ? running : lock.message);
  const server = await listenAt(socketOf(io.home), host, io);
  if (!server.ok) {
    lock.value();
    return server;
  }
  return ok({
    async stop(now) {
      await server.value.stop(now);
      lock.value();
    },
  });
}

interface Bound {
  stop(now: boolean): unknown;
}
const running = "a server runs already: pith serve list";

async function listenAt(file: string, host: Host, io: Io): Promise<Result<Bound, "busy">> {
  const there = lstatSync(file, { throwIfNoEntry: false });
  if (there && !there.isSocket()) return fail("busy", `${file} is no socket; move it away`);
  if (there && (await askServer(io.home, "/v1/sessions"))) return fail("busy", running);
  if (there) rmSync(file);
  // The kernel cuts a longer name off, and whoever asks for it finds nothing.
  if (Buffer.byteLength(file) > mostName)
    return fail("busy", `${file} is too long for a socket: PITH_HOME must be shorter`);
  const before = process.umask(0o177);
  try {
    const server = Bun.serve({
      unix: file,
      // Its types leave this out; who listens may hear nothing for hours.
      ...(patient as object),
      maxRequestBodySize: 64 * 1024 * 1024,
      fetch: (request) => guarded(io, request, (pathname) => answer({ request, pathname, access: "full" }, host)),
    });
    chmodSync(file, 0o600);
    return ok(server);
  } catch (error) {
    return fail("busy", `the socket ${file} cannot be made: ${messageOf(error)}`);
  } finally {
    process.umask(before);
  }
}

interface PageOptions {
  port: number;
  address: string;
  tokens: Tokens;
}

function bindPage(host: Host, { port, address, tokens }: PageOptions, io: Io): Result<string, "busy"> {
  try {
    let guard: Guard | undefined;
    const server = Bun.serve({
      hostname: address,
      port,
      idleTimeout: 0,
      maxRequestBodySize: 64 * 1024 * 1024,
      fetch: (request, server) =>
        guarded(io, request, async (pathname) => {
          if (!guard) return refused(503, "not yet");
          if (guard.isForeign(request)) return forbidden(io, "a foreign host or origin");
          if (request.method === "GET" && pathname === "/") return pageResponse();
          const access = await guard.admit(request, server.requestIP(request)?.address);
          if (typeof access === "string") return answer({ request, pathname, access }, host);
          io.log.write("warn", "serve refused a request", { why: access.why, path: pathname });
          return refused(access.status, access.why);
        }),
    });
    guard = new Guard(tokens, { address, port: server.port ?? port });
    return ok(`http://${hostOf(address)}:${server.port}/`);
  } catch (error) {
    return fail("busy", `the port ${port} cannot be had: ${messageOf(error)}`);
  }
}

function forbidden(io: Io, why: string): Response {
  io.log.write("warn", "serve refused a request", { why });
  return refused(403, why);
}

/** A fault in one request is told to who made it, and ends nothing. */
async function guarded(io: Io, request: Request, run: (pathname: string) => Promise<Response>): Promise<Response> {
  // Who names no host has no whole address either.
  if (!URL.canParse(request.url)) return refused(400, "that address cannot be read");
  try {
    return await run(new URL(request.url).pathname);
  } catch (error) {
    io.log.write("error", "serve", { message: messageOf(error) });
    return refused(500, "internal error");
  }
}
