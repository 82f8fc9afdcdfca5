import { plural } from "@pith/kit";
import { modelName } from "@pith/llm";
import { type StatusPart, statusRow, width } from "@pith/tui";
import type { MakePane, ScreenContext } from "../../context.ts";
import { branchOf, watchBranch } from "./branch.ts";

/** A row with model, mode, place and usage. */
export const statusPane: MakePane = (context) => {
  let branch: { cwd: string; name: string | undefined } | undefined;
  let watched: Disposable | undefined;
  const branchHere = () => {
    const { cwd } = context;
    if (branch?.cwd !== cwd) branch = { cwd, name: branchOf(cwd) };
    return branch.name;
  };
  const again = () => {
    branch = undefined;
    context.screen.requestPane(pane);
  };
  const pane: ReturnType<MakePane> = {
    hear(event) {
      if (event.type === "turn" && event.state.name === "idle") branch = undefined;
      if (heard.has(event.type)) context.screen.requestPane(pane);
    },
    attach() {
      context.screen.request();
      context.timers.after(laterMs, () => {
        watched?.[Symbol.dispose]();
        watched = watchBranch(context.cwd, again);
      });
    },
    render: (columns) => [statusRow(context.theme, segments(context, branchHere), columns)],
  };
  return pane;
};

const heard: ReadonlySet<string> = new Set(["entry", "turn", "status", "question", "answered"]);

/** Long enough for the first frames to be there. */
const laterMs = 300;

/** The segments of the setting `statusLine.segments`. */
type Segment = (
  context: ScreenContext,
  branch: () => string | undefined,
) => Omit<StatusPart, "side" | "weight"> & { side?: "right"; weight: number };

const segmentsBy: Readonly<Record<string, Segment>> = {
  model({ coder, flags, settings }) {
    const text = coder ? modelName(coder.model) : (flags.model ?? settings.get("model") ?? "");
    return { text, weight: 9, token: "statusModel" };
  },
  thinking({ coder }) {
    const effort = coder?.choice.effort;
    return { text: effort && effort !== "off" ? effort : "", weight: 4, token: "status" };
  },
  mode({ coder, settings }) {
    const text = coder?.choice.approval ?? settings.get("approval.mode");
    return { text, weight: 8, token: text === "yolo" ? "warn" : text === "plan" ? "accent" : "status" };
  },
  path: ({ cwd, io, theme }) => ({
    text: shortened(cwd, io.userHome, theme.glyph.ellipsis),
    weight: 3,
    token: "statusPath",
  }),
  git: (_, branch) => ({ text: branch() ?? "", weight: 2, token: "statusGitClean" }),
  context({ coder }) {
    const { context } = coder?.scene ?? {};
    const share = context !== undefined && coder ? Math.round((context / coder.model.contextWindow) * 100) : undefined;
    const token = share !== undefined && share > 80 ? "warn" : "statusContext";
    return { text: share === undefined ? "" : `context ${share}%`, side: "right", weight: 7, token };
  },
  cost({ coder }) {
    const { cost } = coder?.scene.spent ?? { cost: 0 };
    const text = cost > 0 ? `$${cost.toFixed(cost < 1 ? 3 : 2)}` : "";
    return { text, side: "right", weight: 5, token: "statusCost" };
  },
  jobs({ coder }) {
    const count = coder?.jobs().filter(({ status }) => status === "running").length ?? 0;
    return { text: count > 0 ? plural(count, "job") : "", side: "right", weight: 6, token: "status" };
  },
  agents: ({ coder }) => ({ text: coder?.scene.status.agents ?? "", side: "right", weight: 6, token: "statusAgents" }),
};

/** Status texts with a segment of their own. */
const own = new Set(["mode", "agents"]);

function segments(context: ScreenContext, branch: () => string | undefined): StatusPart[] {
  const wanted = context.settings.get("statusLine.segments").split(/[\s,]+/);
  const parts = wanted.flatMap((name): StatusPart[] => {
    const segment = Object.hasOwn(segmentsBy, name) ? segmentsBy[name]?.(context, branch) : undefined;
    return segment ? [{ ...segment, side: segment.side ?? "left" }] : [];
  });
  const told = Object.entries(context.coder?.scene.status ?? {}).flatMap(([key, text]): StatusPart[] =>
    own.has(key) ? [] : [{ text, side: "right", weight: 5 }],
  );
  return [
    ...parts.filter(({ side }) => side === "left"),
    ...way(context),
    ...told,
    ...parts.filter(({ side }) => side === "right"),
  ];
}

/** The key that stops what runs, where there is room for it. */
function way({ coder, keys }: ScreenContext): StatusPart[] {
  const { turn, questions = [] } = coder?.scene ?? {};
  const key = keys.of("app.interrupt")[0];
  if (!turn || turn.name === "idle" || questions.length > 0 || key === undefined) return [];
  return [{ text: `${key === "escape" ? "Esc" : key} stops`, side: "right", weight: 1, token: "dim" }];
}

/** Columns of a path; of a longer one the end is shown. */
const mostPath = 40;

function shortened(path: string, home: string, ellipsis: string): string {
  const whole = path === home || path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path;
  if (width(whole) <= mostPath) return whole;
  const names = whole.split("/");
  let end = names.pop() ?? "";
  for (let name = names.pop(); name !== undefined && width(`${name}/${end}`) <= mostPath - 2; name = names.pop())
    end = `${name}/${end}`;
  return `${ellipsis}/${end}`;
}
