import { timingSafeEqual } from "node:crypto";
import { isIP, isIPv6 } from "node:net";
import { sleep } from "@pith/kit";

/** The secrets of a network address. The socket in the user's home needs none: its file mode guards it. */
export interface Tokens {
  full: string;
  /** Reads everything, changes nothing. */
  watch: string;
}

interface ListenAddress {
  address: string;
  port: number;
}

export type Access = "full" | "watch";
export type Refusal = { status: 401 | 403; why: string };

/** Delays of the answer to a wrong token: the first, the second, every later one. */
const delaysMs = [250, 1000, 3000];
/** Addresses whose wrong tokens are counted; the oldest is forgotten first. */
const maxCounted = 1000;

/** Guards a server on a network address: checks the token, and refuses requests that a foreign web page makes. */
export class Guard {
  readonly #tokens: Tokens;
  readonly #listening: ListenAddress;
  readonly #wait: (ms: number) => Promise<unknown>;
  readonly #wrong = new Map<string, number>();

  constructor(tokens: Tokens, listening: ListenAddress, wait: (ms: number) => Promise<unknown> = sleep) {
    this.#tokens = tokens;
    this.#listening = listening;
    this.#wait = wait;
  }

  /** True when another site led a browser here; the token is not checked. */
  isForeign({ headers }: Request): boolean {
    const origin = headers.get("origin");
    const host = headers.get("host")?.toLowerCase() ?? "";
    if (!isOwnHost(host, this.#listening)) return true;
    const site = headers.get("sec-fetch-site");
    if (site !== null && site !== "same-origin" && site !== "none") return true;
    return origin !== null && origin !== `http://${host}`;
  }

  async admit(request: Request, from = ""): Promise<Access | Refusal> {
    if (this.isForeign(request)) return { status: 403, why: "a foreign host or origin" };
    const token = /^Bearer (\S{1,200})$/.exec(request.headers.get("authorization") ?? "")?.[1];
    const access = (["full", "watch"] as const).find(
      (name) => token !== undefined && isSame(token, this.#tokens[name]),
    );
    const before = this.#wrong.get(from) ?? 0;
    this.#wrong.delete(from);
    if (access) return access;
    this.#wrong.set(from, Math.min(before + 1, delaysMs.length));
    for (const [oldest] of this.#wrong) if (this.#wrong.size > maxCounted) this.#wrong.delete(oldest);
    await this.#wait(delaysMs[Math.min(before, delaysMs.length - 1)] ?? 0);
    return { status: 401, why: token === undefined ? "no token" : "a wrong token" };
  }
}

/** An address as a URL spells it. */
export const hostOf = (address: string): string => (isIPv6(address) ? `[${address}]` : address);

/** True when the `Host` header names this server. A foreign domain name can point here, a number cannot. */
function isOwnHost(host: string, { address, port }: ListenAddress): boolean {
  const name =
    port === 80 ? host.replace(/:80$/, "") : host.endsWith(`:${port}`) ? host.slice(0, -`:${port}`.length) : "";
  if ([hostOf(address).toLowerCase(), "127.0.0.1", "localhost"].includes(name)) return true;
  const isAnyAddress = address === "0.0.0.0" || address === "::";
  return isAnyAddress && isIP(name.replace(/^\[(.*)\]$/, "$1")) !== 0;
}

/** Compares in constant time. */
function isSame(token: string, expected: string): boolean {
  const [a, b] = [Buffer.from(token), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}
