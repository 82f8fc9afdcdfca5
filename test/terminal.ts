import { until } from "../packages/kit/src/test/index.ts";
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
  let screen = "";
  const child = Bun.spawn([...program, "--line", ...argv], {
    cwd: dir.at("work"),
    env: envOf(dir, { NO_COLOR: "1", TERM: "xterm", ...env }),
    terminal: {
      cols,
      rows,
      data: (_, data) => {
        screen += Buffer.from(data).toString();
      },
    },
  });
  const sees = async (text: string | RegExp) => {
    const shown = () => (typeof text === "string" ? screen.includes(text) : text.test(screen));
    await until(shown, `${text} in ${screen}`);
  };
  const ends = async (text: string) => {
    await until(() => screen.endsWith(text), `${text} at the end of ${screen}`);
  };
  /** Waits for the prompt: text of an answer is shown before its turn has ended. */
  const waits = () => ends("> ");
  const asks = async () => {
    await until(() => /Allow it\? \[y\/(?:s\/p\/)?n\](?:\r\n>)? $/.test(screen), `a question at the end of ${screen}`);
  };
  return { child, sees, waits, asks, type: (text: string) => child.terminal?.write(text), screen: () => screen };
}
