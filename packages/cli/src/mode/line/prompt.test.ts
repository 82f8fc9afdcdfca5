import { expect, test } from "bun:test";
import { until } from "@pith/kit/test";
import { createDecoder, type InputEvent } from "@pith/tui";
import { createVirtualTerminal } from "@pith/tui/test";
import { plainTheme } from "@pith/tui/theme";
import fc from "fast-check";
import { LinePrompt } from "./prompt.ts";

function open(can: "erase" | "backspace", recall?: () => Promise<string[]>) {
  const window = createVirtualTerminal(20, 12);
  // A terminal makes a whole line end of every line feed.
  const write = (text: string) => window.write(text.replaceAll("\n", "\r\n"));
  const size = () => ({ columns: window.columns, rows: window.rows });
  const prompt = new LinePrompt({ theme: plainTheme, size, can, pastes: "marked", write, recall });
  const decoder = createDecoder();
  const type = (keys: string) => prompt.input(...([...decoder.feed(keys), ...decoder.flush()] as InputEvent[]));
  return { window, prompt, type, tape: () => window.tape().join("\n").trimEnd() };
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
      const { window, prompt, type, tape } = open("erase");
      const written: string[] = [];
      let text = "";
      let asked = ">";
      prompt.ask("usual");
      for (const each of steps) {
        if (each.do === "type") {
          text = each.text;
          // All of it is typed anew, and the cursor goes back a little.
          type(`\x05\x15${text}${"\x02".repeat(each.cursor)}`);
        } else if (each.do === "ask") {
          asked = each.text;
          prompt.ask({ text: asked, token: "warn" });
        } else if (each.do === "sign") prompt.sign(each.text);
        else if (each.do === "lend") prompt.lend()[Symbol.dispose]();
        else {
          written.push(each.text);
          prompt.write(`${each.text}\n`);
        }
        await Promise.resolve();
      }
      prompt.sign(undefined);
      const rest = tape().slice(written.map((line) => `${line}\n`).join("").length);
      expect(tape().startsWith(written.join("\n"))).toBe(true);
      expect(rest.replace(/[\n ]/g, "")).toBe(`${asked}${text}`.replaceAll(" ", ""));
      expect(window.cursor().row).toBeLessThan(window.rows);
    }),
    { numRuns: 300 },
  );
});

test("where nothing can be moved, what is typed is erased from its end, and written again below other lines", () => {
  const { prompt, type, tape } = open("backspace");
  prompt.ask("usual");
  type("ab日");
  type("\x7f");
  expect(tape()).toBe("> ab");
  prompt.write("other\n");
  type("c");
  expect(tape()).toBe("> ab\nother\n> abc");
  prompt.end();
  prompt.write("answer\n");
  expect(tape()).toBe("> ab\nother\n> abc\nanswer");
});

test("Up brings back what was typed in earlier sessions, also with keys behind it that come at once", async () => {
  const { prompt, type, tape } = open("erase", async () => ["newest", "older"]);
  prompt.ask("usual");
  type("\x1b[A\x1b[A\x1b[B!");
  await until(() => tape() === "> newest!", tape());
});
