import { expect, test } from "bun:test";
import { SixelStream } from "./sixel.ts";

const picture = '\x1bP0;1;0q"1;1;6;6#0;2;0;0;0#0~~@@-\r\n$!6~\x1b\\';
const through = (text: string, size: number) => {
  const stream = new SixelStream();
  const found: string[] = [];
  for (let at = 0; at < text.length; at += size) found.push(...stream.push(Buffer.from(text.slice(at, at + size))));
  return found;
};

test("a picture is found whole, wherever the stream is cut", () => {
  const text = `before ${picture}\x1b[31mbetween\x1b[0m${picture} after`;
  for (const size of [1, 2, 7, 1000]) expect(through(text, size)).toEqual([picture, picture]);
});

test("nothing but a picture gets through", () => {
  for (const text of [
    "\x1bPq#0~\x1b]0;title\x07\x1b\\",
    "\x1bPq no picture\x1b\\",
    "\x1bP$qm\x1b\\",
    "\x1b]0;title\x07\x1b[2J",
    "\x1bPq#0~ never ends",
  ])
    for (const size of [1, 1000]) expect(through(text, size)).toEqual([]);
});

test("a stream that never ends its picture is not kept for ever", () => {
  const stream = new SixelStream();
  stream.push(Buffer.from("\x1bPq"));
  for (let at = 0; at < 20; at++) expect(stream.push(Buffer.from("~".repeat(1024 * 1024)))).toEqual([]);
  expect(stream.push(Buffer.from("\x1b\\"))).toEqual([]);
});
