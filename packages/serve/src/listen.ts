import { randomBytes } from "node:crypto";
import { chmodSync, lstatSync, rmSync } from "node:fs";
import { lockFile } from "@pith/agent";
import { fail, type Log, messageOf, ok, type Result } from "@pith/kit";
import { type Access, Guard, hostOf, type Tokens } from "./guard.ts";
import { pageResponse } from "./page.ts";
import { refused } from "./response.ts";

/** A request that was let in. */
export interface Admitted {
  request: Request;
  pathname: string;
  access: Access;
}
export type Handler = (admitted: Admitted) => Promise<Response>;

export interface Listening {
  stop(): Promise<void>;
}

export interface SocketOptions {
  file: string;
  handle: Handler;
  log: Log;
  /** True when a server answers at the socket. */
  isAlive(): Promise<boolean>;
}

const maxRequestBodySize = 64 * 1024 * 1024;
/** Bytes that the kernel allows for the name of a socket. */
const maxName = process.platform === "darwin" ? 103 : 107;
const running = "a server runs already: pith serve list";

export const createTokens = (): Tokens => {
  const token = () => randomBytes(32).toString("base64url");
  return { full: token(), watch: token() };
};

/** Listens at a socket that only this user can open. A lock keeps a second server from replacing the socket. */
export async function listenAtSocket(options: SocketOptions): Promise<Result<Listening, "busy">> {
  const lock = lockFile(`${options.file}.lock`);
  if (!lock.ok) return fail("busy", lock.kind === "locked" ? running : lock.message);
  const server = await bindSocket(options);
  if (!server.ok) {
    lock.value();
    return server;
  }
  return ok({
    async stop() {
      await server.value.stop(true);
      lock.value();
    },
  });
}

async function bindSocket({ file, handle, log, isAlive }: SocketOptions): Promise<Result<Bun.Server<unknown>, "busy">> {
  const there = lstatSync(file, { throwIfNoEntry: false });
  if (there && !there.isSocket()) return fail("busy", `${file} is no socket; move it away`);
  if (there && (await isAlive())) return fail("busy", running);
  if (there) rmSync(file);
  // The kernel would cut a longer name, and clients would look for the whole one.
  if (Buffer.byteLength(file) > maxName)
    return fail("busy", `${file} is too long for a socket: PITH_HOME must be shorter`);
  const before = process.umask(0o177);
  try {
    const server = Bun.serve({
      unix: file,
      // The types leave out this option for sockets. A reader of events may hear nothing for hours.
      ...({ idleTimeout: 0 } as object),
      maxRequestBodySize,
      fetch: (request) => answered(log, request, (pathname) => handle({ request, pathname, access: "full" })),
    });
    chmodSync(file, 0o600);
    return ok(server);
  } catch (error) {
    return fail("busy", `the socket ${file} cannot be made: ${messageOf(error)}`);
  } finally {
    process.umask(before);
  }
}

export interface AddressOptions {
  address: string;
  port: number;
  tokens: Tokens;
  handle: Handler;
  log: Log;
}

/** Listens at a network address: serves the page to anybody, everything else to a token. Gives the URL. */
export function listenAtAddress({ address, port, tokens, handle, log }: AddressOptions): Result<string, "busy"> {
  try {
    let guard: Guard | undefined;
    const deny = (status: number, why: string, path?: string) => {
      log.write("warn", "serve refused a request", { why, path });
      return refused(status, why);
    };
    const server = Bun.serve({
      hostname: address,
      port,
      idleTimeout: 0,
      maxRequestBodySize,
      fetch: (request, server) =>
        answered(log, request, async (pathname) => {
          if (!guard) return refused(503, "not yet");
          if (guard.isForeign(request)) return deny(403, "a foreign host or origin");
          if (request.method === "GET" && pathname === "/") return pageResponse();
          const access = await guard.admit(request, server.requestIP(request)?.address);
          if (typeof access === "string") return handle({ request, pathname, access });
          return deny(access.status, access.why, pathname);
        }),
    });
    guard = new Guard(tokens, { address, port: server.port ?? port });
    return ok(`http://${hostOf(address)}:${server.port}/`);
  } catch (error) {
    return fail("busy", `the port ${port} cannot be had: ${messageOf(error)}`);
  }
}

/** Answers one request; an error in it becomes a 500 and ends nothing else. */
async function answered(log: Log, request: Request, run: (pathname: string) => Promise<Response>): Promise<Response> {
  // Without a Host header the URL is not absolute.
  if (!URL.canParse(request.url)) return refused(400, "that address cannot be read");
  try {
    return await run(new URL(request.url).pathname);
  } catch (error) {
    log.write("error", "serve", { message: messageOf(error) });
    return refused(500, "internal error");
  }
}
