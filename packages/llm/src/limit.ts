import type { Failure } from "./message/stream.ts";

const kib = 1024;
const mib = 1024 * kib;

/**
 * How much a server may make us hold. All of it is counted on what has been decompressed, as it arrives, and far above
 * what an honest one sends; a server that sends more is broken or hostile, and asking it again would not help.
 */
export const limits = {
  /**
   * Characters of an event, a line, a frame, or an answer that is not streamed: what is parsed at once. Some vendors
   * repeat the whole answer in the last event.
   */
  event: 4 * mib,
  /** Brackets in an event: `{}` takes thirty times its length once it is parsed. */
  brackets: 200_000,
  /**
   * Characters of a reply: text, thoughts and arguments together. An answer of a million tokens has half of it; it
   * becomes one line of the record, which stays one that can be read.
   */
  reply: 8 * mib,
  /** Events of a reply: however short, each is kept for a while by everybody who listens. */
  pieces: 500_000,
  /** Bytes in a row that say nothing: signs of life, events that nobody knows. */
  nothing: 16 * mib,
  /** Blocks of a reply, calls among them. */
  blocks: 1000,
  /** Bytes of a refusal that are looked at; a longer one is cut, because the status alone says enough. */
  refusal: 64 * kib,
  /** Bytes of an answer of those who lend keys. */
  credential: 256 * kib,
  /** Bytes of a server's list of its models. */
  models: 4 * mib,
  /** Bytes of a public list of everybody's models. */
  catalog: 16 * mib,
} as const;

const words = {
  event: "in one event",
  brackets: "brackets in one event",
  reply: "in one reply",
  pieces: "pieces in one reply",
  nothing: "without saying anything",
  blocks: "parts in one reply",
} satisfies Partial<Record<keyof typeof limits, string>>;

/** The end of an answer that went beyond a limit; what came before it is kept, and it is not asked for again. */
export const flood = (limit: keyof typeof words): Failure => ({
  kind: "flood",
  message: `the server sent more than ${formatLimit(limits[limit])} ${words[limit]}, and was stopped`,
});

/** How much that is, for people. */
export const formatLimit = (size: number): string =>
  size >= mib && size % mib === 0
    ? `${size / mib} MB`
    : size % kib === 0
      ? `${size / kib} KB`
      : size.toLocaleString("en-US");
