import { expect, test } from "bun:test";
import { createDecoder } from "../input/decoder.ts";
import type { InputEvent } from "../input/event.ts";
import type { View } from "../screen/frame.ts";
import { strip } from "../text/width.ts";
import { plainTheme } from "../theme/palette.ts";
import { createScrollPane } from "./scroll-pane.ts";

const press = (view: View, bytes: string) => {
  const decoder = createDecoder();
  for (const event of [...decoder.feed(bytes), ...decoder.flush()]) view.input?.(event as InputEvent);
};

const text = (view: View, columns = 40) => view.render(columns, 24).map((row) => strip(row).trimEnd());

test("a pane shows the part of its rows that keys have moved to", () => {
  const pane = createScrollPane(
    plainTheme,
    () => Array.from({ length: 20 }, (_, at) => `row ${at}`),
    () => 3,
  );
  pane.render(40, 24);
  press(pane, "\x1b[6~\x1b[B");
  expect(text(pane)).toEqual(["row 4", "row 5", "row 6", "5-7 of 20"]);
});
