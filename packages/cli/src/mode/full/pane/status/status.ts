import { homedir } from "node:os";
import { modelName } from "@pith/llm";
import { type StatusPart, statusRow } from "@pith/tui";
import type { MakePane, Seat } from "../../seat.ts";

/** One row about how things are held: model, mode, place, what was used. */
export const statusPane: MakePane = (seat) => {
  const pane: ReturnType<MakePane> = {
    seam: () => ({ live: 0 }),
    hear(event) {
      if (event.type === "entry" || event.type === "turn" || event.type === "status") seat.screen.requestPane(pane);
    },
    seated: () => seat.screen.request(),
    render: (columns) => [statusRow(seat.look, segments(seat), columns)],
  };
  return pane;
};

function segments(seat: Seat): StatusPart[] {
  const { coder, flags, settings, cwd } = seat;
  const model = coder ? modelName(coder.model) : (flags.model ?? settings.get("model") ?? "");
  const effort = coder?.choice.effort;
  const mode = coder?.choice.approval ?? settings.get("approval.mode");
  const { spent, context, status } = coder?.scene ?? { spent: { cost: 0 }, context: undefined, status: {} };
  const share = context !== undefined && coder ? Math.round((context / coder.model.contextWindow) * 100) : undefined;
  return [
    { text: model, side: "left", weight: 9, token: "accent" },
    { text: effort && effort !== "off" ? effort : "", side: "left", weight: 4 },
    { text: mode, side: "left", weight: 6, token: mode === "yolo" ? "warn" : "status" },
    { text: shortened(cwd), side: "left", weight: 3 },
    ...Object.values(status).map((text): StatusPart => ({ text, side: "right", weight: 5 })),
    {
      text: share === undefined ? "" : `${share}% used`,
      side: "right",
      weight: 7,
      token: share !== undefined && share > 80 ? "warn" : "status",
    },
    { text: spent.cost > 0 ? `$${spent.cost.toFixed(spent.cost < 1 ? 3 : 2)}` : "", side: "right", weight: 2 },
  ];
}

const shortened = (path: string): string => {
  const home = homedir();
  return path === home || path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path;
};
