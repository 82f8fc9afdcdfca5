import { readFileSync } from "node:fs";
import { Ghostty, type GhosttyCell } from "ghostty-web";

/** A second opinion: another emulator fed with the same bytes, able to say what it holds. */
export interface SecondTerminal {
  write(bytes: string): void;
  resize(columns: number, rows: number): void;
  tape(): string[];
}

const wasm = () => new WebAssembly.Module(readFileSync(new URL(import.meta.resolve("ghostty-web/ghostty-vt.wasm"))));

/**
 * Compiled once per test run; every terminal has its own memory, because a freed one leaves that in
 * pieces.
 */
export function createSecondTerminals(): (columns: number, rows: number) => SecondTerminal {
  const module = wasm();
  return (columns, rows) => {
    const terminal = new Ghostty(new WebAssembly.Instance(module, { env: { log: () => {} } })).createTerminal(
      columns,
      rows,
      { scrollbackLimit: 50_000_000 },
    );
    const read = (cells: GhosttyCell[] | null, whole: (column: number) => string) => {
      let text = "";
      for (const [column, cell] of (cells ?? []).entries()) {
        if (cell.width === 0) continue;
        text +=
          cell.grapheme_len > 0 ? whole(column) : cell.codepoint === 0 ? " " : String.fromCodePoint(cell.codepoint);
      }
      return text.trimEnd();
    };
    return {
      write: (bytes) => terminal.write(bytes),
      resize: (c, r) => terminal.resize(c, r),
      tape() {
        terminal.update();
        const history = Array.from({ length: terminal.getScrollbackLength() }, (_, at) =>
          read(terminal.getScrollbackLine(at), (column) => terminal.getScrollbackGraphemeString(at, column)),
        );
        const grid = Array.from({ length: terminal.rows }, (_, at) =>
          read(terminal.getLine(at), (column) => terminal.getGraphemeString(at, column)),
        );
        return [...history, ...grid];
      },
    };
  };
}
