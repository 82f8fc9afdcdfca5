import type { Arriving, Hook, Tool } from "@pith/agent";
import type { StreamEvent } from "@pith/llm";
import type { MakePart } from "../../hall/part.ts";

interface ArrivingSources {
  tool(name: string): Tool | undefined;
  now(): number;
  show(arriving: Arriving): void;
}

/** Shows what calls would change while they are still streaming. */
export const arriving: MakePart<"tools" | "clock" | "channel"> = ({ tools, clock, channel }) => ({
  name: "arriving",
  hooks: [
    arrivingHook({
      tool: (name) => tools.get(name),
      now: () => clock.now(),
      show: (shown) => channel.announce({ type: "arriving", ...shown }),
    }),
  ],
});

/** A look costs a parse of all that has arrived; nobody reads faster than this. */
const everyMs = 150;

/**
 * Shows what calls that are still arriving would change, for tools that can tell. It only paints: nothing is written,
 * and nobody waits for it.
 */
export function arrivingHook({ tool, now, show }: ArrivingSources): Hook {
  let open: { id: string; name: string; index: number; args: string; look: NonNullable<Tool["arriving"]> } | undefined;
  let next = 0;
  let shown = "";
  return {
    name: "arriving calls",
    delta(events) {
      // Most of what streams is text, in very many pieces.
      if (!open && !events.some(isCall)) return undefined;
      for (const event of events) {
        if (event.type === "args" && event.index === open?.index) open.args += event.delta;
        else if (event.type === "call") {
          const look = tool(event.name)?.arriving;
          open = look && { id: event.id, name: event.name, index: event.index, args: "", look };
          next = now() + everyMs;
        } else if (event.type === "stop" || event.type === "fail" || event.type === "start") open = undefined;
      }
      if (open && now() >= next) {
        next = Number.POSITIVE_INFINITY;
        void paint(open);
      }
      return undefined;
    },
  };

  async function paint(call: NonNullable<typeof open>): Promise<void> {
    const files = await call.look(call.args);
    if (open !== call) return;
    next = now() + everyMs;
    const said = JSON.stringify(files);
    if (files.length > 0 && said !== shown) show({ id: call.id, name: call.name, files });
    shown = said;
  }
}

const isCall = ({ type }: StreamEvent): boolean => type === "call";
