import { until } from "../packages/kit/src/test/index.ts";
import { createVirtualTerminal } from "../packages/tui/src/test/virtual-terminal.ts";
import { envOf, program } from "./pith.ts";
import type { Scratch } from "./scratch.ts";

export interface FullOptions {
  columns?: number;
  rows?: number;
  env?: Readonly<Record<string, string>>;
  /** What is started in the place of pith. */
  shell?: readonly string[];
}

/** Starts the full screen of pith at a pseudo-terminal that understands what is drawn on it. */
export function full(
  dir: Scratch,
  argv: readonly string[],
  { columns = 80, rows = 24, env = {}, shell }: FullOptions = {},
) {
  dir.write({ "work/.keep": "", "tmp/.keep": "", "home/.keep": "" });
  const screen = createVirtualTerminal(columns, rows);
  const decoder = new TextDecoder();
  let bytes = "";
  const child = Bun.spawn(shell ? [...shell] : [...program, ...argv], {
    cwd: dir.at("work"),
    env: envOf(dir, { TERM: "xterm-256color", LANG: "C.UTF-8", ...env }),
    terminal: {
      cols: columns,
      rows,
      data: (_, data) => {
        // A character may come in two pieces.
        const text = decoder.decode(data, { stream: true });
        bytes += text;
        screen.write(text);
      },
    },
  });
  const type = (text: string) => child.terminal?.write(text);
  const grid = () => screen.grid().join("\n");
  const tape = () => screen.tape().join("\n").trimEnd();
  /** What was waited for in vain is told with the screen. */
  const wait = async (holds: () => boolean, what: string) => {
    try {
      await until(holds, what, 30_000);
    } catch (error) {
      throw new Error(`${(error as Error).message} in\n${tape()}`);
    }
  };
  return {
    child,
    type,
    grid,
    tape,
    bytes: () => bytes,
    sees: (text: string) => wait(() => grid().includes(text), text),
    wrote: (text: string) => wait(() => tape().includes(text), text),
    gone: (text: string) => wait(() => !grid().includes(text), `no ${text}`),
    /** The composer stands and nothing runs. */
    idle: () => wait(() => atRest(grid()), "a composer at rest"),
    resize(wide: number, high: number) {
      screen.resize(wide, high);
      child.terminal?.resize(wide, high);
    },
    async leave() {
      type("\x03");
      type("\x03");
      return await child.exited;
    },
  };
}

/** Whether the composer stands and nothing runs. */
export const atRest = (grid: string): boolean => /^❯ *$/m.test(grid) && !working.test(grid);

const working = /^[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏•] (?:thinking|answering|calling|writing|working|running|stopping|waiting)/m;
