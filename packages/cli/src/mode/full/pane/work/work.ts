import type { Scene } from "@pith/agent";
import { plural } from "@pith/kit";
import { createSpinner } from "@pith/tui";
import { arrivingText, type ScreenEvent } from "../../../../view/throttle.ts";
import type { MakePane } from "../../context.ts";

const heard: ReadonlySet<ScreenEvent["type"]> = new Set([
  "turn",
  "call",
  "entry",
  "output",
  "question",
  "answered",
  "delta",
  "shaping",
]);

/** A spinner with a word about what runs. */
export const workPane: MakePane = (context) => {
  const spinner = createSpinner(context.theme, context.timers, (pane) => context.screen.requestPane(pane));
  /** The text about the call that arrives. */
  let coming: string | undefined;
  const settle = () => {
    const scene = context.coder?.scene;
    const label = scene && labelOf(scene, coming);
    if (label === undefined) spinner.stop();
    else spinner.start(label);
  };
  /** Tells a screen reader once per call that a long text is being written. */
  let announced = "";
  const announce = ({ call, body }: ScreenEvent & { type: "shaping" }) => {
    if (announced === call.id || body.lines === 0 || coming === undefined) return;
    announced = call.id;
    context.screen.announce?.(coming);
  };
  return Object.assign(spinner, {
    hear(event: ScreenEvent) {
      const { type } = event;
      if (!heard.has(type)) return;
      if (type !== "delta") coming = arrivingText(event);
      if (type === "shaping") announce(event);
      settle();
      context.screen.requestPane(spinner);
    },
    attach: settle,
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
