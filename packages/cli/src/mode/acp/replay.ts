import type { SessionUpdate } from "@agentclientprotocol/sdk";
import type { Entry } from "@pith/agent";
import type { Translator } from "./translator.ts";

/** What was said before, as it is told to a client that opens the session. */
export function* replayed(path: readonly Entry[], translator: Translator): Generator<SessionUpdate> {
  for (const entry of path) yield* translator.entry(entry, "again");
}
