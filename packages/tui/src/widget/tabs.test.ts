import { expect, test } from "bun:test";
import { createDecoder } from "../input/decoder.ts";
import type { InputEvent } from "../input/event.ts";
import type { View } from "../screen/frame.ts";
import { strip } from "../text/width.ts";
import { plainTheme } from "../theme/palette.ts";
import { createTabs } from "./tabs.ts";

const press = (view: View, bytes: string) => {
  const decoder = createDecoder();
  for (const event of [...decoder.feed(bytes), ...decoder.flush()]) view.input?.(event as InputEvent);
};

const text = (view: View, columns = 40) => view.render(columns, 24).map((row) => strip(row).trimEnd());

test("tabs turn with the Tab key and hand everything else to the one in front", () => {
  const heard: string[] = [];
  const page = (name: string): View => ({
    render: () => [name],
    input: (event) => (heard.push(name + (event.type === "key" ? event.combo : "")) > 0 ? "used" : "passed"),
  });
  const tabs = createTabs(plainTheme, [
    { label: "one", view: page("1") },
    { label: "two", view: page("2") },
  ]);
  press(tabs, "x\t");
  expect(text(tabs).at(-1)).toBe("2");
  press(tabs, "y\x1b[Z");
  expect(heard).toEqual(["1x", "2y"]);
  expect(tabs.index).toBe(0);
});
