import { UnicodeGraphemesAddon } from "@xterm/addon-unicode-graphemes";
import { Terminal } from "@xterm/headless";
import type { Tty } from "../screen/grid.ts";

/** A terminal without a window: what is written to it can be read back line by line, history included. */
export interface VirtualTerminal extends Tty {
  resize(columns: number, rows: number): void;
  /** Every line there is, history first, without spaces at the end. */
  tape(): string[];
  history(): string[];
  grid(): string[];
  cursor(): { row: number; column: number; visible: boolean };
  /** Moves the reader up (negative) or down; `viewport` is what the reader sees. */
  scroll(lines: number): void;
  viewport(): { first: number; rows: string[] };
  /** All bytes since the last call. */
  take(): string;
  readonly raw: Terminal;
}

// The emulator does not know ED 22 (screen into history), so it is played by scrolling.
const pushScreen = "\x1b[22J";

interface Insides {
  _core: { writeSync(data: string): void; coreService: { isCursorHidden: boolean } };
}

export function createVirtualTerminal(columns: number, rows: number, scrollback = 200_000): VirtualTerminal {
  const raw = new Terminal({ cols: columns, rows, scrollback, allowProposedApi: true, logLevel: "off" });
  raw.loadAddon(new UnicodeGraphemesAddon());
  raw.unicode.activeVersion = "15-graphemes";
  // Tests ask right after writing: the synchronous way in is not part of the public face.
  const core = (raw as unknown as Insides)._core;
  let bytes = "";
  const lines = (from: number, to: number) =>
    Array.from(
      { length: Math.max(0, to - from) },
      (_, at) =>
        raw.buffer.normal
          .getLine(from + at)
          ?.translateToString(true)
          .trimEnd() ?? "",
    );
  return {
    get columns() {
      return raw.cols;
    },
    get rows() {
      return raw.rows;
    },
    raw,
    write(data) {
      bytes += data;
      for (const [at, part] of data.split(pushScreen).entries()) {
        if (at > 0)
          core.writeSync(
            `\x1b[${raw.rows};1H${"\r\n".repeat(lines(raw.buffer.normal.baseY, raw.buffer.normal.baseY + raw.rows).findLastIndex(Boolean) + 1)}`,
          );
        core.writeSync(part);
      }
    },
    resize: (c, r) => raw.resize(c, r),
    tape: () => lines(0, raw.buffer.normal.baseY + raw.rows),
    history: () => lines(0, raw.buffer.normal.baseY),
    grid: () => lines(raw.buffer.normal.baseY, raw.buffer.normal.baseY + raw.rows),
    cursor: () => ({
      row: raw.buffer.normal.cursorY,
      column: raw.buffer.normal.cursorX,
      visible: !core.coreService.isCursorHidden,
    }),
    scroll: (amount) => raw.scrollLines(amount),
    viewport: () => ({
      first: raw.buffer.normal.viewportY,
      rows: lines(raw.buffer.normal.viewportY, raw.buffer.normal.viewportY + raw.rows),
    }),
    take() {
      const taken = bytes;
      bytes = "";
      return taken;
    },
    cursorRow: () => Promise.resolve(raw.buffer.normal.cursorY),
  };
}
