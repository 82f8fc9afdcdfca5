import { expect, test } from "bun:test";
import { createVirtualTerminal } from "@pith/tui/test";
import { plainTheme } from "@pith/tui/theme";
import fc from "fast-check";
import type { Line } from "./editor/layout.ts";
import { Foot } from "./prompt.ts";

const lineOf = (text: string, cursor: number): Line => {
  const cells = [...text].map((char) => ({ text: char, shown: char }));
  return { cells, cursor: Math.min(cursor, cells.length) };
};

function open(can: "erase" | "backspace") {
  const window = createVirtualTerminal(20, 12);
  // A terminal makes a whole line end of every line feed.
  const out = { write: (text: string) => window.write(text.replaceAll("\n", "\r\n")) };
  const size = () => ({ columns: window.columns, rows: window.rows });
  const foot = new Foot(out, { theme: plainTheme, size, can });
  return { window, foot, tape: () => window.tape().join("\n").trimEnd() };
}

type Step =
  | { do: "type"; text: string; cursor: number }
  | { do: "write" | "ask" | "sign"; text: string }
  | { do: "lend" };
const words = fc.stringMatching(/^[a-z日 ]{0,45}[a-z日]$/);
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ do: fc.constant("type" as const), text: words, cursor: fc.nat(50) }),
  fc.record({
    do: fc.constantFrom("write" as const, "ask" as const, "sign" as const),
    text: fc.stringMatching(/^[a-z]{1,15}$/),
  }),
  fc.constant({ do: "lend" as const }),
);

test("whatever comes while somebody types, each line stands once, in order, and what is typed below", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
      const { window, foot, tape } = open("erase");
      const written: string[] = [];
      let typed = lineOf("", 0);
      let asked = ">";
      foot.ask("usual");
      for (const each of steps) {
        if (each.do === "type") {
          typed = lineOf(each.text, each.cursor);
          foot.type(typed);
        } else if (each.do === "ask") {
          asked = each.text;
          foot.ask({ text: asked, token: "warn" });
        } else if (each.do === "sign") foot.sign(each.text);
        else if (each.do === "lend") foot.lend()[Symbol.dispose]();
        else {
          written.push(each.text);
          foot.write(`${each.text}\n`);
        }
        await Promise.resolve();
      }
      foot.sign(undefined);
      const text = typed.cells.map(({ shown }) => shown).join("");
      const rest = tape().slice(written.map((line) => `${line}\n`).join("").length);
      expect(tape().startsWith(written.join("\n"))).toBe(true);
      expect(rest.replace(/[\n ]/g, "")).toBe(`${asked}${text}`.replaceAll(" ", ""));
      expect(window.cursor().row).toBeLessThan(window.rows);
    }),
    { numRuns: 300 },
  );
});

test("where nothing can be moved, what is typed is erased from its end, and written again below other lines", () => {
  const { foot, tape } = open("backspace");
  foot.ask("usual");
  foot.type(lineOf("ab日", 3));
  foot.type(lineOf("ab", 2));
  expect(tape()).toBe("> ab");
  foot.write("other\n");
  foot.type(lineOf("abc", 3));
  expect(tape()).toBe("> ab\nother\n> abc");
  foot.entered();
  foot.write("answer\n");
  expect(tape()).toBe("> ab\nother\n> abc\nanswer");
});
