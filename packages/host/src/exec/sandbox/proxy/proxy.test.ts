import { afterAll, expect, test } from "bun:test";
import { connect, createServer } from "node:net";
import { join } from "node:path";
import { connect as connectTls } from "node:tls";
import { scratch } from "@pith/kit/test";
import { isPublic, isReachable } from "./address.ts";
import { domainFor, hostName, parseAllowedHost } from "./domain.ts";
import { readHello } from "./hello.ts";
import { neverReached } from "./never.ts";
import { openProxy, type ProxyOptions } from "./proxy.ts";
import { readRequest } from "./request.ts";

const { path: dir } = scratch(afterAll);
const domains = ["example.com", "*.example.org", "other.net:8443", "post.dev GET,POST"].flatMap(
  (line) => parseAllowedHost(line) ?? [],
);

test("a host is one spelling, and what could be read in two ways is none", () => {
  for (const [text, host] of [
    ["Example.COM", "example.com"],
    ["example.com.", "example.com"],
    ["bücher.example", "xn--bcher-kva.example"],
  ] as const)
    expect(hostName(text)).toBe(host);
  const odd = `127.0.0.1 2130706433 0x7f.1 0x7f000001 017700000001 1 127.1 [::1] ::1 a%2eb example.com%00.evil.org
    evil.org\0.example.com exa mple.com user@example.com example.com:80 a/b -a.com .com .. example..com ＿.com`;
  for (const text of odd.split(/(?<!exa)\s+/)) expect([text, hostName(text)]).toEqual([text, undefined]);
});

test("only listed hosts are found, on their ports", () => {
  const has = (host: string, port = 443) => domainFor(domains, host, port) !== undefined;
  expect([has("example.com"), has("example.com", 80), has("a.example.org"), has("other.net", 8443)]).toEqual(
    Array(4).fill(true),
  );
  expect([
    has("example.com", 22),
    has("www.example.com"),
    has("example.org"),
    has("notexample.com"),
    has("xexample.org"),
    has("other.net"),
    has("example.com.evil.net"),
  ]).toEqual(Array(7).fill(false));
  for (const line of ["*", "*.com x", "http://a.b", "a b", "*.", "10.0.0.1", "a.b:99999", "a.*.b"])
    expect([line, parseAllowedHost(line)]).toEqual([line, undefined]);
});

test("addresses of this machine, its network and its cloud are nobody's to reach", () => {
  const inner = `127.0.0.1 0.0.0.0 10.1.2.3 172.16.0.1 172.31.255.255 192.168.1.1 169.254.169.254 100.64.0.1 224.0.0.1
    255.255.255.255 198.18.0.1 192.0.2.1 203.0.113.5 ::1 :: fe80::1 fc00::1 fd00:ec2::254 ff02::1 ::ffff:127.0.0.1
    ::ffff:7f00:1 ::127.0.0.1 64:ff9b::a9fe:a9fe 64:ff9b:1:a9fe:a9:fe00:808:808
    2002:7f00:0001:: 2001:db8::1 2001::1 fe80::1%eth0 nonsense`;
  for (const address of inner.split(/\s+/)) expect([address, isPublic(address)]).toEqual([address, false]);
  for (const address of ["1.1.1.1", "93.184.216.34", "2606:4700::1111", "::ffff:1.1.1.1", "172.32.0.1"])
    expect([address, isPublic(address)]).toEqual([address, true]);
});

