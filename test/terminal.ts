import { until } from "../packages/kit/src/test/index.ts";
import { createVirtualTerminal } from "../packages/tui/src/test/virtual-terminal.ts";
import { waitsFor } from "./full.ts";
import { envOf, program } from "./pith.ts";
import type { Scratch } from "./scratch.ts";

/** Starts `pith --line` at a pseudo-terminal. */
export function terminal(
  dir: Scratch,
  argv: readonly string[],
  env: Readonly<Record<string, string>> = {},
  { cols, rows } = { cols: 80, rows: 24 },
) {
  dir.write({ "work/.keep": "", "tmp/.keep": "" });
  const window = createVirtualTerminal(cols, rows);
  const decoder = new TextDecoder();
  let screen = "";
  const child = Bun.spawn([...program, "--line", ...argv], {
    cwd: dir.at("work"),
    env: envOf(dir, { NO_COLOR: "1", TERM: "xterm", LANG: "C.UTF-8", ...env }),
    terminal: {
      cols,
      rows,
      data: (_, data) => {
        const text = decoder.decode(data, { stream: true });
        screen += text;
        window.write(text);
      },
    },
  });
  const grid = () => window.grid().join("\n").trimEnd();
  const tape = () => window.tape().join("\n").trimEnd();
  const { wait, idle, takesKeys } = waitsFor(grid, tape);
  const sees = (text: string | RegExp) =>
    wait(
      () => (typeof text === "string" ? screen.includes(text) || tape().includes(text) : text.test(tape())),
      `${text}`,
    );
  const asked = () => /^│ .*(?:Esc no|n no)/m.test(grid());
  return {
    child,
    sees,
    takesKeys,
    type: (text: string) => child.terminal?.write(text),
    screen: () => screen,
    /** All that the window shows and has scrolled away, as it stands. */
    tape,
    /** Waits until nothing runs: text of an answer is shown before its turn has ended. */
    waits: () => idle(),
    asks: () => wait(asked, "a question"),
    /** Answers the question that stands; a key that comes too soon is dropped, and pressed again. */
    async answers(key: string) {
      await wait(asked, "a question");
      const question = grid();
      let pressed = Number.NEGATIVE_INFINITY;
      await until(() => {
        if (!asked() || grid() !== question) return true;
        if (performance.now() - pressed < 500) return false;
        pressed = performance.now();
        child.terminal?.write(key);
        return false;
      }, `an answer to ${question}`);
    },
  };
}
