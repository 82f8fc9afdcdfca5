import type { Attend, Attended } from "@pith/coder";
import { detectCapabilities, fit, type Look } from "@pith/tui/look";
import type { Io } from "../io/io.ts";
import { linesOf } from "../io/line.ts";
import type { Out } from "../io/out.ts";
import { oneLine } from "../view/canvas.ts";
import { scrollLook } from "../view/look.ts";
import { Foot } from "./foot.ts";
import { Keys } from "./keys.ts";
import { Mode } from "./mode.ts";
import type { ReaderOptions } from "./reader.ts";

/** The terminal a person sits at: where what is typed comes from, and where a program can be shown. */
export interface Desk {
  foot: Foot;
  look: Look;
  size(): { columns: number; rows: number };
  attend: Attend;
  /** What it shows of pictures. */
  pictures: "sixel" | "none";
  /** Takes the keys of the terminal; the process may end in whatever way. */
  take(): void;
  /** Reads them until it is disposed of. */
  sit(needs: Pick<ReaderOptions, "recall" | "interrupt">): Promise<Disposable & { lines: AsyncIterator<string> }>;
}

export function openDesk(io: Pick<Io, "input" | "out" | "env">): Desk {
  const keys = new Keys(io.input);
  const look = scrollLook(io.env, process.platform);
  const { id, images } = detectCapabilities(io.env, process.platform);
  const dumb = id === "dumb";
  const size = () => ({
    columns: Math.max(20, process.stdout.columns || Number(io.env.COLUMNS) || 80),
    rows: process.stdout.rows || 24,
  });
  const foot = new Foot(io.out, { look, size, can: dumb ? "backspace" : "erase" });
  const mode = new Mode(io.out, dumb ? "typed" : "marked");
  const attend = lent({ out: io.out, keys, foot, mode, size, onResize });
  return {
    foot,
    look,
    size,
    attend,
    pictures: images === "sixel" && !dumb ? "sixel" : "none",
    take: () => mode.take(),
    async sit(needs) {
      // The prompt is there already: what reads keys comes while somebody reads it.
      const [{ Reader }, { suspendable }] = await Promise.all([import("./reader.ts"), import("@pith/tui/keys")]);
      let away: Disposable | undefined;
      const leave = () => {
        away ??= foot.lend();
        mode.leave();
      };
      const stop = suspendable(process, leave, () => {
        mode.take();
        away?.[Symbol.dispose]();
        away = undefined;
      });
      const suspend = () => {
        leave();
        // What is still on its way would come while a shell has the terminal.
        void io.out.flush().then(stop);
      };
      // What still runs then can be interrupted as everywhere.
      const ended = () => mode.leave();
      const reader = new Reader({ keys, foot, pastes: dumb ? "guessed" : "marked", suspend, ended, ...needs });
      const resized = onResize(() => foot.resized());
      return {
        lines: reader.lines()[Symbol.asyncIterator](),
        [Symbol.dispose]() {
          resized[Symbol.dispose]();
          // Whoever has the terminal next begins on a row of its own.
          foot.lend();
          mode.leave();
        },
      };
    },
  };
}

/** Where no terminal is: lines are read as they come, and somebody else shows them. */
export function nobodysDesk(io: Pick<Io, "input" | "out" | "env">): Omit<Desk, "attend"> {
  const look = scrollLook(io.env, process.platform);
  const size = () => ({ columns: Math.max(20, Number(io.env.COLUMNS) || 80), rows: 24 });
  const foot = new Foot(io.out, { look, size, can: "nothing" });
  const lines = async function* () {
    for await (const line of linesOf(io.input)) {
      foot.entered();
      yield line;
    }
  };
  return {
    foot,
    look,
    size,
    pictures: "none",
    take() {},
    sit: async () => ({ lines: lines(), [Symbol.dispose]() {} }),
  };
}

function onResize(listener: () => void): Disposable {
  process.stdout.on("resize", listener);
  return { [Symbol.dispose]: () => void process.stdout.off("resize", listener) };
}

interface Terminal {
  out: Pick<Out, "write">;
  keys: Keys;
  foot: Foot;
  mode: Mode;
  size(): { columns: number; rows: number };
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
  using _screen = terminal.foot.lend();
  using _keys = terminal.mode.lend();
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
