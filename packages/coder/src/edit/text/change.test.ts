import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { decode, type Encoding, encode } from "../../snapshot/decode.ts";
import { type Change, compile, insertLines, replaceLines, splice, spliceText } from "./change.ts";
import { align, blocksOf, unified } from "./diff.ts";
import { excerpt } from "./excerpt.ts";
import { Lines } from "./line.ts";

const piece = fc.oneof(
  fc.constantFrom("\n", "\r\n", "\r", "a", "b", "\t", "  ", "é", "\u{1f600}", "}", "x".repeat(50)),
  fc.string({ unit: "binary", maxLength: 3 }),
);
const text = fc.array(piece, { maxLength: 40 }).map((parts) => parts.join("").replaceAll("\0", ""));

/** Changes that do not overlap and cut no character in two. */
const edited = fc
  .tuple(text, fc.array(fc.tuple(fc.nat(1000), fc.nat(5), text), { maxLength: 5 }))
  .map(([base, raw]) => {
    const spots = [0];
    for (const char of base) spots.push((spots.at(-1) ?? 0) + char.length);
    let least = 0;
    const changes: Change[] = [];
    for (const [at, length, fresh] of raw.toSorted((a, b) => a[0] - b[0])) {
      const from = Math.max(least, Math.floor((at / 1001) * spots.length));
      const to = Math.min(spots.length - 1, from + length);
      if (from > to) continue;
      changes.push({ start: spots[from] ?? 0, end: spots[to] ?? 0, text: fresh });
      least = to + 1;
    }
    return { base, changes };
  });

function ask<T>(result: { ok: true; value: T } | { ok: false; message: string }): T {
  if (!result.ok) throw new Error(result.message);
  return result.value;
}

describe("no byte outside the plan changes", () => {
  const forms: [string, Encoding, number[]][] = [
    ["UTF-8", "utf-8", []],
    ["UTF-8 with a mark", "utf-8", [0xef, 0xbb, 0xbf]],
    ["UTF-16 little endian", "utf-16le", [0xff, 0xfe]],
    ["UTF-16 big endian", "utf-16be", [0xfe, 0xff]],
  ];
  test.each(forms)("in %s", (_, encoding, mark) => {
    fc.assert(
      fc.property(edited, ({ base, changes }) => {
        if (!base.isWellFormed() || !changes.every((change) => change.text.isWellFormed())) return;
        if (mark.length === 0 && base.startsWith("\ufeff")) return;
        const bytes = Buffer.concat([Buffer.from(mark), ask(encode(base, encoding))]);
        const decoded = ask(decode(bytes));
        expect(decoded.text).toBe(base);
        const plan = ask(compile(decoded, changes));
        const made = splice(bytes, plan);
        expect(made.equals(Buffer.concat([Buffer.from(mark), ask(encode(spliceText(base, changes), encoding))]))).toBe(
          true,
        );
        // What stands between two ranges is the same run of bytes before and after.
        let [at, moved] = [0, 0];
        for (const range of [...plan, { start: bytes.length, end: bytes.length, bytes: new Uint8Array() }]) {
          expect(made.subarray(at + moved, range.start + moved).equals(bytes.subarray(at, range.start))).toBe(true);
          moved += range.bytes.length - (range.end - range.start);
          at = range.end;
        }
      }),
      { numRuns: 300 },
    );
  });
});

test("changed lines, put back together, give the new text, and the diff says the same", () => {
  fc.assert(
    fc.property(edited, ({ base, changes }) => {
      const [before, after] = [new Lines(base), new Lines(spliceText(base, changes))];
      const blocks = blocksOf(before, after, changes);
      const made: string[] = [];
      let at = 1;
      for (const block of blocks) {
        made.push(...before.wholes(at, block.oldStart - 1));
        expect(made.length + 1).toBe(block.newStart);
        made.push(...after.wholes(block.newStart, block.newStart + block.added - 1));
        at = block.oldStart + block.removed;
      }
      made.push(...before.wholes(at, before.count));
      expect(made.join("")).toBe(after.text);
      excerpt(before, after, blocks);
      unified(before, after, blocks, { from: "a", to: "a" });
    }),
    { numRuns: 1000 },
  );
});

test("an alignment is never longer than the lines that differ", () => {
  const line = fc.constantFrom("a\n", "b\n", "c\n", "}\n");
  fc.assert(
    fc.property(fc.array(line, { maxLength: 30 }), fc.array(line, { maxLength: 30 }), (a, b) => {
      const blocks = align(a, b);
      const made: string[] = [];
      let at = 0;
      for (const block of blocks) {
        made.push(...a.slice(at, block.oldStart - 1), ...b.slice(block.newStart - 1, block.newStart - 1 + block.added));
        at = block.oldStart - 1 + block.removed;
      }
      expect([...made, ...a.slice(at)]).toEqual(b);
    }),
    { numRuns: 1000 },
  );
});

describe("line edits keep the line ends around them", () => {
  const cases: [string, string, (lines: Lines) => Change, string][] = [
    ["a replaced line in a CRLF file", "a\r\nb\r\n", (l) => replaceLines(l, 1, 1, ["x", "y"]), "x\r\ny\r\nb\r\n"],
    ["each line of a mixed file", "a\r\nb\nc\r\n", (l) => replaceLines(l, 1, 3, ["x", "y", "z"]), "x\r\ny\nz\r\n"],
    ["the last line without a newline", "a\nb", (l) => replaceLines(l, 2, 2, ["x", "y"]), "a\nx\ny"],
    ["a line added after one without a newline", "a\r\nb", (l) => insertLines(l, 2, ["x", "y"]), "a\r\nb\r\nx\r\ny"],
    ["a line added before everything", "a\r\n", (l) => insertLines(l, 0, ["x"]), "x\r\na\r\n"],
    ["lines in an empty file", "", (l) => insertLines(l, 0, ["x", "y"]), "x\ny\n"],
    ["the only line, deleted", "a", (l) => replaceLines(l, 1, 1, []), ""],
    ["the last line, deleted, without a newline", "a\r\nb", (l) => replaceLines(l, 2, 2, []), "a"],
    ["a middle line, deleted", "a\nb\nc", (l) => replaceLines(l, 2, 2, []), "a\nc"],
    ["a lone CR is a line end and stays one", "a\rb\n", (l) => replaceLines(l, 1, 1, ["x"]), "x\rb\n"],
  ];
  test.each(cases)("%s", (_, base, make, want) => {
    const lines = new Lines(base);
    expect(spliceText(base, [make(lines)])).toBe(want);
  });
});

test("an excerpt numbers what went by the old file and what stands by the new one", () => {
  const before = new Lines("1\n2\n3\n4\n5\n6\n");
  const changes = [replaceLines(before, 3, 3, ["x", "y"]), insertLines(before, 6, ["z"])];
  const after = new Lines(spliceText(before.text, changes));
  expect(excerpt(before, after, blocksOf(before, after, changes))).toBe(
    " 1:1\n 2:2\n-3:3\n+3:x\n+4:y\n 5:4\n 6:5\n 7:6\n+8:z",
  );
});

test("a change of a hundred lines does not fill the context", () => {
  const before = new Lines("");
  const changes = [
    insertLines(
      before,
      0,
      Array.from({ length: 100 }, (_, i) => String(i)),
    ),
  ];
  const after = new Lines(spliceText("", changes));
  const shown = excerpt(before, after, blocksOf(before, after, changes)).split("\n");
  expect(shown.length).toBe(17);
  expect(shown[8]).toBe("… 84 more lines");
});
