import { expect, test } from "bun:test";
import type { writeSync } from "node:fs";
import { descriptor } from "./descriptor.ts";

const fault = (code: string) => Object.assign(new Error(code), { code });

test("a pipe that takes a little at a time gets every byte once and in order", async () => {
  const got: number[] = [];
  let turn = 0;
  const write = ((_: number, bytes: Uint8Array, at: number) => {
    turn++;
    if (turn % 3 === 0) throw fault("EAGAIN");
    if (turn % 5 === 0) throw fault("EINTR");
    const piece = bytes.subarray(at, at + 7);
    got.push(...piece);
    return piece.length;
  }) as typeof writeSync;
  const text = "größer ".repeat(40);
  await descriptor(1, write)(text);
  expect(Buffer.from(got).toString()).toBe(text);
});

test("a reader that left is told and not waited for", async () => {
  const write = (() => {
    throw fault("EPIPE");
  }) as typeof writeSync;
  expect(await descriptor(1, write)("x").catch((error: { code: string }) => error.code)).toBe("EPIPE");
});
