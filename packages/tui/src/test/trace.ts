import type { Tty } from "../screen/grid.ts";
import type { VirtualTerminal } from "./virtual-terminal.ts";

/** Bytes and sizes of a terminal in order, from which every frame can be seen again. */
export type Trace = readonly ({ readonly write: string } | { readonly columns: number; readonly rows: number })[];

/** A tty that remembers. Sizes are noted when they are seen to have changed. */
export function recordTty(tty: Tty): Tty & { readonly trace: Trace } {
  const trace: ({ write: string } | { columns: number; rows: number })[] = [];
  let last = "";
  return {
    trace,
    get columns() {
      return tty.columns;
    },
    get rows() {
      return tty.rows;
    },
    write(bytes) {
      const size = { columns: tty.columns, rows: tty.rows };
      if (`${size.columns}x${size.rows}` !== last) trace.push(size);
      last = `${size.columns}x${size.rows}`;
      trace.push({ write: bytes });
      tty.write(bytes);
    },
    cursorRow: tty.cursorRow && (() => tty.cursorRow?.() ?? Promise.resolve(undefined)),
  };
}

/** Plays a trace on a terminal; `seen` is called after every step. */
export function replay(trace: Trace, terminal: VirtualTerminal, seen: (step: number) => void = () => {}): void {
  for (const [step, each] of trace.entries()) {
    if ("write" in each) terminal.write(each.write);
    else terminal.resize(each.columns, each.rows);
    seen(step);
  }
}
