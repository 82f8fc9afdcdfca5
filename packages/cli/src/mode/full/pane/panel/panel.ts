import { type Panel, resultFields } from "@pith/agent";
import { fit, oneLine, rowsOf, type Theme, wrap } from "@pith/tui";
import { resultRows } from "../../../../view/view.ts";
import type { MakePane } from "../../context.ts";
import { spaced } from "../apart.ts";

/** Shows the panels of parts: a plan, a side question, whatever an extension brings. */
export const panelPane: MakePane = (context) => {
  const pane: ReturnType<MakePane> = {
    hear(event) {
      if (event.type === "panel") context.screen.request();
    },
    attach: () => context.screen.request(),
    render(columns, height) {
      const panels = Object.values(context.coder?.scene.panels ?? {});
      const most = Math.max(2, Math.floor(height / 3));
      // A panel that cannot be drawn costs its own rows only.
      return spaced(
        context,
        panels.flatMap((panel) => rowsOf(() => panelRows(panel, context.theme, columns, most), columns)),
      );
    },
  };
  return pane;
};

function panelRows(panel: Panel, theme: Theme, columns: number, most: number): string[] {
  const { v } = theme.glyph.box;
  const bar = (token: "accent" | "border") => `${theme.paint(token, v)} `;
  const room = Math.max(4, columns - 2);
  if (panel.kind === "plan") {
    const { state, plan } = panel.data as { state: string; plan: string };
    const title = oneLine(plan.split("\n", 1)[0] ?? "").replace(/^#+\s*/, "");
    const steps = plan.split("\n").filter((line) => /^\s*(?:\d+[.)]|[-*])\s/.test(line)).length;
    const facts = [state, steps > 0 ? `${steps} steps` : "", "/plan show"].filter(Boolean).join(", ");
    return [`${bar("accent")}${fit(`${theme.paint("strong", `plan: ${title}`)}  ${theme.paint("dim", facts)}`, room)}`];
  }
  if (panel.kind === "btw") {
    const { question, answer } = panel.data as { question: string; answer: string };
    const said =
      answer === "" ? [theme.paint("dim", `asking ${theme.glyph.ellipsis} Esc stops it`)] : wrap(oneLine(answer), room);
    return [theme.paint("dim", fit(`btw: ${oneLine(question)}`, room)), ...said.slice(-(most - 1))].map(
      (row) => `${bar("border")}${row}`,
    );
  }
  const fields = resultFields({ kind: panel.kind as never, data: panel.data as never, text: panel.text });
  return resultRows(fields, { theme, columns: room, height: most }).map((row) => `${bar("border")}${row}`);
}
