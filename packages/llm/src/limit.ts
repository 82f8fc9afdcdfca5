import type { Failure } from "./message/stream.ts";

const kib = 1024;
const mib = 1024 * kib;

/**
 * Limits on what a server may make us hold, counted on decompressed data as it arrives. They are far above what an
 * honest server sends; one that sends more is broken or hostile, and asking again would not help.
 */
export const limits = {
  /**
   * Characters of what is parsed at once: an event, a line, a frame, or an answer that is not streamed. Some vendors
   * repeat the whole answer in the last event.
   */
  event: 4 * mib,
  /** Brackets in an event: parsed, `{}` takes thirty times its length. */
  brackets: 200_000,
  /**
   * Characters of a reply: text, thoughts and arguments. An answer of a million tokens has half of that; it becomes one
   * line of the record, which must stay readable.
   */
  reply: 8 * mib,
  /** Events of a reply: each is held for a while by every listener, however short. */
  pieces: 500_000,
  /** Bytes in a row without content: keep-alives and unknown events. */
  nothing: 16 * mib,
  /** Blocks of a reply, calls among them. */
  blocks: 1000,
  /** Bytes of an error body that are read; the status alone says enough. */
  refusal: 64 * kib,
  /** Bytes of an answer with credentials. */
  credential: 256 * kib,
  /** Bytes of a server's list of its models. */
  models: 4 * mib,
  /** Bytes of a public list of models. */
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

/** The failure that ends an answer beyond a limit; what came before is kept, and it is not retried. */
export const flood = (limit: keyof typeof words): Failure => ({
  kind: "flood",
  message: `the server sent more than ${formatLimit(limits[limit])} ${words[limit]}, and was stopped`,
});

/** A limit for people. */
export const formatLimit = (size: number): string =>
  size >= mib && size % mib === 0
    ? `${size / mib} MB`
    : size % kib === 0
      ? `${size / kib} KB`
      : size.toLocaleString("en-US");
