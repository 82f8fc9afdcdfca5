import type { Attend, Attended } from "@pith/coder";
import { fit } from "@pith/tui/look";
import type { Io } from "../io/io.ts";
import type { Out } from "../io/out.ts";
import { oneLine } from "../view/canvas.ts";
import { Keys } from "./keys.ts";

/** The terminal a person sits at: where lines come from, and where a program can be shown. */
export interface Desk {
  keys: Keys;
  attend: Attend;
}

export function openDesk(io: Pick<Io, "input" | "out">): Desk {
  const keys = new Keys(io.input);
  const attend = lent({
    out: io.out,
    keys,
    size: () => ({ columns: process.stdout.columns || 80, rows: process.stdout.rows || 24 }),
    raw: (on) => void process.stdin.setRawMode?.(on),
    onResize(listener) {
      process.stdout.on("resize", listener);
      return { [Symbol.dispose]: () => void process.stdout.off("resize", listener) };
    },
  });
  return { keys, attend };
}

interface Terminal {
  out: Pick<Out, "write">;
  keys: Keys;
  size(): { columns: number; rows: number };
  /** Keys one by one and without an echo, or lines as usual. */
  raw(on: boolean): void;
  /** Calls back when the terminal has another size. */
  onResize(listener: () => void): Disposable;
}

/** Gives the whole terminal to a program until it ends. Only pictures of its screen are drawn, never its own bytes. */
function lent(terminal: Terminal): Attend {
  const size = () => {
    const { columns, rows } = terminal.size();
    return { columns, rows: Math.max(2, rows - 1) };
  };
  return { size, show: (program) => void play(terminal, size, program) };
}

async function play(terminal: Terminal, size: Attend["size"], program: Attended): Promise<void> {
  const { out } = terminal;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const draw = () => {
    timer = undefined;
    out.write(picture(program, size()));
  };
  const soon = () => {
    timer ??= setTimeout(draw, frameMs);
  };
  terminal.raw(true);
  out.write("\x1b[?1049h\x1b[2J");
  program.onChange(soon);
  const typed = terminal.keys.take((bytes) => type(program, Buffer.from(bytes).toString("utf8")));
  const resized = terminal.onResize(() => {
    const { columns, rows } = size();
    program.resize(columns, rows);
    soon();
  });
  soon();
  try {
    await program.done;
  } finally {
    clearTimeout(timer);
    typed[Symbol.dispose]();
    resized[Symbol.dispose]();
    out.write("\x1b[0m\x1b[?25h\x1b[?1049l");
    terminal.raw(false);
  }
}

/** Ctrl+] is ours; everything else belongs to the program, Escape too. */
function type(program: Attended, keys: string): void {
  if (keys.includes(endKey)) {
    program.end();
    return;
  }
  const { arrows } = program.screen();
  // biome-ignore lint/suspicious/noControlCharactersInRegex: keys are sequences
  program.write(arrows === "application" ? keys.replace(/\x1b\[([ABCDHF])/g, "\x1bO$1") : keys);
}

function picture(program: Attended, { columns, rows }: { columns: number; rows: number }): string {
  const { rows: lines, cursor } = program.screen();
  const body = lines.slice(0, rows).map((line, i) => `\x1b[${i + 1};1H${line}\x1b[0m\x1b[K`);
  const title = fit(` ${oneLine(program.command.split("\n", 1)[0] ?? "")}  (Ctrl+] ends it)`, columns - 1);
  const foot = `\x1b[${rows + 1};1H\x1b[7m${title}\x1b[0m\x1b[K`;
  return `\x1b[?25l${body.join("")}${foot}\x1b[${cursor.row + 1};${cursor.column + 1}H\x1b[?25h`;
}

const endKey = "\x1d";
const frameMs = 16;
