import { type Header, resultFields } from "@pith/agent";
import { type Io, jsonLine } from "../../io/io.ts";
import { EventEncoder } from "../../wire/encoder.ts";
import { wireVersion } from "../../wire/version.ts";
import type { Printer } from "./print.ts";

/**
 * Prints one JSON object per line: the header of the session, then every event, and another header where it goes on
 * in another session. Nothing else goes to stdout.
 */
export function jsonPrinter(header: Header, io: Io): Printer {
  const line = (value: unknown) => io.out.write(jsonLine(value, io));
  const wire = new EventEncoder(line, () => io.clock.now());
  const begin = (session: Header) => line({ ...session, events: wireVersion });
  begin(header);
  return {
    take(event) {
      if (event.type === "session") begin(event.header);
      else wire.take(event);
    },
    show(name, outcome) {
      line({ type: "command_result", name, ...resultFields(outcome) });
      // Programs wait for this end of a run, also when the model was not asked.
      line({ type: "agent_settled" });
    },
    finish: () => {},
  };
}
