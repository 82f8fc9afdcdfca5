// Time and chance come in through the door, so a test can hold both still.
export interface Clock {
  now(): number;
}
export const systemClock: Clock = { now: () => Date.now() };

/** A time-ordered UUID (version 7): 48 bits of milliseconds, then chance. */
export function uuid7(now: number): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  for (let i = 0; i < 6; i++) bytes[i] = Math.floor(now / 2 ** (8 * (5 - i))) & 0xff;
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x70;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = Buffer.from(bytes).toString("hex");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

/** The beginning of a time-ordered id that names it among others: all of its milliseconds; the first 8 are a minute. */
export const idStart = (id: string): string => id.slice(0, 13);

/** Eight hex digits, unlike any that `taken` knows. */
export function shortId(taken: (id: string) => boolean): string {
  for (;;) {
    const id = Buffer.from(crypto.getRandomValues(new Uint8Array(4))).toString("hex");
    if (!taken(id)) return id;
  }
}
