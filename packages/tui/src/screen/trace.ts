import type { Log } from "@pith/kit";
import type { Ledger } from "./ledger.ts";
import type { Intent } from "./paint.ts";

export interface FrameTrace {
  readonly intent: Intent;
  readonly ledger: Ledger;
  readonly length: number;
  readonly boundary: number;
  readonly chunk: number;
  readonly bytes: number;
}

/** A trace that writes a line per frame into a log: what was chosen, and where the ledger stands. */
export const frameLog =
  (log: Log) =>
  ({ intent, ...rest }: FrameTrace): void =>
    log.write("debug", `frame ${intent}`, rest);
