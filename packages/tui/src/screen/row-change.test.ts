import { expect, test } from "bun:test";
import fc from "fast-check";
import { createVirtualTerminal } from "../test/virtual-terminal.ts";
import { Painter } from "./paint.ts";
import { rowChange } from "./row-change.ts";

const columns = 40;
const bold = (text: string) => `\x1b[1m${text}\x1b[22m`;
const amber = (text: string) => `\x1b[38;5;173m${text}\x1b[39m`;
const link = (text: string) => `\x1b]8;;https://a.example/\x1b\\${text}\x1b]8;;\x1b\\`;

test("a row that grows behind coloured words is not written again from the first of them on", () => {
  const was = `  it says ${bold("plainly")} what `;
  expect(rowChange(was, `${was}it ${amber("found")}`, columns)).toEqual({
    column: 23,
    text: `it ${amber("found")}`,
    erase: false,
  });
  expect(rowChange(`it says so ${bold("plain")}`, `it says so ${bold("plainly")}.`, columns)).toEqual({
    column: 16,
    text: "\x1b[1mly\x1b[22m.",
    erase: false,
  });
});

test("of a row whose sign turns, only the sign is written", () => {
  const turning = (sign: string) => `${amber(sign)} answering ${amber("5s")}`;
  expect(rowChange(turning("⠏"), turning("⠋"), columns)).toEqual({
    column: 0,
    text: "\x1b[38;5;173m⠋",
    erase: false,
  });
});

test("a letter that a sign joins is written again with it", () => {
  for (const sign of ["\u0301", "\u200d", "\ufe0f", "\u0e33", "\u11a8", "\uff9e"])
    expect(rowChange("it says a cafe", `it says a cafe${sign} there`, columns).column).toBe(0);
});

test("what stands behind a sign of which terminals differ how wide it is, is written again with it", () => {
  const rest = " and a long end";
  for (const [was, now] of [
    ["👩\u200d🚀", "字"],
    ["🇩🇪", "🇸🇪"],
    ["ᄀ\u1161", "ᄂ\u1161"],
    ["", "\u200b"],
  ])
    expect(rowChange(was + rest, now + rest, columns)).toEqual({ column: 0, text: now + rest, erase: true });
});

const words = [
  "a",
  "it says",
  "plainly ",
  "é",
  "字",
  "👍",
  "⠏",
  " ",
  "`x`",
  "e\u0301",
  "12345678",
  "\t",
  "\x07",
  "👩\u200d🚀",
  "🇩🇪",
];
const part = fc.oneof(
  fc.constantFrom(...words),
  fc.constantFrom(...words).map(bold),
  fc.constantFrom(...words).map(amber),
  fc.constantFrom("\x1b[7m", "\x1b[0m", "\x1b[48;2;1;2;3m").map((on) => `${on}x`),
  fc.constantFrom(...words).map(link),
);
const row = fc.array(part, { maxLength: 9 }).map((parts) => parts.join(""));

/** Every cell with its colours. */
function cellsOf(terminal: ReturnType<typeof createVirtualTerminal>): string[] {
  const line = terminal.raw.buffer.normal.getLine(0);
  return Array.from({ length: columns }, (_, at) => {
    const cell = line?.getCell(at);
    const drawn = cell?.getChars() || " ";
    const colours = [cell?.getFgColor(), cell?.getBgColor(), cell?.isBold(), cell?.isInverse()];
    return [drawn, ...colours].join("/");
  });
}

test("whatever a row was before, it looks as if it had been written on an empty line", () => {
  fc.assert(
    fc.property(fc.array(row, { minLength: 2, maxLength: 5 }), fc.constantFrom("own", "behind"), (rows, how) => {
      const [first = ""] = rows;
      const all = how === "own" ? rows : rows.map((_, at) => first + rows.slice(1, at + 1).join(""));
      const paint = () => new Painter({ columns, height: 3, sync: false, cursor: "hardware" });
      const changed = createVirtualTerminal(columns, 3);
      const painter = paint();
      const target = (text: string) => ({ chunk: [], window: [text, "below"], scrolls: false });
      changed.write(painter.paint("clear", target(all[0] ?? "")).bytes);
      for (const text of all.slice(1)) {
        changed.write(painter.paint("none", target(text)).bytes);
        const fresh = createVirtualTerminal(columns, 3);
        fresh.write(paint().paint("clear", target(text)).bytes);
        expect(cellsOf(changed)).toEqual(cellsOf(fresh));
        expect(changed.grid()).toEqual(fresh.grid());
      }
    }),
    { numRuns: 300 },
  );
}, 60_000);
