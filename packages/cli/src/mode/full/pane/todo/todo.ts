import type { Coder } from "@pith/coder";
import { fit, oneLine, type Theme, width } from "@pith/tui";
import type { ScreenEvent } from "../../../../view/throttle.ts";
import type { MakePane } from "../../context.ts";
import { spaced } from "../apart.ts";

interface Task {
  content: string;
  status: string;
}
interface Phase {
  name: string;
  tasks: readonly Task[];
}

const most = 8;
const isClosed = ({ status }: Task) => status === "completed" || status === "abandoned";
const signs = { pending: "unchecked", in_progress: "pointer", completed: "ok", abandoned: "bad" } as const;

/** When something was closed that was closed already. */
const before = Number.NEGATIVE_INFINITY;

/** The task list: what is open, and for a while what was done; marked where it may be behind. */
export const todoPane: MakePane = (context) => {
  const { timers, settings } = context;
  let phases: readonly Phase[] = [];
  let stale = false;
  /** When each closed task was first seen so. */
  let closed = new Map<string, number>();
  let cancel: (() => void) | undefined;

  const delayMs = () => settings.get("tasks.todoClearDelay") * 1000;
  /** A task that was closed is shown for a while, and then no more; the list itself keeps it. */
  const isShown = (task: Task): boolean => {
    if (!isClosed(task)) return true;
    const since = closed.get(task.content) ?? before;
    return since !== before && (delayMs() < 0 || timers.now() - since < delayMs());
  };
  const settle = () => {
    cancel?.();
    const now = timers.now();
    const waits = phases
      .flatMap(({ tasks }) => tasks)
      .flatMap((task) => (isClosed(task) ? [delayMs() - (now - (closed.get(task.content) ?? now))] : []))
      .filter((ms) => ms > 0);
    cancel = waits.length > 0 ? timers.after(Math.min(...waits) + 1, settle) : undefined;
    context.screen.request();
  };
  const take = (next: readonly Phase[]) => {
    phases = next;
    const now = timers.now();
    const names = phases.flatMap(({ tasks }) => tasks.filter(isClosed)).map(({ content }) => content);
    closed = new Map(names.map((name) => [name, closed.get(name) ?? now]));
    settle();
  };
  /** The list as the path of the session has it. */
  function begin(coder: Coder) {
    stale = false;
    phases = recorded(coder);
    // What was closed before the session was opened again is counted, and no longer shown.
    closed = new Map(phases.flatMap(({ tasks }) => tasks.filter(isClosed)).map(({ content }) => [content, before]));
    settle();
  }
  const pane: ReturnType<MakePane> = {
    bounds: () => ({ live: 0 }),
    hear(event) {
      const kept = listIn(event);
      if (kept) {
        stale = false;
        take(kept);
      } else if ((event.type === "moved" || event.type === "session") && context.coder) begin(context.coder);
      else if (isFailure(event)) {
        stale = true;
        context.screen.request();
      }
    },
    attach: begin,
    render(columns, height) {
      const seen = phases
        .map(({ name, tasks }) => ({ name, tasks: tasks.filter(isShown) }))
        .filter(({ tasks }) => tasks.length > 0);
      if (seen.length === 0) return [];
      const room = Math.max(2, Math.min(most, Math.floor(height / 4)));
      const all = phases.flatMap(({ tasks }) => tasks);
      const done = `${all.filter(isClosed).length} of ${all.length}`;
      return spaced(context, todoRows(seen, done, stale, context.theme, columns, room));
    },
  };
  return pane;
};

function todoRows(
  phases: readonly Phase[],
  done: string,
  stale: boolean,
  theme: Theme,
  columns: number,
  room: number,
): string[] {
  const all = phases.flatMap(({ tasks }) => tasks);
  const at =
    phases.find(({ tasks }) => tasks.some(({ status }) => status === "in_progress"))?.name ?? phases[0]?.name ?? "";
  const mark = stale ? theme.paint("warn", "  may be behind") : "";
  const head = fit(`${theme.paint("strong", oneLine(at))} ${theme.paint("dim", done)}${mark}`, columns);
  const active = Math.max(
    0,
    all.findIndex(({ status }) => status === "in_progress"),
  );
  const from = Math.max(0, Math.min(active - 1, all.length - room));
  const rows = all.slice(from, from + room).map((task) => {
    const sign = theme.glyph[signs[task.status as keyof typeof signs] ?? "unchecked"];
    const token = task.status === "in_progress" ? "accent" : isClosed(task) ? "dim" : "text";
    return theme.paint(token, fit(`  ${sign} ${oneLine(task.content)}`, columns, theme.glyph.ellipsis));
  });
  const rest = all.length - rows.length;
  const more = rest > 0 ? [theme.paint("dim", fit(`  ${theme.glyph.ellipsis} ${rest} more`, columns))] : [];
  return [head, ...rows, ...more].map((row) => (width(row) > columns ? fit(row, columns) : row));
}

const phasesIn = (data: unknown): readonly Phase[] | undefined => {
  const { phases } = (data ?? {}) as { phases?: unknown };
  if (!Array.isArray(phases)) return undefined;
  // A record may be a stranger's.
  return phases.flatMap((phase: Partial<Phase> | null) => {
    const { name, tasks } = phase ?? {};
    return typeof name === "string" && Array.isArray(tasks) ? [{ name, tasks: tasks.filter(isTask) }] : [];
  });
};

const isTask = (task: Partial<Task> | null): task is Task =>
  typeof task?.content === "string" && typeof task.status === "string";

function listIn(event: ScreenEvent): readonly Phase[] | undefined {
  if (event.type !== "entry" || event.entry.type !== "custom" || event.entry.customType !== "pith.todo")
    return undefined;
  return phasesIn(event.entry.data);
}

/** The model meant to change the list and could not: what is shown may be behind. */
function isFailure(event: ScreenEvent): boolean {
  if (event.type !== "entry" || event.entry.type !== "message") return false;
  const { message } = event.entry;
  return message.role === "toolResult" && message.toolName === "todo" && message.isError;
}

function recorded(coder: Coder): readonly Phase[] {
  const entry = coder.record.lastCustom("pith.todo");
  return phasesIn(entry) ?? [];
}
