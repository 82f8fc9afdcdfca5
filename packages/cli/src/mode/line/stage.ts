import type { Attend, Attended } from "@pith/coder";
import { plainText } from "@pith/kit";
import type { Out } from "../../io/out.ts";
import { fit } from "../../view/draw.ts";
import type { Keys } from "./keys.ts";

export interface StageParts {
  out: Pick<Out, "write">;
  keys: Keys;
  size(): { columns: number; rows: number };
  /** Keys one by one and without an echo, or lines as usual. */
  raw(on: boolean): void;
  /** Calls back when the terminal has another size. */
  onResize(listener: () => void): Disposable;
}

/** Gives the whole terminal to a program until it ends. Only pictures of its screen are drawn, never its own bytes. */
export function stage(parts: StageParts): Attend {
  const size = () => {
    const { columns, rows } = parts.size();
    return { columns, rows: Math.max(2, rows - 1) };
  };
  return { size, show: (program) => void play(parts, size, program) };
}

async function play(parts: StageParts, size: Attend["size"], program: Attended): Promise<void> {
  const { out } = parts;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const draw = () => {
    timer = undefined;
    out.write(picture(program, size()));
  };
  const soon = () => {
    timer ??= setTimeout(draw, frameMs);
  };
  parts.raw(true);
  out.write("\x1b[?1049h\x1b[2J");
  program.onChange(soon);
  const typed = parts.keys.take((bytes) => type(program, Buffer.from(bytes).toString("utf8")));
  const resized = parts.onResize(() => {
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
    parts.raw(false);
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
  const title = fit(plainText(` ${program.command.split("\n", 1)[0]}  (Ctrl+] ends it)`), columns - 1);
  return `\x1b[?25l${body.join("")}\x1b[${rows + 1};1H\x1b[7m${title}\x1b[0m\x1b[K\x1b[${cursor.row + 1};${cursor.column + 1}H\x1b[?25h`;
}

const endKey = "\x1d";
const frameMs = 16;
