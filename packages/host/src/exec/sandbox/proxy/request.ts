import { hostName } from "./domain.ts";

/** The first thing that a client says to a proxy. */
export type Request =
  | { kind: "tunnel"; host: string; port: number; rest: Buffer }
  | { kind: "plain"; method: string; host: string; port: number; head: string; length: number; rest: Buffer };

/**
 * Reads the head of a request. There is one way to read it or none: what two programs could read in two ways (two
 * lengths, a folded line, a name with a NUL) is refused.
 */
export function readRequest(bytes: Buffer): Request | "more" | { bad: string } {
  const end = bytes.indexOf("\r\n\r\n");
  if (end === -1) return bytes.length > mostHead ? { bad: "the head of the request is too long" } : "more";
  const [line = "", ...fields] = bytes.toString("latin1", 0, end).split("\r\n");
  const rest = bytes.subarray(end + 4);
  const headers: [name: string, value: string][] = [];
  for (const field of fields) {
    const [, name, value] = /^([!#$%&'*+.^_`|~\w-]+):[ \t]*([\t\x20-\x7e\x80-\xff]*?)[ \t]*$/.exec(field) ?? [];
    if (name === undefined || value === undefined) return { bad: "a header is not one" };
    headers.push([name.toLowerCase(), value]);
  }
  const [, method = "", target = ""] = /^([A-Z]+) (\S+) HTTP\/1\.[01]$/.exec(line) ?? [];
  if (method === "CONNECT") {
    const place = readPlace(target, undefined);
    return place ? { kind: "tunnel", ...place, rest } : { bad: notNamed(target, "the host is not one") };
  }
  const [, authority = "", path = ""] = /^http:\/\/([^/?#]*)([^#]*)$/i.exec(target) ?? [];
  const place = readPlace(authority, 80);
  if (method === "" || !place) return { bad: notNamed(authority, "the request is not one") };
  const named = headers.filter(([name]) => name === "host");
  const spoken = named.length === 1 ? readPlace(named[0]?.[1] ?? "", 80) : undefined;
  if (!spoken || spoken.host !== place.host || spoken.port !== place.port)
    return { bad: "the header Host names another host" };
  const length = lengthOf(headers);
  if (length === undefined) return { bad: "the length of the request is not clear" };
  const passed = headers.filter(([name]) => !own.has(name));
  const host = place.port === 80 ? place.host : `${place.host}:${place.port}`;
  const head = [
    `${method} ${path.startsWith("/") ? path : `/${path}`} HTTP/1.1`,
    `host: ${host}`,
    ...passed.map(([name, value]) => `${name}: ${value}`),
    // What came next on the same connection might be for anybody.
    "connection: close",
    "\r\n",
  ].join("\r\n");
  return { kind: "plain", method, ...place, head, length, rest };
}

/** Says of an address that it is no name: what it leads to cannot be compared with what somebody said yes to. */
const notNamed = (text: string, otherwise: string): string =>
  /^(?:\d+(?:\.\d+){3}|\[[\da-f:.]+\])(?::\d+)?$/i.test(text)
    ? `${text} is an address, and the sandbox lets commands reach hosts by name only`
    : otherwise;

function readPlace(text: string, usual: number | undefined): { host: string; port: number } | undefined {
  const [, name = "", port] = /^([^:@[\]]+)(?::(\d{1,5}))?$/.exec(text) ?? [];
  const host = hostName(Buffer.from(name, "latin1").toString("utf8"));
  const number = port === undefined ? usual : Number(port);
  return host === undefined || number === undefined || number < 1 || number > 65_535
    ? undefined
    : { host, port: number };
}

/** In parts of its own making a second request could hide, for another host. */
function lengthOf(headers: readonly (readonly [string, string])[]): number | undefined {
  const lengths = headers.flatMap(([name, value]) => (name === "content-length" ? [value] : []));
  if (headers.some(([name]) => name === "transfer-encoding")) return undefined;
  if (lengths.length === 0) return 0;
  return lengths.length === 1 && /^\d{1,15}$/.test(lengths[0] ?? "") ? Number(lengths[0]) : undefined;
}

const own = new Set(["host", "connection", "proxy-connection", "proxy-authorization", "keep-alive", "te", "upgrade"]);
const mostHead = 64 * 1024;
