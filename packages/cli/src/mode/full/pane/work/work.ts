import type { Scene } from "@pith/agent";
import { plural } from "@pith/kit";
import { createSpinner } from "@pith/tui";
import type { MakePane } from "../../seat.ts";

/** That something goes on, and what. */
export const workPane: MakePane = (seat) => {
  const spinner = createSpinner(seat.look, seat.timers, (pane) => seat.screen.requestPane(pane));
  let interrupted = false;
  const settle = () => {
    const scene = seat.coder?.scene;
    const label = scene && labelOf(scene);
    if (label === undefined) {
      interrupted = false;
      spinner.stop();
    } else spinner.start(interrupted ? "stopping" : label);
  };
  return Object.assign(spinner, {
    hear(event: Parameters<NonNullable<ReturnType<MakePane>["hear"]>>[0]) {
      if (event.type === "delta" && spinner.running) return settle();
      if (
        event.type === "turn" ||
        event.type === "output" ||
        event.type === "question" ||
        event.type === "answered" ||
        event.type === "delta"
      ) {
        settle();
        seat.screen.requestPane(spinner);
      }
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
