import { expect, test } from "bun:test";
import fc from "fast-check";
import { RepeatedLines } from "./repeats.ts";

function fold(text: string, borders: readonly number[] = []): { text: string; folded: boolean } {
  const bytes = Buffer.from(text);
  const stream = new RepeatedLines();
  let out = "";
  let at = 0;
  for (const border of [...borders.filter((b) => b <= bytes.length).sort((a, b) => a - b), bytes.length]) {
    out += Buffer.from(stream.push(bytes.subarray(at, border))).toString("latin1");
    at = border;
  }
  out += Buffer.from(stream.end()).toString("latin1");
  return { text: Buffer.from(out, "latin1").toString(), folded: stream.folded };
}

test("a line that comes again and again is shown once, with how often", () => {
  expect(fold("y\n".repeat(25_599))).toEqual({ text: "y\n[… the line above, 25599 times …]\n", folded: true });
  expect(fold(`a\n${"b\n".repeat(9)}c\n${"\n".repeat(8)}`).text).toBe(
    "a\nb\n[… the line above, 9 times …]\nc\n\n[… the line above, 8 times …]\n",
  );
});

test("a few repetitions, and a line that only begins like the last one, stay", () => {
  for (const text of ["a\n".repeat(7), "ab\nab\nab", "ab\nabc\nab\n", "\n\n\na", "x".repeat(100)])
    expect(fold(text)).toEqual({ text, folded: false });
});

test("a line without its end is told while it stands there", () => {
  const stream = new RepeatedLines();
  const push = (text: string) => Buffer.from(stream.push(Buffer.from(text))).toString();
  expect([push("same\nsa"), Buffer.from(stream.rest()).toString()]).toEqual(["same\n", "sa"]);
  expect(push("y it: ")).toBe("say it: ");
  expect([push("same\nsame\n".repeat(9)), Buffer.from(stream.rest()).toString()]).toEqual([
    "same\nsame\n",
    "[… the line above, 17 times …]\n",
  ]);
});

test("however it comes in, the same goes out, and it can be unfolded again", () => {
  const row = fc.tuple(fc.constantFrom("a", "ab", "", "é", "abc"), fc.integer({ min: 1, max: 20 }));
  fc.assert(
    fc.property(fc.array(row, { maxLength: 8 }), fc.array(fc.nat(300)), fc.boolean(), (rows, borders, ended) => {
      const all = rows.flatMap(([line, count]) => Array<string>(count).fill(line)).join("\n") + (ended ? "\n" : "");
      const whole = fold(all);
      const unfolded = whole.text.replace(
        /^(.*)\n\[… the line above, (\d+) times …\]\n/gm,
        (_, line: string, count: string) => `${line}\n`.repeat(Number(count)),
      );
      expect(unfolded).toBe(all);
      expect(fold(fold(all, borders).text === whole.text ? all : "differs").text).toBe(whole.text);
    }),
    { numRuns: 500 },
  );
});

test("a hundred megabytes of one line take a moment, as do lines that almost repeat", () => {
  const chunk = Buffer.from("y\n".repeat(32 * 1024));
  const near = Buffer.from(`${"y\n".repeat(32 * 1024 - 1)}z\n`);
  const stream = new RepeatedLines();
  const started = performance.now();
  for (let i = 0; i < 800; i++) stream.push(chunk);
  for (let i = 0; i < 200; i++) stream.push(near);
  // To compare each line with all others would take minutes.
  expect(performance.now() - started).toBeLessThan(10_000);
});
