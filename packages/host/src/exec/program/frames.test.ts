import { expect, test } from "bun:test";
import { tooLong } from "@pith/kit";
import { frameOf, readFrames } from "./frames.ts";

async function read(parts: readonly Uint8Array[], max = 1000) {
  const got: (string | typeof tooLong)[] = [];
  const bytes = (async function* () {
    yield* parts;
  })();
  for await (const text of readFrames(bytes, max)) got.push(text);
  return got;
}

const bytes = (text: string) => Buffer.from(text);

test("messages come whole, however their bytes were cut", async () => {
  const texts = ["{}", "é€𐍈", "", "a\r\n\r\nb"];
  const all = bytes(texts.map(frameOf).join(""));
  for (let size = 1; size <= all.length; size++) {
    const parts = Array.from({ length: Math.ceil(all.length / size) }, (_, at) =>
      all.subarray(at * size, (at + 1) * size),
    );
    expect(await read(parts)).toEqual(texts);
  }
});

test("a message that is too long is named and dropped, and the next one is read", async () => {
  const all = bytes(`${frameOf("x".repeat(5000))}${frameOf("next")}`);
  expect(await read([all])).toEqual([tooLong, "next"]);
  expect(await read(Array.from(all, (_, at) => all.subarray(at, at + 1)))).toEqual([tooLong, "next"]);
});

test("other fields of a header do not matter, and a half message is none", async () => {
  expect(await read([bytes("Content-Type: x\r\ncontent-length:  2\r\n\r\nok")])).toEqual(["ok"]);
  expect(await read([bytes("Content-Length: 9\r\n\r\nhalf")])).toEqual([]);
});

test.each([
  ["no length", "X: 1\r\n\r\n"],
  ["a length that is none", "Content-Length: -1\r\n\r\n"],
  ["a length beyond numbers", "Content-Length: 99999999999999999999\r\n\r\n"],
  ["no end", "x".repeat(10_000)],
])("a header with %s ends the reading", async (_, text) => {
  expect(read([bytes(text)])).rejects.toThrow("header");
});
