import type { MakePane } from "./context.ts";
import { panelPane } from "./pane/panel/panel.ts";
import { questionPane } from "./pane/question/question.ts";
import { queuePane } from "./pane/queue/queue.ts";
import { statusPane } from "./pane/status/status.ts";
import { todoPane } from "./pane/todo/todo.ts";
import { trustPane } from "./pane/trust/trust.ts";
import { workPane } from "./pane/work/work.ts";

/** The empty row below the transcript. */
const margin: MakePane = () => ({ render: () => [""] });

/** The panes between the transcript and the composer, from above. */
export const panes: readonly MakePane[] = [
  margin,
  queuePane,
  workPane,
  todoPane,
  panelPane,
  questionPane,
  trustPane,
  statusPane,
];

/** The panes of `--line`, where little is drawn again and again. */
export const linePanes: readonly MakePane[] = [margin, queuePane, workPane, questionPane, trustPane];