test("a request is read in one way or refused", () => {
  const read = (text: string) => readRequest(Buffer.from(text, "latin1"));
  expect(read("CONNECT example.com:443 HTTP/1.1\r\nHost: x\r\n\r\nrest")).toMatchObject({
    kind: "tunnel",
    host: "example.com",
    port: 443,
  });
  expect(
    read("GET http://Example.com/a?b HTTP/1.1\r\nHost: example.com\r\nProxy-Authorization: x\r\n\r\n"),
  ).toMatchObject({
    kind: "plain",
    head: "GET /a?b HTTP/1.1\r\nhost: example.com\r\nconnection: close\r\n\r\n",
  });
  expect(read("GET http://a.b/ HTTP/1.1\r\nHo")).toBe("more");
  for (const bad of [
    "GET http://a.b/ HTTP/1.1\r\nHost: c.d\r\n\r\n",
    "GET http://a.b/ HTTP/1.1\r\nHost: a.b\r\nHost: c.d\r\n\r\n",
    "GET http://a.b/ HTTP/1.1\r\n\r\n",
    "GET http://a.b@c.d/ HTTP/1.1\r\nHost: c.d\r\n\r\n",
    "GET http://a.b/ HTTP/1.1\r\nHost: a.b\r\n folded\r\n\r\n",
    "GET http://a.b/ HTTP/1.1\r\nHost: a.b\r\nTransfer-Encoding: chunked\r\n\r\n",
    "GET http://a.b/ HTTP/1.1\r\nHost: a.b\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
    "GET http://a.b\0.c/ HTTP/1.1\r\nHost: a.b\r\n\r\n",
    "CONNECT example.com\0.evil:443 HTTP/1.1\r\n\r\n",
    "CONNECT example.com HTTP/1.1\r\n\r\n",
    "CONNECT 127.0.0.1:443 HTTP/1.1\r\n\r\n",
    "GET / HTTP/1.1\r\nHost: a.b\r\n\r\n",
    "GET http://a.b/ HTTP/1.1\nHost: a.b\n\n\r\n\r\n",
    `GET http://a.b/${"x".repeat(70_000)}`,
  ])
    expect([bad.slice(0, 60), read(bad)]).toEqual([bad.slice(0, 60), { bad: expect.any(String) }]);
  for (let i = 0; i < 2000; i++) {
    const noise = Buffer.from(crypto.getRandomValues(new Uint8Array(1 + (i % 200))));
    readRequest(noise);
    readHello(noise);
    readHello(Buffer.concat([Buffer.from([22, 3, 1, 0, 100]), noise]));
  }
});

/** A proxy whose hosts all are one server on this machine. */
async function proxied(more: Partial<ProxyOptions> = {}) {
  const heard: string[] = [];
  const notes: string[] = [];
  const server = createServer((socket) => {
    socket.on("error", () => {});
    socket.on("data", (chunk) => {
      heard.push(chunk.toString("latin1"));
      socket.end("HTTP/1.1 200 OK\r\ncontent-length: 2\r\nconnection: close\r\n\r\nok");
    });
  }).listen(0, "127.0.0.1");
  await new Promise((done) => server.once("listening", done));
  const { port } = server.address() as { port: number };
  const proxy = await openProxy({
    socket: join(dir, `${crypto.randomUUID().slice(0, 8)}`),
    domains: () => [...domains, { host: "here.test", below: false, port, methods: ["GET"], near: false }],
    ask: async () => "no",
    note: (host, what, why) => notes.push(`${host} ${what} ${why}`.trim()),
    resolve: async () => ["127.0.0.1"],
    reachable: () => true,
    ...more,
  });
  const say = (text: string | Buffer) =>
    new Promise<string>((done) => {
      let said = "";
      const socket = connect(proxy.socket, () => socket.write(text));
      socket.on("data", (chunk) => {
        said += chunk.toString("latin1");
      });
      socket.on("error", () => done(said));
      socket.on("close", () => done(said));
    });
  return {
    port,
    heard,
    notes,
    say,
    path: proxy.socket,
    [Symbol.dispose]() {
      proxy[Symbol.dispose]();
      server.close();
    },
  };
}

const get = (port: number, host = "here.test") =>
  `GET http://${host}:${port}/x HTTP/1.1\r\nHost: ${host}:${port}\r\n\r\n`;

test("an allowed host is reached, and only what was asked of it is said", async () => {
  using at = await proxied();
  expect(await at.say(get(at.port) + get(at.port, "evil.test"))).toEndWith("\r\n\r\nok");
  expect(at.heard.join("")).not.toContain("evil");
  expect(await at.say(get(at.port).replace("GET", "POST"))).toStartWith("HTTP/1.1 403 ");
  expect(at.heard).toHaveLength(1);
  expect(at.notes).toEqual(["here.test reached", "here.test refused POST is not allowed without encryption"]);
});

test("another host is asked about once while the connection waits, and a no is an answer", async () => {
  const asked: string[] = [];
  let answer = (_: "yes" | "no") => {};
  using at = await proxied({
    ask: (host) => {
      asked.push(host);
      return new Promise((done) => {
        answer = done;
      });
    },
  });
  const two = [at.say(get(at.port, "unlisted.test")), at.say(get(at.port, "unlisted.test"))];
  while (asked.length === 0) await Bun.sleep(1);
  expect(at.heard).toEqual([]);
  answer("yes");
  for (const said of await Promise.all(two)) expect(said).toEndWith("ok");
  expect(asked).toEqual(["unlisted.test"]);
  using no = await proxied();
  expect(await no.say(get(no.port, "unlisted.test"))).toStartWith("HTTP/1.1 403 ");
});

