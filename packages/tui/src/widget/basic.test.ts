import { expect, test } from "bun:test";
import { createDecoder } from "../input/decoder.ts";
import type { InputEvent } from "../input/event.ts";
import type { View } from "../screen/frame.ts";
import { strip, width } from "../text/width.ts";
import { plainTheme } from "../theme/palette.ts";
import { boxView, progressRow, statusRow, textView } from "./basic.ts";
import { createScrollPane } from "./scroll-pane.ts";

const press = (view: View, bytes: string) => {
  const decoder = createDecoder();
  for (const event of [...decoder.feed(bytes), ...decoder.flush()]) view.input?.(event as InputEvent);
};

const text = (view: View, columns = 40) => view.render(columns, 24).map((row) => strip(row).trimEnd());

test("a status line drops what matters least when there is no room", () => {
  const parts = [
    { text: "model", side: "left", weight: 3 },
    { text: "a long path", side: "left", weight: 1 },
    { text: "12%", side: "right", weight: 2 },
  ] as const;
  expect(statusRow(plainTheme, parts, 30)).toBe("model  a long path         12%");
  expect(statusRow(plainTheme, parts, 14)).toBe("model      12%");
  expect(statusRow(plainTheme, parts, 4)).toBe("mod…");
});

test("a box keeps what is inside it, a bar says how far it is, and a pane shows its part", () => {
  const box = boxView(
    plainTheme,
    () => "title",
    textView(() => "wide 한국어 text\x1b[2J"),
  );
  for (const columns of [6, 12, 40]) for (const row of box.render(columns, 10)) expect(width(row)).toBe(columns);
  expect(progressRow(plainTheme, 0.5, "files", 24)).toBe("███████░░░░░░  50% files");
  const pane = createScrollPane(
    plainTheme,
    () => Array.from({ length: 20 }, (_, at) => `row ${at}`),
    () => 3,
  );
  pane.render(40, 24);
  press(pane, "\x1b[6~\x1b[B");
  expect(text(pane)).toEqual(["row 4", "row 5", "row 6", "5-7 of 20"]);
  press(pane, "\x1b[<65;1;1M");
  expect(text(pane)[0]).toBe("row 7");
});
