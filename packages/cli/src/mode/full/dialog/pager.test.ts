import { expect, test } from "bun:test";
import { type KeyEvent, plainTheme, strip } from "@pith/tui";
import { pager } from "./pager.ts";

const key = (combo: string, text = combo.length === 1 ? combo : ""): KeyEvent => ({
  type: "key",
  name: combo,
  combo,
  text,
  phase: "press",
});

test("a text that is shown page by page is searched with /, from match to match and round again", () => {
  const rows = Array.from({ length: 100 }, (_, at) => (at % 30 === 10 ? `Needle ${at}` : `row ${at}`));
  const shown = pager(plainTheme, "text", () => rows);
  const press = (...keys: KeyEvent[]) => {
    for (const each of keys) shown.input?.(each);
    return shown.render(60, 12).map(strip).join("\n");
  };
  press();
  expect(press(key("/"), ...[..."needle"].map((letter) => key(letter)))).toContain("/needle");
  expect(press(key("enter"))).toContain("Needle 10");
  expect(press(key("n"))).toContain("Needle 40");
  expect(press(key("n"), key("n"))).toContain("Needle 10");
  expect(press(key("shift+n", "N"))).toContain("Needle 70");
  expect(press(key("/"), key("x"), key("q"), key("enter"))).toContain("/xq  not found");
  expect(shown.input?.(key("escape"))).toBe("passed");
});
