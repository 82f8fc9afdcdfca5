import { expect, test } from "bun:test";
import { builtinTheme } from "../theme/palette.ts";
import { createHighlighter } from "./highlight.ts";
import { strip } from "./width.ts";

const theme = builtinTheme({ level: "256" });

test("code is coloured once its language has been loaded, and the lines stay the lines", async () => {
  const told: number[] = [];
  const highlighter = createHighlighter(theme, () => told.push(1));
  const code = "const a = `x\ny`; /* long\ncomment */ <T>1";
  expect(highlighter.lines(code, "ts")).toBeUndefined();
  expect(await highlighter.load("typescript")).toBe(true);
  await Bun.sleep(0);
  expect(told.length).toBe(1);
  const lines = highlighter.lines(code, "ts") ?? [];
  expect(lines.map(strip)).toEqual(code.split("\n"));
  expect(lines[0]).toContain("\x1b[");
  expect(highlighter.lines("x", "nonsense")).toBeUndefined();
});
