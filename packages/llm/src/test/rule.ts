/** A request as a server sees it. */
export interface Ask<Body> {
  body: Body;
  headers: Headers;
  url: URL;
  raw: string;
}

/** A documented reason to refuse a request. */
export interface Rule<Body> {
  name: string;
  /** The documentation in our words. */
  says: string;
  /** The page that says it. */
  page: string;
  status?: number;
  /** Describes what is wrong; later rules may rely on earlier ones. */
  check(ask: Ask<Body>): string | undefined;
  /** Ways to break a good request, which they may change in place. */
  broken: Break<Body> | readonly Break<Body>[];
}
/** Written as a method, so that rules of different bodies stand in one list. */
type Break<Body> = { spoil(body: Body, headers: Headers): unknown }["spoil"];

export interface Refusal {
  rule: string;
  status: number;
  message: string;
}

export function refusalOf<Body>(rules: readonly Rule<Body>[], ask: Ask<Body>): Refusal | undefined {
  for (const rule of rules) {
    const message = rule.check(ask);
    if (message !== undefined) return { rule: rule.name, status: rule.status ?? 400, message };
  }
  return undefined;
}

/** First repeated name. */
export const repeated = (names: readonly string[]): string | undefined =>
  names.find((name, at) => names.indexOf(name) !== at);

/** A signature that only this server can have made for this text. */
export const signatureFor = (text: string): string =>
  Buffer.from(`signed:${Bun.hash(text).toString(36)}`).toString("base64");

/** Decoded size of base64. */
export const bytesOf = (base64: string): number => Math.floor((base64.length * 3) / 4);