test("a name that leads to this machine is refused, also when it led elsewhere a moment before", async () => {
  const answers = [["93.184.216.34"], ["127.0.0.1"], ["93.184.216.34", "169.254.169.254"]];
  let looked = 0;
  using at = await proxied({ reachable: isPublic, resolve: async () => answers[++looked] ?? ["127.0.0.1"] });
  for (let i = 0; i < 2; i++) expect(await at.say(get(at.port))).toStartWith("HTTP/1.1 502 ");
  expect([looked, at.heard]).toEqual([2, []]);
});

/** The first bytes of a real client. */
async function helloOf(servername: string): Promise<Buffer> {
  const heard = Promise.withResolvers<Buffer>();
  const server = createServer((socket) => {
    socket.on("error", () => {});
    socket.once("data", (chunk) => {
      heard.resolve(Buffer.from(chunk));
      socket.destroy();
    });
  }).listen(0, "127.0.0.1");
  await new Promise((done) => server.once("listening", done));
  const { port } = server.address() as { port: number };
  connectTls({ host: "127.0.0.1", port, servername, rejectUnauthorized: false }).on("error", () => {});
  const said = await heard.promise;
  server.close();
  return said;
}

/** The same with an empty one of these behind its other extensions. */
function withExtension(hello: Buffer, type: number): Buffer {
  const longer = Buffer.concat([hello, Buffer.from([type >> 8, type & 255, 0, 0])]);
  let at = 5 + 4 + 2 + 32;
  at += 1 + longer.readUInt8(at);
  at += 2 + longer.readUInt16BE(at);
  at += 1 + longer.readUInt8(at);
  for (const place of [3, 7, at]) longer.writeUInt16BE(longer.readUInt16BE(place) + 4, place);
  return longer;
}

test("a greeting whose real name is encrypted is for nobody knows whom", async () => {
  const hello = await helloOf("here.test");
  expect(readHello(withExtension(hello, 0x1234))).toEqual({ name: "here.test" });
  expect(readHello(withExtension(hello, 0xfe0d))).toBe("none");
});

test("a tunnel is for the host that it was asked for", async () => {
  using at = await proxied();
  const open = `CONNECT here.test:${at.port} HTTP/1.1\r\n\r\n`;
  const greet = async (servername: string) => at.say(Buffer.concat([Buffer.from(open), await helloOf(servername)]));
  await greet("here.test");
  expect(at.heard).toHaveLength(1);
  await greet("evil.test");
  await at.say(`${open}SSH-2.0-x\r\n`);
  expect(at.heard).toHaveLength(1);
  expect(at.notes.filter((note) => note.includes("refused"))).toHaveLength(2);
});

test("a private address is for a host that the user named, and a cloud's metadata for none", () => {
  expect(isReachable("10.1.2.3", "far")).toBe(false);
  expect(isReachable("10.1.2.3", "near")).toBe(true);
  expect(isReachable("fd12::1", "near")).toBe(true);
  for (const address of ["127.0.0.1", "169.254.169.254", "100.100.100.200", "fd00:ec2::254", "168.63.129.16", "::1"])
    expect([address, isReachable(address, "near")]).toEqual([address, false]);
  expect(neverReached("example.com", "far")).toBeUndefined();
  expect(neverReached("registry.corp.internal", "far")).toContain("sandbox.domains");
  expect(neverReached("registry.corp.internal", "near")).toBeUndefined();
  expect(neverReached("intranet", "far")).toContain("sandbox.domains");
  for (const host of ["metadata.google.internal", "169.254.169.254", "[fd00:ec2::254]", "100.100.100.200"])
    expect([host, neverReached(host, "near")]).toEqual([host, expect.stringContaining("keys")]);
  expect(neverReached("localhost", "far")).toContain("not an address on the internet");
});

test("a host that is refused for good is refused without a question, and an address says that it is none", async () => {
  let asked = 0;
  const ask = async () => {
    asked++;
    return "yes" as const;
  };
  using at = await proxied({ ask, refuses: async (host) => (host === "shut.test" ? "a rule forbids it" : undefined) });
  expect(await at.say(get(at.port, "shut.test"))).toContain("shut.test: a rule forbids it");
  expect(await at.say(get(at.port, "10.1.2.3"))).toContain("is an address");
  expect(asked).toBe(0);
  expect(at.notes).toEqual(["shut.test refused a rule forbids it", expect.stringContaining("is an address")]);
});
