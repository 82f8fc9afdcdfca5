import { type Clock, ok, type Result } from "@pith/kit";
import type { TransportOptions, WrapTransport } from "../route/transport.ts";
import { chaos } from "./chaos.ts";
import { recordTo } from "./record.ts";

/** The transport wrapper for these options. What is recorded is what arrives through the chaos. */
export function wrapWith(wire: TransportOptions, clock: Clock): Result<WrapTransport | undefined, "cassette"> {
  const disturbed = wire.chaos === undefined ? undefined : chaos(wire.chaos);
  if (wire.record === undefined) return ok(disturbed);
  const recorded = recordTo(
    wire.record,
    () => clock.now(),
    (why) => wire.lost?.(why),
  );
  if (!recorded.ok) return recorded;
  const { value: record } = recorded;
  return ok(disturbed ? (context, transport) => record(context, disturbed(context, transport)) : record);
}
