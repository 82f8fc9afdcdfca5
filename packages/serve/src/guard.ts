import { timingSafeEqual } from "node:crypto";
import { isIP, isIPv6 } from "node:net";
import { sleep } from "@pith/kit";

/** Who may do what over a network address; the socket in the home is guarded by its mode alone. */
export interface Tokens {
  full: string;
  /** Looks, and says nothing. */
  watch: string;
}

/** Where a server listens. */
interface Place {
  address: string;
  port: number;
}

export type Access = "full" | "watch";
export type Refusal = { status: 401 | 403; why: string };

/** How long a wrong token waits, longer each time. */
const slowMs = [250, 1000, 3000];
/** Addresses whose wrong tokens are counted; the oldest is forgotten first. */
const mostCounted = 1000;

/** Guards a server on an address: the token, and that no page of somebody else's speaks through a browser. */
export class Guard {
  readonly #tokens: Tokens;
  readonly #place: Place;
  readonly #wrong = new Map<string, number>();

  readonly #wait: (ms: number) => Promise<unknown>;

  constructor(tokens: Tokens, place: Place, wait: (ms: number) => Promise<unknown> = sleep) {
    this.#wait = wait;
    this.#tokens = tokens;
    this.#place = place;
  }

  /** Without a look at the token: whether a browser was led here from elsewhere. */
  isForeign({ headers }: Request): boolean {
    const origin = headers.get("origin");
    const host = headers.get("host")?.toLowerCase() ?? "";
    if (!isOurs(host, this.#place)) return true;
    const site = headers.get("sec-fetch-site");
    if (site !== null && site !== "same-origin" && site !== "none") return true;
    return origin !== null && origin !== `http://${host}`;
  }

  async admit(request: Request, from = ""): Promise<Access | Refusal> {
    if (this.isForeign(request)) return { status: 403, why: "a foreign host or origin" };
    const given = /^Bearer (\S{1,200})$/.exec(request.headers.get("authorization") ?? "")?.[1];
    const access = (["full", "watch"] as const).find(
      (name) => given !== undefined && isSame(given, this.#tokens[name]),
    );
    const before = this.#wrong.get(from) ?? 0;
    this.#wrong.delete(from);
    if (access) return access;
    this.#wrong.set(from, Math.min(before + 1, slowMs.length));
    for (const [oldest] of this.#wrong) if (this.#wrong.size > mostCounted) this.#wrong.delete(oldest);
    await this.#wait(slowMs[Math.min(before, slowMs.length - 1)] ?? 0);
    return { status: 401, why: given === undefined ? "no token" : "a wrong token" };
  }
}

/** An address as it stands in a URL. */
export const hostOf = (address: string): string => (isIPv6(address) ? `[${address}]` : address);

/** Whether a browser that was sent to this host meant us. A name can be led here by whoever owns it; a number cannot. */
function isOurs(host: string, { address, port }: Place): boolean {
  const name =
    port === 80 ? host.replace(/:80$/, "") : host.endsWith(`:${port}`) ? host.slice(0, -`:${port}`.length) : "";
  if ([hostOf(address).toLowerCase(), "127.0.0.1", "localhost"].includes(name)) return true;
  const everywhere = address === "0.0.0.0" || address === "::";
  return everywhere && isIP(name.replace(/^\[(.*)\]$/, "$1")) !== 0;
}

/** Takes as long for any two. */
function isSame(given: string, token: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(token)];
  return a.length === b.length && timingSafeEqual(a, b);
}
