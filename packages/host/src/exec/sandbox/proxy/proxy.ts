import { lookup } from "node:dns/promises";
import { chmodSync } from "node:fs";
import { connect, createServer, type Server, type Socket } from "node:net";
import { messageOf } from "@pith/kit";
import { addressReason, isReachable } from "./address.ts";
import { type AllowedHost, domainFor, harmlessMethods, hostName } from "./domain.ts";
import { readHello } from "./hello.ts";
import { type Request, readRequest } from "./request.ts";

export interface ProxyOptions {
  /** The socket that it listens at. */
  socket: string;
  domains(): readonly AllowedHost[];
  /** The reason why a host is refused without asking anybody. */
  refuses?: ((host: string) => Promise<string | undefined>) | undefined;
  /** Somebody is asked while the connection waits. */
  ask(host: string, port: number): Promise<"yes" | "no">;
  /** The fate of a connection. */
  note(host: string, what: "reached" | "refused", why: string): void;
  /** All addresses of a host. */
  resolve?(host: string): Promise<readonly string[]>;
  /** Addresses that may be spoken to; `near` ones lie in a private network. */
  reachable?(address: string, how: "far" | "near"): boolean;
}

export interface Proxy extends Disposable {
  socket: string;
}

/** Lets commands reach hosts that were allowed, by name, and nobody else. */
export async function openProxy(options: ProxyOptions): Promise<Proxy> {
  const asked = new Map<string, Promise<"yes" | "no">>();
  const sockets = new Set<Socket>();
  const ask = (host: string, port: number) => {
    const key = `${host}:${port}`;
    const answer = asked.get(key) ?? options.ask(host, port).catch(() => "no" as const);
    asked.set(key, answer);
    // A no is for what runs now; a program that tries again at once is not a new question.
    void answer.then((said) => said === "no" && setTimeout(() => asked.delete(key), refusedMs).unref());
    return answer;
  };
  const server: Server = createServer({ allowHalfOpen: true }, (client) => {
    if (sockets.size >= mostConnections) return void client.destroy();
    sockets.add(client);
    client.on("close", () => sockets.delete(client));
    client.on("error", () => client.destroy());
    void serve(client, { ...options, ask }).catch(() => client.destroy());
  });
  await new Promise<void>((done, failed) => server.once("error", failed).listen(options.socket, done));
  chmodSync(options.socket, 0o600);
  server.unref();
  return {
    socket: options.socket,
    [Symbol.dispose]() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

async function serve(client: Socket, options: ProxyOptions): Promise<void> {
  const request = await headOf(client);
  if (!request) return;
  if ("bad" in request) {
    options.note("a request", "refused", request.bad);
    return refuse(client, 400, request.bad);
  }
  const { host, port } = request;
  const rule = domainFor(options.domains(), host, port);
  const refused = (code: 403 | 502, why: string) => {
    options.note(host, "refused", why);
    return refuse(client, code, `${host}: ${why}`);
  };
  const never = await options.refuses?.(host);
  if (never !== undefined) return refused(403, never);
  if (!rule && (await options.ask(host, port)) === "no")
    return refused(403, "it is not named by sandbox.domains, and nobody allowed it");
  const { methods = harmlessMethods, near = false } = rule ?? {};
  if (request.kind === "plain" && methods !== "all" && !methods.includes(request.method))
    return refused(403, `${request.method} is not allowed without encryption`);
  // Looked up once; what is checked is what is spoken to.
  const address = await addressOf(host, near ? "near" : "far", options);
  if (typeof address !== "string") return refused(502, address.none);
  if (request.kind === "tunnel") {
    client.write("HTTP/1.1 200 Connection established\r\n\r\n");
    const hello = await helloOf(client, request.rest);
    if (typeof hello.said === "string" || hostName(hello.said.name) !== host) {
      options.note(host, "refused", "what was said in the tunnel is for another host");
      return void client.destroy();
    }
    options.note(host, "reached", "");
    return join(client, address, port, [hello.bytes], Number.POSITIVE_INFINITY);
  }
  options.note(host, "reached", "");
  const body = request.rest.subarray(0, request.length);
  return join(client, address, port, [Buffer.from(request.head, "latin1"), body], request.length - body.length);
}

async function addressOf(
  host: string,
  how: "far" | "near",
  { resolve = addresses, reachable = isReachable }: ProxyOptions,
): Promise<string | { none: string }> {
  const all = await resolve(host).catch(() => []);
  const [first] = all;
  if (first === undefined) return { none: "its address is not known" };
  // One that leads to this machine spoils the rest: it is nobody's honest answer.
  const wrong = all.find((address) => !reachable(address, how));
  return wrong === undefined ? first : { none: addressReason(wrong) };
}

const addresses = async (host: string): Promise<string[]> =>
  (await lookup(host, { all: true })).map(({ address }) => address);

/** The head of a request, as soon as it is there. */
async function headOf(client: Socket): Promise<Request | { bad: string } | undefined> {
  let bytes = Buffer.alloc(0);
  for await (const chunk of parts(client)) {
    bytes = Buffer.concat([bytes, chunk]);
    const read = readRequest(bytes);
    if (read !== "more") return read;
  }
  client.destroy();
  return undefined;
}

async function helloOf(client: Socket, rest: Buffer): Promise<{ said: ReturnType<typeof readHello>; bytes: Buffer }> {
  let bytes = rest;
  if (bytes.length > 0 && readHello(bytes) !== "more") return { said: readHello(bytes), bytes };
  for await (const chunk of parts(client)) {
    bytes = Buffer.concat([bytes, chunk]);
    const said = readHello(bytes);
    if (said !== "more") return { said, bytes };
  }
  return { said: "none", bytes };
}

/** Reads a stream until the reader has seen enough, or time is up. */
async function* parts(client: Socket): AsyncGenerator<Buffer> {
  const waiting: (Buffer | undefined)[] = [];
  let wake = () => {};
  const put = (chunk: Buffer | undefined) => {
    waiting.push(chunk);
    wake();
  };
  const onData = (chunk: Buffer) => put(chunk);
  const onEnd = () => put(undefined);
  const timer = setTimeout(onEnd, headMs);
  client.on("data", onData);
  for (const event of ["end", "close"]) client.on(event, onEnd);
  // Who has listened before left it waiting.
  client.resume();
  try {
    for (;;) {
      while (waiting.length === 0) await new Promise<void>((done) => (wake = done));
      const chunk = waiting.shift();
      if (chunk === undefined) return;
      yield chunk;
    }
  } finally {
    clearTimeout(timer);
    client.pause();
    client.off("data", onData);
    for (const event of ["end", "close"]) client.off(event, onEnd);
  }
}

/** Both sides speak until both have ended. No more than `left` goes on: of a plain request, what it said it has. */
function join(client: Socket, address: string, port: number, first: readonly Buffer[], left: number): void {
  const far = connect({ host: address, port, allowHalfOpen: true });
  far.once("connect", () => {
    for (const bytes of first) far.write(bytes);
    client.resume();
  });
  client.on("data", (chunk: Buffer) => {
    const passed = chunk.subarray(0, left);
    left -= passed.length;
    if (passed.length > 0 && !far.write(passed)) client.pause();
  });
  far.on("drain", () => client.resume());
  far.on("data", (chunk: Buffer) => {
    if (!client.write(chunk)) far.pause();
  });
  client.on("drain", () => far.resume());
  client.on("end", () => far.end());
  far.on("end", () => client.end());
  client.on("close", () => far.destroy());
  far.on("close", () => client.destroy());
  far.on("error", (error) => {
    if (far.bytesRead > 0 || left === Number.POSITIVE_INFINITY) client.destroy();
    else refuse(client, 502, messageOf(error));
  });
}

function refuse(client: Socket, status: 400 | 403 | 502, why: string): void {
  const text = `pith: ${why}\n`;
  client.end(
    `HTTP/1.1 ${status} ${words[status]}\r\ncontent-type: text/plain\r\ncontent-length: ${Buffer.byteLength(text)}\r\nconnection: close\r\n\r\n${text}`,
  );
}

const words = { 400: "Bad Request", 403: "Forbidden", 502: "Bad Gateway" };
const headMs = 30_000;
const refusedMs = 30_000;
const mostConnections = 256;
