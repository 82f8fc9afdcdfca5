import type { Event, Scene } from "@pith/agent";
import { plural } from "@pith/kit";
import { createSpinner } from "@pith/tui";
import type { MakePane } from "../../seat.ts";

const heard: ReadonlySet<Event["type"]> = new Set(["turn", "call", "entry", "output", "question", "answered", "delta"]);

/** That something goes on, and what. */
export const workPane: MakePane = (seat) => {
  const spinner = createSpinner(seat.look, seat.timers, (pane) => seat.screen.requestPane(pane));
  const settle = () => {
    const scene = seat.coder?.scene;
    const label = scene && labelOf(scene);
    if (label === undefined) spinner.stop();
    else spinner.start(label);
  };
  return Object.assign(spinner, {
    hear({ type }: Event) {
      if (!heard.has(type)) return;
      const was = spinner.running;
      settle();
      // While it turns it is drawn anyway.
      if (type !== "delta" || was !== spinner.running) seat.screen.requestPane(spinner);
    },
    seated: settle,
  });
};

function labelOf({ turn, questions, calls, answer, outputs }: Scene): string | undefined {
  const running = Object.keys(outputs).length;
  if (questions.length > 0) return undefined;
  if (!turn || turn.name === "idle") return running > 0 ? "running your command" : undefined;
  if (turn.name === "retrying") return "waiting to try again";
  if (calls.length > 0)
    return calls.length === 1 ? `running ${calls[0]?.call.name}` : `running ${plural(calls.length, "call")}`;
  if (turn.name === "running") return "working";
  return answer.text === "" ? "thinking" : "answering";
}
