import { plainText, plural } from "@pith/kit";
import { fit, oneLine } from "@pith/tui";
import { readUserText } from "../../../../view/user-text.ts";
import type { MakePane } from "../../context.ts";

/** Input that waits for the next step of the model, or for the end of the turn. */
export const queuePane: MakePane = (context) => {
  const pane: ReturnType<MakePane> = {
    hear: (event) => event.type === "queue" && context.screen.requestPane(pane),
    render(columns) {
      const { theme } = context;
      const waiting = context.coder?.scene.queue ?? [];
      if (waiting.length === 0) return [];
      const rows = waiting.slice(0, most).map(({ when, text, images }) => {
        const pictures = images > 0 ? ` [${plural(images, "picture")}]` : "";
        const words = `${oneLine(plainText(readUserText(text).words))}${pictures}`;
        return theme.paint(
          "dim",
          fit(`  ${when === "steer" ? "next" : "later"}: ${words}`, columns, theme.glyph.ellipsis),
        );
      });
      const left = waiting.length - most;
      return [
        ...rows,
        theme.paint(
          "dim",
          fit(
            `  ${left > 0 ? `and ${left} more; ` : ""}Alt+Up takes ${waiting.length === 1 ? "it" : "them"} back`,
            columns,
          ),
        ),
      ];
    },
  };
  return pane;
};

const most = 5;
