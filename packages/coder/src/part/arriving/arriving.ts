import type { Tool } from "@pith/agent";
import type { MakePart } from "../../hall/part.ts";

/** Time between two looks: each parses all that has arrived. */
const everyMs = 150;

/**
 * Shows what calls would change while their arguments are still streaming, for tools that can tell. Nothing is written,
 * and the stream does not wait.
 */
export const arriving: MakePart<"tools" | "clock" | "channel"> = ({ tools, clock, channel }) => {
  let open: { id: string; name: string; index: number; args: string; look: NonNullable<Tool["arriving"]> } | undefined;
  let next = 0;
  let shown = "";
  const show = async (call: NonNullable<typeof open>): Promise<void> => {
    const files = await call.look(call.args);
    if (open !== call) return;
    next = clock.now() + everyMs;
    const text = JSON.stringify(files);
    if (files.length > 0 && text !== shown) channel.announce({ type: "arriving", id: call.id, name: call.name, files });
    shown = text;
  };
  return {
    name: "arriving",
    delta(events) {
      // Most events are pieces of text.
      if (!open && !events.some(({ type }) => type === "call")) return undefined;
      for (const event of events) {
        if (event.type === "args" && event.index === open?.index) open.args += event.delta;
        else if (event.type === "call") {
          const look = tools.get(event.name)?.arriving;
          open = look && { id: event.id, name: event.name, index: event.index, args: "", look };
          next = clock.now() + everyMs;
        } else if (event.type === "stop" || event.type === "fail" || event.type === "start") open = undefined;
      }
      if (open && clock.now() >= next) {
        next = Number.POSITIVE_INFINITY;
        void show(open);
      }
      return undefined;
    },
  };
};
