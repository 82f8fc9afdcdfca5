import type { Clock, Result } from "@pith/kit";
import type { Stream } from "../message/stream.ts";

/** Who serves models: a composition of protocol, endpoint, auth and framing. */
export interface Vendor {
  /** Taken when nobody names a model. */
  defaultModel: string;
  connect(door: Door): Result<Connection, "vendor" | "credential">;
}

export interface Door {
  env: Readonly<Record<string, string | undefined>>;
  clock: Clock;
}

export interface Connection {
  /** The protocol it speaks, by its name in session files. */
  api: string;
  stream: Stream;
}
