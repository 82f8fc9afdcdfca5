// Bytes of a UTF-8 file that are no UTF-8 are shown as `\xE9`. `bad` tells where such text stands for a byte; the same
// text elsewhere stands for itself.
import { firstFrom, sharedText } from "./ends.ts";

/** The number of characters that show a byte. */
export const shown = 4;

interface Change {
  start: number;
  end: number;
  text: string;
}

/** The places of bytes that begin between two others. */
export const within = (bad: readonly number[], from: number, to: number): readonly number[] =>
  bad.slice(firstFrom(bad, from), firstFrom(bad, to));

/** The changes without what they leave as it is, so that no byte there is written anew; none ends inside of a byte. */
export function exactly(text: string, bad: readonly number[], changes: readonly Change[]): Change[] {
  return changes.map((change) => {
    const { start, end, text: fresh } = widened(text, bad, change);
    const ends = sharedText(text.slice(start, end), fresh);
    const head = (inside(bad, start + ends.head) ?? start + ends.head) - start;
    const cut = inside(bad, end - ends.tail);
    const tail = cut === undefined ? ends.tail : end - cut - shown;
    return { start: start + head, end: end - tail, text: fresh.slice(head, fresh.length - tail) };
  });
}

/**
 * The bytes of each new text. A sign like `\xE9` stands for its byte as often as the text that gave way held it; bytes
 * that one change has left over go to the others, so that a line can be moved.
 */
export function mixedBytes(text: string, bad: readonly number[], changes: readonly Change[]): Uint8Array[] {
  const spare = new Map<string, number>();
  const given = changes.map(({ start, end, text: fresh }) => {
    const held = counted(within(bad, start, end).map((at) => text.slice(at, at + shown)));
    const wanted = counted(fresh.match(like) ?? []);
    for (const [sign, count] of held) add(spare, sign, count - Math.min(count, wanted.get(sign) ?? 0));
    return held;
  });
  return changes.map(({ text: fresh }, i) => bytesOf(fresh, given[i] ?? new Map(), spare));
}

const like = /\\x[89A-F][0-9A-F]/g;

function bytesOf(text: string, own: Map<string, number>, spare: Map<string, number>): Uint8Array {
  const pieces: Uint8Array[] = [];
  let from = 0;
  for (const { 0: sign, index } of text.matchAll(like)) {
    const store = own.get(sign) ? own : spare;
    if (!store.get(sign)) continue;
    add(store, sign, -1);
    pieces.push(Buffer.from(text.slice(from, index)), Uint8Array.of(Number.parseInt(sign.slice(2), 16)));
    from = index + shown;
  }
  return Buffer.concat([...pieces, Buffer.from(text.slice(from))]);
}

/** The change with all of a sign of which it changes a part. */
function widened(text: string, bad: readonly number[], { start, end, text: fresh }: Change): Change {
  const [left, right] = [inside(bad, start), inside(bad, end)];
  const [from, to] = [left ?? start, right === undefined ? end : right + shown];
  return { start: from, end: to, text: text.slice(from, start) + fresh + text.slice(end, to) };
}

/** The beginning of the sign that a place is in the middle of. */
function inside(bad: readonly number[], place: number): number | undefined {
  const before = bad[firstFrom(bad, place) - 1];
  return before !== undefined && before + shown > place ? before : undefined;
}

function counted(signs: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const sign of signs) add(counts, sign, 1);
  return counts;
}

function add(counts: Map<string, number>, sign: string, count: number): void {
  counts.set(sign, (counts.get(sign) ?? 0) + count);
}
