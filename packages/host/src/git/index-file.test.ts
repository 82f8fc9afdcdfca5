import { expect, test } from "bun:test";
import fc from "fast-check";
import { trackedIn } from "./index-file.ts";
import { Unclear } from "./repository.ts";

const none = () => undefined;
const number = (value: number) => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
};
/** An index of version 4, in which each entry keeps all but `strip` bytes of the name before it. */
function packed(entries: readonly { strip: number; rest: string }[], extensions: readonly Buffer[] = []): Buffer {
  const rows = entries.flatMap(({ strip, rest }) => [Buffer.alloc(62), Buffer.from([strip]), Buffer.from(`${rest}\0`)]);
  return Buffer.concat([
    Buffer.from("DIRC"),
    number(4),
    number(entries.length),
    ...rows,
    ...extensions,
    Buffer.alloc(20),
  ]);
}
const extension = (name: string, body: Buffer) => Buffer.concat([Buffer.from(name), number(body.length), body]);

test("names that share their beginning are put together", () => {
  const index = packed([
    { strip: 0, rest: "src/a.ts" },
    { strip: 4, rest: "b.ts" },
    { strip: 8, rest: "z" },
  ]);
  expect([...trackedIn(index, new Set(["src", "src/b.ts", "b.ts", "z", "sr"]), none)].toSorted()).toEqual([
    "src",
    "src/b.ts",
    "z",
  ]);
});

test("a damaged index is unclear, wherever the damage is", () => {
  const whole = packed(
    Array.from({ length: 30 }, (_, n) => ({ strip: n === 0 ? 0 : 2, rest: `d/${n}` })),
    [extension("TREE", Buffer.alloc(9)), extension("link", Buffer.alloc(60, 1))],
  );
  const damage = fc.oneof(
    fc.nat(whole.length).map((end) => whole.subarray(0, end)),
    fc.array(fc.tuple(fc.nat(whole.length - 1), fc.nat(255)), { minLength: 1, maxLength: 8 }).map((places) => {
      const bytes = Buffer.from(whole);
      for (const [at, byte] of places) bytes[at] = byte;
      return bytes;
    }),
    fc.uint8Array({ maxLength: 400 }).map((bytes) => Buffer.concat([Buffer.from("DIRC\0\0\0"), bytes])),
  );
  fc.assert(
    fc.property(damage, fc.option(damage), (index, half) => {
      let thrown: unknown;
      try {
        trackedIn(index, new Set(["d", "d/1"]), () => half ?? undefined);
      } catch (error) {
        thrown = error;
      }
      expect(thrown === undefined || thrown instanceof Unclear).toBe(true);
    }),
    { numRuns: 3000, seed: 3 },
  );
});

test("a small index with very long names or endless bits takes neither time nor memory", () => {
  const began = performance.now();
  const long = packed([
    { strip: 0, rest: "a/".repeat(2000) },
    ...Array.from({ length: 200_000 }, () => ({ strip: 2, rest: "b/" })),
  ]);
  expect(() => trackedIn(long, new Set(["x"]), none)).toThrow(Unclear);
  // A marker that claims 2^32 words of set bits.
  const bits = Buffer.concat([Buffer.alloc(20, 7), number(64), number(1), Buffer.from("00000001ffffffff", "hex")]);
  const split = packed([], [extension("link", Buffer.concat([bits, number(0)]))]);
  expect([...trackedIn(split, new Set(["a"]), () => packed([{ strip: 0, rest: "a" }]))]).toEqual([]);
  expect(performance.now() - began).toBeLessThan(5000);
});

test("an unknown extension that is required is unclear, an optional one is skipped", () => {
  const entries = [{ strip: 0, rest: "a" }];
  const withOne = (name: string) => packed(entries, [extension(name, Buffer.alloc(3))]);
  expect([...trackedIn(withOne("NEWX"), new Set(["a"]), none)]).toEqual(["a"]);
  expect(() => trackedIn(withOne("newx"), new Set(["a"]), none)).toThrow(Unclear);
  expect(() => trackedIn(packed(entries, [extension("link", Buffer.alloc(20, 1))]), new Set(["a"]), none)).toThrow(
    Unclear,
  );
});
