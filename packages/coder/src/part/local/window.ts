import type { Request } from "@pith/llm";
import type { MakePart } from "../../hall/part.ts";
import type { WindowCheck } from "./window-check.ts";

/** Warns once when the context window of a local server is too small. */
export const windowCheck: MakePart<"channel" | "choice" | "models" | "standing"> = (hall) => {
  let check: WindowCheck | undefined;
  let sent: Request | undefined;
  return {
    name: "window check",
    async step(turn) {
      if (!turn.model.local) return;
      check ??= new (await import("./window-check.ts")).WindowCheck(hall);
      if (turn.step === 0) await check.begin();
      else if (sent && turn.reply) check.compare(sent, turn.reply);
    },
    context(request) {
      if (request.model.local) sent = request;
    },
    idle(_, { reply }) {
      if (check && sent && reply) check.compare(sent, reply);
    },
  };
};
