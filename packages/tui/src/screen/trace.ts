import type { Log } from "@pith/kit";
import type { HistoryState } from "./history.ts";
import type { PaintMode } from "./paint.ts";

export interface FrameTrace {
  readonly mode: PaintMode;
  readonly history: HistoryState;
  readonly length: number;
  readonly boundary: number;
  readonly chunk: number;
  readonly bytes: number;
}

/** A trace that writes a line per frame into a log: what was chosen, and where the ledger stands. */
export const frameLog =
  (log: Log) =>
  ({ mode, ...rest }: FrameTrace): void =>
    log.write("debug", `frame ${mode}`, rest);
