import type { Attend } from "@pith/coder";
import type { Io } from "../../io/io.ts";
import { Keys } from "./keys.ts";
import { stage } from "./stage.ts";

/** The terminal of the line prompt: where lines come from, and where a program can be shown. */
export interface LineFace {
  keys: Keys;
  attend: Attend;
}

export function lineFace(io: Pick<Io, "input" | "out">): LineFace {
  const keys = new Keys(io.input);
  const attend = stage({
    ...{ out: io.out, keys },
    size: () => ({ columns: process.stdout.columns || 80, rows: process.stdout.rows || 24 }),
    raw: (on) => void process.stdin.setRawMode?.(on),
    onResize(listener) {
      process.stdout.on("resize", listener);
      return { [Symbol.dispose]: () => void process.stdout.off("resize", listener) };
    },
  });
  return { keys, attend };
}
