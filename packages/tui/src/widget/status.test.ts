import { expect, test } from "bun:test";
import { plainTheme } from "../theme/palette.ts";
import { statusRow } from "./status.ts";

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
