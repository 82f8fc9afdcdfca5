// Bytes of a UTF-8 file that are no UTF-8 are shown as `\xE9`. `bad` tells where such text stands for a byte; the same
// text elsewhere is what it says.

/** How many characters show one byte. */
export const shown = 4;

/** A change of the text, as a plan has it. */
interface Change {
  start: number;
  end: number;
  text: string;
}

/** Those that begin between two places. */
export const within = (bad: readonly number[], from: number, to: number): readonly number[] =>
  bad.slice(firstAt(bad, from), firstAt(bad, to));

/** The changes without what they leave as it is, so that no byte there is written anew; none ends inside of a byte. */
export function exactly(text: string, bad: readonly number[], changes: readonly Change[]): Change[] {
  return changes.map((change) => {
    const { start, end, text: fresh } = widened(text, bad, change);
    const most = Math.min(end - start, fresh.length);
    let head = 0;
    while (head < most && text[start + head] === fresh[head]) head++;
    head = (inside(bad, start + head) ?? start + head) - start;
    let tail = 0;
    while (tail < most - head && text[end - 1 - tail] === fresh[fresh.length - 1 - tail]) tail++;
    const cut = inside(bad, end - tail);
    if (cut !== undefined) tail = end - cut - shown;
    if (isHalf(fresh.charCodeAt(head - 1), 0xd800)) head--;
    if (isHalf(fresh.charCodeAt(fresh.length - tail), 0xdc00)) tail--;
    return { start: start + head, end: end - tail, text: fresh.slice(head, fresh.length - tail) };
  });
}

/**
 * The bytes of each new text. What shows a byte stands for it as often as the text that gave way held it; what one
 * change has left over goes to the others, so that a line can be moved.
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

/** A change of a part of what shows a byte is one of all of it. */
function widened(text: string, bad: readonly number[], { start, end, text: fresh }: Change): Change {
  const [left, right] = [inside(bad, start), inside(bad, end)];
  const [from, to] = [left ?? start, right === undefined ? end : right + shown];
  return { start: from, end: to, text: text.slice(from, start) + fresh + text.slice(end, to) };
}

/** Where the byte begins that a place is in the middle of. */
function inside(bad: readonly number[], place: number): number | undefined {
  const before = bad[firstAt(bad, place) - 1];
  return before !== undefined && before + shown > place ? before : undefined;
}

/** Index of the first one at or after a place. */
function firstAt(bad: readonly number[], place: number): number {
  let [low, high] = [0, bad.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((bad[middle] ?? 0) < place) low = middle + 1;
    else high = middle;
  }
  return low;
}

const isHalf = (code: number, from: number): boolean => code >= from && code < from + 0x400;

function counted(signs: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const sign of signs) add(counts, sign, 1);
  return counts;
}

function add(counts: Map<string, number>, sign: string, count: number): void {
  counts.set(sign, (counts.get(sign) ?? 0) + count);
}
