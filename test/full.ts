import { sleep } from "../packages/kit/src/abort.ts";
import { until } from "../packages/kit/src/test/index.ts";
import { createVirtualTerminal } from "../packages/tui/src/test/virtual-terminal.ts";
import { envOf, program } from "./pith.ts";
import type { Scratch } from "./scratch.ts";

export interface FullOptions {
  columns?: number;
  rows?: number;
  env?: Readonly<Record<string, string>>;
  /** Command to start instead of pith. */
  shell?: readonly string[];
}

/** Starts the full screen of pith at a pseudo-terminal, and reads what it draws with a virtual one. */
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
        // A character may be split between two chunks.
        const text = decoder.decode(data, { stream: true });
        bytes += text;
        screen.write(text);
      },
    },
  });
  const type = (text: string) => child.terminal?.write(text);
  const grid = () => screen.grid().join("\n");
  const tape = () => screen.tape().join("\n").trimEnd();
  return {
    child,
    type,
    grid,
    tape,
    bytes: () => bytes,
    ...waitsFor(grid, tape),
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

/** Waits for a state of the screen; `grid` is what it shows, `tape` all it has shown. A timeout shows the tape. */
export function waitsFor(grid: () => string, tape: () => string) {
  const wait = async (holds: () => boolean, what: string) => {
    try {
      await until(holds, what, 30_000);
    } catch (error) {
      throw new Error(`${(error as Error).message} in\n${tape()}`);
    }
  };
  return {
    wait,
    sees: (text: string) => wait(() => grid().includes(text), text),
    wrote: (text: string) => wait(() => tape().includes(text), text),
    gone: (text: string) => wait(() => !grid().includes(text), `no ${text}`),
    /** Waits until a key counts: a question takes none before nothing was pressed for a while, and shows no sign of it. */
    takesKeys: () => sleep(keyPauseMs),
    /** Waits until the composer is shown and nothing runs. */
    idle: () => wait(() => /^❯ *$/m.test(grid()) && !working.test(grid()), "a composer at rest"),
  };
}

/** Longer than the pause after which a question takes keys, and than a second Ctrl+C counts as such. */
const keyPauseMs = 550;

const working = /^[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏•] (?:thinking|answering|calling|writing|working|running|stopping|waiting)/m;
