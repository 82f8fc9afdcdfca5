import { expect, test } from "bun:test";
import { strip, width } from "../text/width.ts";
import { builtinTheme } from "../theme/palette.ts";
import type { ColourLevel } from "../theme/theme.ts";
import { runGallery, stories } from "./gallery.ts";

const draw = async (columns: number, story?: string, level: ColourLevel = "256") => {
  let out = "";
  const result = await runGallery({
    write: (bytes) => {
      out += bytes;
    },
    theme: builtinTheme({ level }),
    level,
    columns,
    height: 24,
    story,
  });
  return { out, result };
};

test("every story fits every width and is the same twice", async () => {
  for (const columns of [20, 40, 80, 160]) {
    const first = await draw(columns);
    for (const row of first.out.split("\n")) expect(width(row)).toBeLessThanOrEqual(columns);
    expect((await draw(columns)).out).toBe(first.out);
  }
});

test("without colours no story has any", async () => {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences are the subject
  expect((await draw(80, undefined, "none")).out).not.toMatch(/\x1b\[(?:\d+;)*(?:3[0-8]|4[0-8]|9\d|10\d)/);
});

test("the gallery looks as it looked", async () => {
  expect(strip((await draw(72)).out)).toMatchSnapshot();
});

test("one story can be asked for, and a wrong name says the right ones", async () => {
  expect((await draw(60, "list")).out.startsWith("\x1b[1mlist")).toBe(true);
  const wrong = await draw(60, "lost");
  expect(wrong.result).toBe("unknown");
  expect(wrong.out).toContain(stories.map((story) => story.name).join(", "));
});
