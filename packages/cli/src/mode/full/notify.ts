import { basename } from "node:path";
import type { ScreenEvent } from "../../view/throttle.ts";
import type { ScreenContext } from "./context.ts";

/** Notifies a person who looks elsewhere, and sets title and progress of the terminal. */
export interface Notifier {
  hear(event: ScreenEvent): void;
  /** Takes the sign of progress away. */
  end(): void;
}

export function createNotifier(context: ScreenContext): Notifier {
  const { terminal, settings, cwd, timers } = context;
  let inside = true;
  let state: "busy" | "none" | "failed" = "none";
  let later: (() => void) | undefined;
  context.screen.focus.listen((event) => {
    if (event.type === "focus") {
      inside = event.inside;
      // A person who looks has seen the failure.
      if (inside && state === "failed") show("none");
    }
    return event;
  });
  function show(next: typeof state) {
    later?.();
    later = undefined;
    if (state === next) return;
    state = next;
    terminal.setProgress(next);
    terminal.setTitle(next === "busy" ? `… ${titleOf(cwd)}` : titleOf(cwd));
  }
  function call(text: string) {
    if (!inside && settings.get("notifications")) terminal.notify("pith", text);
  }
  terminal.setTitle(titleOf(cwd));
  return {
    hear(event) {
      if (event.type === "question" && !event.question.quiet) call(event.question.text);
      if (event.type !== "turn") return;
      const { state: turn } = event;
      // The request to the model goes first; the title can wait.
      if (turn.name !== "idle") later ??= timers.after(0, () => show("busy"));
      if (turn.name !== "idle") return;
      show(turn.end.reason === "failed" && !inside ? "failed" : "none");
      if (turn.end.reason === "done") call("The turn has ended.");
      else if (turn.end.reason === "failed") call(turn.end.failure.message);
    },
    end: () => show("none"),
  };
}

const titleOf = (cwd: string): string => `pith: ${basename(cwd) || cwd}`;
