import { expect, test } from "bun:test";
import { isDeep, readLines, tooLong } from "./lines.ts";

async function linesIn(chunks: readonly string[], max = 10): Promise<unknown[]> {
  const bytes = async function* () {
    for (const chunk of chunks) yield Buffer.from(chunk, "latin1");
  };
  return Array.fromAsync(readLines(bytes(), max));
}

test("lines end with LF wherever the chunks are cut, and one that is too long is passed over", async () => {
  expect(await linesIn(["a\nb", "c\r\n", "\n", "d"])).toEqual(["a", "bc", "d"]);
  expect(await linesIn(["x".repeat(11), "\nok\n"])).toEqual([tooLong, "ok"]);
  expect(await linesIn([...Array(50).fill("xyz"), "\n", "0123456789\n", "01234567890"])).toEqual([
    tooLong,
    "0123456789",
    tooLong,
  ]);
  expect(await linesIn([])).toEqual([]);
});

test("a sign that is cut between two chunks is whole again", async () => {
  const text = Buffer.from('{"a":"ü\u2028"}\n').toString("latin1");
  const cut = [...text];
  expect(await linesIn(cut, 100)).toEqual(['{"a":"ü\u2028"}']);
});

test("a value is too deep by its own brackets, whatever stands in its strings", () => {
  const nested = (levels: number) => "[".repeat(levels) + "]".repeat(levels);
  expect([nested(1000), nested(1001), nested(100_000)].map(isDeep)).toEqual([false, true, true]);
  expect(isDeep(JSON.stringify({ text: nested(5000), more: `\\"${nested(5000)}` }))).toBe(false);
  expect(isDeep(`{"a\\\\":${nested(2000)}}`)).toBe(true);
  expect(isDeep(`"${"x".repeat(5000)}`)).toBe(false);
  expect(isDeep(JSON.stringify(Array.from({ length: 5000 }, () => [{}])))).toBe(false);
});
