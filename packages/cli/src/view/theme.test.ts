import { expect, test } from "bun:test";
import type { TerminalEnv } from "@pith/tui/theme";
import { scrollTheme } from "./theme.ts";

const painted = (env: TerminalEnv) => scrollTheme(env, "linux").paint("error", "no");
const bullet = (env: TerminalEnv) => scrollTheme(env, "linux").glyph.bullet;

test("NO_COLOR and dumb terminals get letters and nothing else", () => {
  expect(painted({ NO_COLOR: "1", TERM: "xterm" })).toBe("no");
  expect(painted({ TERM: "dumb" })).toBe("no");
  expect(painted({ NO_COLOR: "", TERM: "xterm" })).toContain("\u001b[");
});

test("as many colours are used as the terminal has", () => {
  expect(painted({ TERM: "xterm" })).not.toContain("38;5;");
  expect(painted({ TERM: "xterm-256color" })).toContain("38;5;");
});

test("a terminal with a light ground gets colours that can be read on it", () => {
  const dark = painted({ TERM: "xterm-256color", COLORFGBG: "15;0" });
  expect(dark).toBe(painted({ TERM: "xterm-256color" }));
  expect(painted({ TERM: "xterm-256color", COLORFGBG: "0;default;15" })).not.toBe(dark);
});

test("signs are plain letters where the system knows no others", () => {
  expect(bullet({ TERM: "xterm" })).toBe("•");
  expect(bullet({ TERM: "xterm", LANG: "C.UTF-8", NO_COLOR: "1" })).toBe("•");
  expect(bullet({ TERM: "xterm", LANG: "C" })).toBe("*");
  expect(bullet({ TERM: "dumb" })).toBe("*");
});
