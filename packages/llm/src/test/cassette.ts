import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Request, StreamEvent } from "../message/stream.ts";
import { protocols } from "../protocol/protocols.ts";

/** Answers by protocol, composed by hand after what vendors document: the bytes of whole bodies. */
export interface Cassette {
  api: string;
  name: string;
  bytes: Uint8Array;
}

const folder = join(import.meta.dir, "cassette");

export const cassettes: readonly Cassette[] = readdirSync(folder).flatMap((api) =>
  readdirSync(join(folder, api)).map((file) => ({
    api,
    name: file.replace(/\.\w+$/, ""),
    bytes: new Uint8Array(readFileSync(join(folder, api, file))),
  })),
);

/**
 * Events of a body that came in these parts. Ids that we made up ourselves are counted, so that two runs can be
 * compared.
 */
export async function decode(api: string, parts: readonly Uint8Array[], request: Request): Promise<StreamEvent[]> {
  const wire = await protocols[api]?.({});
  if (!wire) throw new Error(`no wire for ${api}`);
  const [cutter, decoder] = [wire.framing(), wire.decoder(request)];
  const events: StreamEvent[] = [];
  for (const part of parts) for (const payload of cutter.push(part)) decoder.push(payload, events);
  if (!decoder.ended) decoder.end(events, cutter.end());
  let made = 0;
  return events.map((event) =>
    event.type === "call" && /^call_n?[0-9a-f]{31,32}$/.test(event.id) ? { ...event, id: `made-${++made}` } : event,
  );
}
