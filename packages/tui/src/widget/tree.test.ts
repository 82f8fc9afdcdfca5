import { expect, test } from "bun:test";
import { createDecoder } from "../input/decoder.ts";
import type { InputEvent } from "../input/event.ts";
import type { View } from "../screen/frame.ts";
import { strip } from "../text/width.ts";
import { plainTheme } from "../theme/palette.ts";
import { createTree } from "./tree.ts";

const press = (view: View, bytes: string) => {
  const decoder = createDecoder();
  for (const event of [...decoder.feed(bytes), ...decoder.flush()]) view.input?.(event as InputEvent);
};

const text = (view: View, columns = 40) => view.render(columns, 24).map((row) => strip(row).trimEnd());

test("a tree opens, closes and says what was chosen", () => {
  const chosen: string[] = [];
  const roots = [
    {
      value: "src",
      label: "src",
      children: [
        { value: "a", label: "a.ts" },
        { value: "lib", label: "lib", children: [{ value: "b", label: "b.ts" }] },
      ],
    },
    { value: "doc", label: "doc" },
  ];
  const tree = createTree({ theme: plainTheme, roots, choose: (value) => chosen.push(value) });
  expect(text(tree)).toEqual(["❯ ▾ src", "  ├─   a.ts", "  ╰─ ▸ lib", "    doc"]);
  press(tree, "\x1b[B\x1b[B\x1b[C\x1b[C\r");
  expect(chosen).toEqual(["b"]);
  press(tree, "\x1b[D\x1b[D");
  expect(text(tree)[2]).toBe("❯ ╰─ ▸ lib");
  press(tree, "\x1b[D\x1b[D");
  expect(text(tree)).toEqual(["❯ ▸ src", "    doc"]);
});
