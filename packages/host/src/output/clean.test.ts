import { expect, test } from "bun:test";
import { cleanText } from "@pith/kit";
import fc from "fast-check";
import { CleanStream } from "./clean.ts";

function through(bytes: Uint8Array, borders: readonly number[]): string {
  const stream = new CleanStream();
  const out: Uint8Array[] = [];
  let at = 0;
  for (const border of [...borders].sort((a, b) => a - b)) {
    out.push(stream.push(bytes.subarray(at, border)));
    at = border;
  }
  out.push(stream.push(bytes.subarray(at)), stream.end());
  return Buffer.concat(out).toString();
}
const everywhere = (text: string) => Array.from({ length: Buffer.byteLength(text) }, (_, i) => i);
const whole = (bytes: Uint8Array) => cleanText(new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes), "stay");

const piece = fc.oneof(
  fc.constantFrom(
    "\x1b",
    "\x1b[",
    "\x1b[31m",
    "\x1b[0;1",
    "m",
    "\x1b]0;title\x07",
    "\x1b]8;;url\x1b\\",
    "\x1b]",
    "\x1bP",
    "\x1bP0;1q#0~-",
    "\x1bPtmux;",
    "\x1b_",
    "\x9b",
    "\x90",
    "\x9c",
    "\x07",
    "\x1b\\",
  ),
  fc.constantFrom(
    "\r",
    "\n",
    "\r\n",
    "\0",
    "\t",
    "\x7f",
    "\x1b(B",
    "\x1b ",
    "é",
    "😀",
    "\x85",
    "\ufeff",
    "abc",
    " ",
    "0",
  ),
);
const torn = fc.constantFrom(
  Uint8Array.of(0xf0, 0x9f),
  Uint8Array.of(0xe2, 0x82),
  Uint8Array.of(0xff),
  Uint8Array.of(0xc2),
  Uint8Array.of(0x80),
);

test("wherever a stream is cut into chunks, the clean text is the same", () => {
  const bytes = fc.array(
    fc.oneof({ weight: 6, arbitrary: piece.map((text) => Buffer.from(text) as Uint8Array) }, torn),
    { maxLength: 12 },
  );
  fc.assert(
    fc.property(bytes, fc.array(fc.nat(60), { maxLength: 8 }), (parts, borders) => {
      const all = Buffer.concat(parts);
      const inside = borders.filter((border) => border <= all.length);
      expect(through(all, inside)).toBe(whole(all));
    }),
    { numRuns: 3000 },
  );
});

test("an escape sequence that arrives byte by byte does not leak", () => {
  const text = "a\x1b[31;1mred\x1b[0m\x1b]0;evil title\x07b\x1b]8;;http://x\x1b\\link\x1b]8;;\x1b\\\r\n😀";
  expect(through(Buffer.from(text), everywhere(text))).toBe("aredblink\n😀");
});

test("clean ASCII passes without being copied", () => {
  const chunk = Buffer.from("hello\tworld\n");
  expect(new CleanStream().push(chunk)).toBe(chunk);
});

test("a sequence without its end swallows nothing that comes after it", () => {
  for (const [start, seen] of [
    ["\x1b]0;", "0;"],
    ["\x1bP", ""],
    ["\x1b_G", "G"],
    ["\x9d", ""],
  ]) {
    const text = `before ${start}the rest\nand more${".".repeat(5000)}`;
    const out = through(Buffer.from(text), everywhere(text).slice(0, 40));
    expect(out).toStartWith(`before ${seen}the rest\nand more`);
  }
  const long = `\x1b]${"x".repeat(300_000)}`;
  expect(through(Buffer.from(`${long}\x07`), [10, 100_000, 280_000])).toBe("x".repeat(300_000));
});

test("an endless string sequence or parameter list is not collected", () => {
  const picture = new CleanStream();
  expect(picture.push(Buffer.from("\x1bPq")).length).toBe(0);
  for (let i = 0; i < 200; i++) expect(picture.push(Buffer.from("#0;2;0;0;0~-".repeat(1000))).length).toBe(0);
  expect(Buffer.from(picture.push(Buffer.from("\x1b\\after"))).toString()).toBe("after");

  const numbers = new CleanStream();
  let out = 0;
  for (let i = 0; i < 20; i++) out += numbers.push(Buffer.from(`${i === 0 ? "\x1b[" : ""}${"0".repeat(1000)}`)).length;
  expect(out).toBeGreaterThan(10_000);
});
