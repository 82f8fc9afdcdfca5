import type { Scene } from "@pith/agent";
import { plural } from "@pith/kit";
import { createSpinner } from "@pith/tui";
import { type Calmed, comingOf } from "../../../../view/throttle.ts";
import type { MakePane } from "../../context.ts";

const heard: ReadonlySet<Calmed["type"]> = new Set([
  "turn",
  "call",
  "entry",
  "output",
  "question",
  "answered",
  "delta",
  "shaping",
]);

/** That something goes on, and what. */
export const workPane: MakePane = (seat) => {
  const spinner = createSpinner(seat.theme, seat.timers, (pane) => seat.screen.requestPane(pane));
  /** The call that arrives. */
  let coming: string | undefined;
  const settle = () => {
    const scene = seat.coder?.scene;
    const label = scene && labelOf(scene, coming);
    if (label === undefined) spinner.stop();
    else spinner.start(label);
  };
  /** Who listens hears once that a long text comes, and of what. */
  let announced = "";
  const announce = ({ call, body }: Calmed & { type: "shaping" }) => {
    if (announced === call.id || body.lines === 0 || coming === undefined) return;
    announced = call.id;
    seat.screen.announce?.(coming);
  };
  return Object.assign(spinner, {
    hear(event: Calmed) {
      const { type } = event;
      if (!heard.has(type)) return;
      if (type !== "delta") coming = comingOf(event);
      if (type === "shaping") announce(event);
      const was = spinner.running;
      settle();
      // While it turns it is drawn anyway.
      if ((type !== "delta" && type !== "shaping") || was !== spinner.running) seat.screen.requestPane(spinner);
    },
    seated: settle,
  });
};

function labelOf({ turn, questions, calls, answer, outputs }: Scene, coming: string | undefined): string | undefined {
  const running = Object.keys(outputs).length;
  if (questions.length > 0) return undefined;
  if (!turn || turn.name === "idle") return running > 0 ? "running your command" : undefined;
  if (turn.name === "compacting") return "making room (Esc stops)";
  if (turn.name === "retrying") return "waiting to try again";
  if (calls.length > 0)
    return calls.length === 1 ? `running ${calls[0]?.call.name}` : `running ${plural(calls.length, "call")}`;
  if (turn.name === "running") return "working";
  if (coming !== undefined) return coming;
  return answer.text === "" ? "thinking" : "answering";
}
