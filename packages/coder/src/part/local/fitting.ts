import type { Request } from "@pith/llm";
import type { MakePart } from "../../hall/part.ts";
import type { Window } from "./window.ts";

/** Says once where the window of a server of one's own is too small for what is said in it. */
export const fitting: MakePart<"channel" | "choice" | "models" | "standing"> = (hall) => {
  let window: Window | undefined;
  let sent: Request | undefined;
  return {
    name: "fitting",
    hooks: [
      {
        name: "fitting",
        async step(turn) {
          if (!turn.model.local) return { do: "go" };
          window ??= new (await import("./window.ts")).Window(hall);
          if (turn.step === 0) await window.begin();
          else if (sent && turn.reply) window.hear(sent, turn.reply);
          return { do: "go" };
        },
        context(request) {
          if (request.model.local) sent = request;
          return request;
        },
        idle(_, { reply }) {
          if (window && sent && reply) window.hear(sent, reply);
        },
      },
    ],
  };
};
