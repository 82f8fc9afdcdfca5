import { expect, test } from "bun:test";
import { builtinTheme } from "./palette.ts";
import { pen, styleNames } from "./theme.ts";

test("a style inside a style gives the outer one back", () => {
  const red = pen({ fg: 1 }, "16");
  const blue = pen({ fg: 4 }, "16");
  expect(red(`a${blue("b")}c`)).toBe("\x1b[31ma\x1b[34mb\x1b[39m\x1b[31mc\x1b[39m");
  expect(pen({ fg: "#ff0000" }, "true")("x")).toBe("\x1b[38;2;255;0;0mx\x1b[39m");
  expect(pen({ fg: "#ff0000" }, "256")("x")).toBe("\x1b[38;5;196mx\x1b[39m");
  expect(pen({ fg: "#ff0000" }, "16")("x")).toBe("\x1b[91mx\x1b[39m");
});

test("without colour nothing but attributes is sent", () => {
  const none = builtinTheme({ level: "none", palette: "contrast" });
  // biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences are the subject
  const coloured = /\x1b\[(?:\d+;)*(?:3[0-8]|4[0-8]|9\d|10\d)/;
  for (const name of styleNames) expect(none.paint(name, "x")).not.toMatch(coloured);
  expect(none.paint("selected", "x")).toBe("\x1b[7mx\x1b[27m");
});
