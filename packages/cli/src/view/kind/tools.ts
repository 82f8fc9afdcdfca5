import type { Data } from "@pith/agent";
import { plural } from "@pith/kit";
import { fit } from "@pith/tui/theme";
import { plainLine, rowOf, type View } from "../canvas.ts";

const most = { tools: 5, label: 72, description: 96 };

/** The tools that a search found and switched on, best first. */
export const tools: View<Data["tools"]> = {
  rows(data, shown, canvas) {
    const { ellipsis } = canvas.theme.glyph;
    const rows = data.tools.slice(0, most.tools).flatMap(({ name, label, description, score }) => {
      const title = label && label !== name ? `${name}: ${fit(plainLine(label), most.label, ellipsis)}` : name;
      return [
        rowOf(`${score.toFixed(3)} ${plainLine(title)}`, canvas),
        rowOf(`  ${fit(plainLine(description), most.description, ellipsis)}`, canvas, "dim"),
      ];
    });
    const rest = data.tools.length - most.tools;
    const more = rest > 0 ? [rowOf(`${ellipsis} ${plural(rest, "more tool")}`, canvas, "dim")] : [];
    return [rowOf(plainLine(shown.brief), canvas, "dim"), ...rows, ...more];
  },
};
