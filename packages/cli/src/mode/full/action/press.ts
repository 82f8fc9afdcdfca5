import type { KeyEvent } from "@pith/tui";
import type { ScreenContext, ScreenPane } from "../context.ts";

/** Gives a key to a pane that waits for one, or to its action, before the composer has it. */
export function pressed(event: KeyEvent, context: ScreenContext, panes: readonly ScreenPane[]): "used" | "passed" {
  for (const pane of panes) if (pane.key?.(event) === "used") return "used";
  const name = context.keys.actions.get(event.combo);
  if (name === undefined) return "passed";
  // The first Escape is vim's, and Ctrl+D deletes where there is something.
  const { vim, mode, isEmpty } = context.composer;
  if (name === "app.interrupt" && vim && mode !== "normal") return "passed";
  if (name === "app.exit" && !isEmpty) return "passed";
  context.act(name);
  return "used";
}
