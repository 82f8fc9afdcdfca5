import type { TerminalFrontend, TerminalProgram } from "@pith/coder";
import type { Terminal } from "@pith/tui";
import { fit } from "@pith/tui/theme";
import { plainLine } from "../view/canvas.ts";

/** The terminal that programs are shown at, and the screen that makes room for them. */
export interface ProgramTerminal {
  terminal: Pick<Terminal, "columns" | "rows" | "lend">;
  screen: { lend(): Disposable };
}

/**
 * Gives the whole terminal to a program until it ends. Only pictures of its screen are drawn, never its own bytes.
 * `here` is undefined as long as no interface is shown.
 */
export function programsAt(here: () => ProgramTerminal | undefined): TerminalFrontend {
  const size = () => {
    const { columns = 80, rows = 24 } = here()?.terminal ?? {};
    return { columns, rows: Math.max(2, rows - 1) };
  };
  return {
    size,
    show(program) {
      const at = here();
      if (at) void play(at, size, program);
    },
  };
}

async function play({ terminal, screen }: ProgramTerminal, size: TerminalFrontend["size"], program: TerminalProgram) {
  const { stdout } = process;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const draw = () => {
    timer = undefined;
    stdout.write(picture(program, size()));
  };
  const soon = () => {
    timer ??= setTimeout(draw, frameMs);
  };
  using _screen = screen.lend();
  stdout.write("\x1b[?1049h\x1b[2J");
  program.onChange(soon);
  const typed = terminal.lend((bytes) => type(program, Buffer.from(bytes).toString("utf8")));
  const resized = () => {
    const { columns, rows } = size();
    program.resize(columns, rows);
    soon();
  };
  stdout.on("resize", resized);
  soon();
  try {
    await program.done;
  } finally {
    clearTimeout(timer);
    typed[Symbol.dispose]();
    stdout.off("resize", resized);
    stdout.write("\x1b[0m\x1b[?25h\x1b[?1049l");
  }
}

/** Sends keys to the program; Ctrl+] ends it. */
function type(program: TerminalProgram, keys: string): void {
  if (keys.includes(endKey)) {
    program.end();
    return;
  }
  const { arrows } = program.screen();
  // biome-ignore lint/suspicious/noControlCharactersInRegex: keys are sequences
  program.write(arrows === "application" ? keys.replace(/\x1b\[([ABCDHF])/g, "\x1bO$1") : keys);
}

function picture(program: TerminalProgram, { columns, rows }: { columns: number; rows: number }): string {
  const { rows: lines, cursor } = program.screen();
  const body = lines.slice(0, rows).map((line, i) => `\x1b[${i + 1};1H${line}\x1b[0m\x1b[K`);
  const title = fit(` ${plainLine(program.command.split("\n", 1)[0] ?? "")}  (Ctrl+] ends it)`, columns - 1);
  const foot = `\x1b[${rows + 1};1H\x1b[7m${title}\x1b[0m\x1b[K`;
  return `\x1b[?25l${body.join("")}${foot}\x1b[${cursor.row + 1};${cursor.column + 1}H\x1b[?25h`;
}

const endKey = "\x1d";
const frameMs = 16;
