// Files that are UTF-8 but for a few bytes: no edit changes a byte that it was not asked to change.
import { expect, test } from "bun:test";
import fc from "fast-check";
import { decode, encode, markOf } from "../../snapshot/decode.ts";
import { type Change, compile, lineChanges, splice } from "./change.ts";
import { Lines } from "./line.ts";

const bytes = (...parts: (string | number)[]): Buffer =>
  Buffer.concat(parts.map((part) => (typeof part === "string" ? Buffer.from(part) : Buffer.of(part))));

function read(file: Buffer) {
  const decoded = decode(file);
  if (!decoded.ok) throw new Error(decoded.message);
  return decoded.value;
}

function edit(file: Buffer, ...changes: Change[]): Buffer {
  const plan = compile(read(file), changes);
  if (!plan.ok) throw new Error(plan.message);
  return splice(file, plan.value);
}

/** Lines of a file give way to rows. */
function rewrite(file: Buffer, from: number, to: number, rows: readonly string[]): Buffer {
  return edit(file, ...lineChanges(new Lines(read(file).text), [{ from, to, rows }]));
}

test("one bad byte in a UTF-8 file is shown as what it is, and all else as it reads", () => {
  const { text, encoding, bad } = read(bytes("schön\ncaf", 0xe9, "\n"));
  expect([text, encoding, bad]).toEqual(["schön\ncaf\\xE9\n", "utf-8", [9]]);
});

test("a file with more bad bytes than letters of several bytes is no UTF-8", () => {
  expect(read(bytes("caf", 0xe9, "\n"))).toMatchObject({ encoding: "latin1", text: "café\n" });
  expect(read(bytes("caf", 0xe9, " ö ", 0xe8, "\n"))).toMatchObject({ encoding: "latin1" });
  expect(read(bytes("caf", 0xe9, " ö\n"))).toMatchObject({ encoding: "utf-8" });
  expect(read(bytes(0xef, 0xbb, 0xbf, "caf", 0xe9))).toMatchObject({ encoding: "utf-8", bom: "bom", text: "caf\\xE9" });
});

test("a row that is given back as it was shown keeps its byte, and one that is not loses it", () => {
  const file = bytes("schön\ncaf", 0xe9, " one\nend\n");
  expect(rewrite(file, 2, 2, ["caf\\xE9 two"])).toEqual(bytes("schön\ncaf", 0xe9, " two\nend\n"));
  expect(rewrite(file, 2, 2, ["cafe"])).toEqual(bytes("schön\ncafe\nend\n"));
});

test("the text of a bad byte means the byte only as often as the rows held it", () => {
  const file = bytes("schön\ncaf", 0xe9, "\nend\n");
  expect(rewrite(file, 2, 2, ["a \\xE9", "b \\xE9", "c \\xE8"])).toEqual(
    bytes("schön\na ", 0xe9, "\nb \\xE9\nc \\xE8\nend\n"),
  );
  expect(rewrite(file, 3, 3, ["\\xE9"])).toEqual(bytes("schön\ncaf", 0xe9, "\n\\xE9\n"));
});

test("text that only looks like a bad byte stays text when the line is changed beside it", () => {
  const file = bytes("schön ü\nb'\\xE9' is ", 0xe9, " here\n");
  expect(rewrite(file, 2, 2, ["b'\\xE9' is \\xE9 there"])).toEqual(bytes("schön ü\nb'\\xE9' is ", 0xe9, " there\n"));
});

test("a line that is moved takes its byte along", () => {
  const file = bytes("ä\nx", 0xe9, "\nb\nc\n");
  const lines = new Lines(read(file).text);
  const moved = lineChanges(lines, [
    { from: 2, to: 2, rows: [] },
    { from: 5, to: 4, rows: ["x\\xE9"] },
  ]);
  expect(edit(file, ...moved)).toEqual(bytes("ä\nb\nc\nx", 0xe9, "\n"));
});

test("a change of half of what shows a byte is a change of all of it", () => {
  const file = bytes("ä x", 0xe9, "y\n");
  const at = read(file).text.indexOf("E9");
  expect(edit(file, { start: at, end: at + 2, text: "E8" })).toEqual(bytes("ä x\\xE8y\n"));
});

const piece = fc.oneof(
  fc.constantFrom("a", "  ", "ö", "中", "\u{1f600}", "\\xE9", "\\x", "E9", "é").map((text) => Buffer.from(text)),
  fc.integer({ min: 0x80, max: 0xff }).map((byte) => Buffer.of(byte)),
);
const row = fc.array(piece, { maxLength: 6 }).map((pieces) => Buffer.concat(pieces));

test("whatever bytes a file has, an edit of some rows leaves all others as they were", () => {
  fc.assert(
    fc.property(
      fc.array(row, { minLength: 1, maxLength: 8 }),
      fc.constantFrom("\n", "\r\n"),
      fc.boolean(),
      fc.nat(7),
      fc.nat(3),
      fc.array(fc.constantFrom("new", "ö", "", "  x"), { minLength: 1, maxLength: 3 }),
      (rows, eol, mark, at, length, fresh) => {
        const head = mark ? Buffer.of(0xef, 0xbb, 0xbf) : Buffer.alloc(0);
        const whole = rows.map((line) => Buffer.concat([line, Buffer.from(eol)]));
        const file = Buffer.concat([head, ...whole]);
        const decoded = read(file);
        const from = Math.min(at, rows.length - 1) + 1;
        const to = Math.min(rows.length, from + length);
        const encoded = encode(fresh.map((line) => line + eol).join(""), decoded.encoding);
        if (!encoded.ok || decoded.bom !== (mark ? "bom" : "no bom")) return;
        const wanted = Buffer.concat([head, ...whole.slice(0, from - 1), encoded.value, ...whole.slice(to)]);
        expect(rewrite(file, from, to, fresh)).toEqual(wanted);
        // Given back as they were shown, rows are the bytes they were.
        const lines = new Lines(decoded.text);
        const same = Array.from({ length: to - from + 1 }, (_, i) => lines.at(from + i));
        expect(rewrite(file, from, to, same)).toEqual(file);
        expect(rewrite(file, from, to, [...same, "more"])).toEqual(
          Buffer.concat([head, ...whole.slice(0, to), Buffer.from(`more${eol}`), ...whole.slice(to)]),
        );
      },
    ),
    { numRuns: 2000 },
  );
});

test("decoding any bytes without NUL and writing the text back as one change gives the same bytes", () => {
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
      const file = Buffer.concat(pieces);
      const { ok } = decode(file);
      // Bytes behind a mark of UTF-16 that are none are no text, and not edited.
      if (!ok) return void expect(["fffe", "feff"]).toContain(file.toString("hex", 0, 2));
      const decoded = read(file);
      expect(edit(file, { start: 0, end: decoded.text.length, text: decoded.text })).toEqual(file);
      const all = encode(decoded.text, decoded.encoding);
      if (all.ok && !decoded.bad) expect(Buffer.concat([markOf(decoded), all.value])).toEqual(file);
    }),
    { numRuns: 2000 },
  );
});
