import { join, resolve } from "node:path";
import { type Coder, loadTrustable } from "@pith/coder";
import { plural, showPath } from "@pith/kit";
import { fit, oneLine } from "@pith/tui";
import type { MakePane } from "../../context.ts";

/** Long enough for the first frames to be there. */
const laterMs = 200;

/** A row that names executable content of the project that is not trusted. */
export const trustPane: MakePane = (context) => {
  const { theme, timers } = context;
  let row = "";
  async function find(coder: Coder) {
    const { cwd } = context;
    const { trustable, isFirst } = await loadTrustable();
    const { items, unused } = await trustable(cwd, context.io.home);
    if (context.coder !== coder) return;
    // Once, and again when it has changed: somebody may count on a hook of another agent.
    if (unused !== undefined && isFirst(join(context.io.home, "unused-told"), `${cwd}\n${unused}`))
      context.say("info", unused);
    const waiting = items.filter(({ standing }) => standing !== "trusted");
    const names = waiting.map(({ folder, name }) => oneLine(showPath(cwd, resolve(folder, name)))).join(", ");
    row = waiting.length === 0 ? "" : `left out until you trust it: ${plural(waiting.length, "thing")} (${names})`;
    context.screen.request();
  }
  return {
    attach(coder) {
      row = "";
      // With --trust everything counts already.
      if (!context.flags.trust) timers.after(laterMs, () => void find(coder).catch(() => {}));
    },
    // Something may have been trusted or changed in the turn.
    hear(event) {
      const { coder } = context;
      if (row !== "" && coder && event.type === "turn" && event.state.name === "idle") void find(coder).catch(() => {});
    },
    render(columns) {
      if (row === "") return [];
      const way = "  /trust shows it";
      const said = fit(`! ${row}`, Math.max(10, columns - way.length), theme.glyph.ellipsis);
      return [theme.paint("warn", said) + theme.paint("dim", fit(way, Math.max(0, columns - said.length)))];
    },
  };
};
