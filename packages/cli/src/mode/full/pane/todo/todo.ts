import type { Coder } from "@pith/coder";
import { fit, oneLine, type Theme } from "@pith/tui";
import type { ScreenEvent } from "../../../../view/throttle.ts";
import type { MakePane, ScreenContext, ScreenPane } from "../../context.ts";
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

/** The time at which tasks were closed that were closed before the session was opened. */
const before = Number.NEGATIVE_INFINITY;

/** The task list: open tasks, and for a while closed ones; marked when it may be behind. */
export const todoPane: MakePane = (context) => new TodoPane(context);

class TodoPane implements ScreenPane {
  readonly #context: ScreenContext;
  #phases: readonly Phase[] = [];
  /** True after the model has failed to change the list. */
  #isStale = false;
  /** The times at which closed tasks were first seen. */
  #closed = new Map<string, number>();
  #cancel = () => {};

  constructor(context: ScreenContext) {
    this.#context = context;
  }

  attach(coder: Coder): void {
    this.#take(phasesIn(coder.record.lastCustom("pith.todo")) ?? [], () => before);
  }

  hear(event: ScreenEvent): void {
    const { timers, screen, coder } = this.#context;
    const phases = listIn(event);
    if (phases) this.#take(phases, (name) => this.#closed.get(name) ?? timers.now());
    else if ((event.type === "moved" || event.type === "session") && coder) this.attach(coder);
    else if (isFailure(event)) {
      this.#isStale = true;
      screen.request();
    }
  }

  render(columns: number, height: number): readonly string[] {
    const phases = this.#phases.map(({ name, tasks }) => ({
      name,
      tasks: tasks.filter((task) => this.#isShown(task)),
    }));
    const shown = phases.filter(({ tasks }) => tasks.length > 0);
    if (shown.length === 0) return [];
    const all = this.#phases.flatMap(({ tasks }) => tasks);
    const done = `${all.filter(isClosed).length} of ${all.length}`;
    const room = Math.max(2, Math.min(most, Math.floor(height / 4)));
    const { theme } = this.#context;
    return spaced(this.#context, todoRows(shown, { done, isStale: this.#isStale, theme, columns, room }));
  }

  get #delayMs(): number {
    return this.#context.settings.get("tasks.todoClearDelay") * 1000;
  }

  #isShown(task: Task): boolean {
    const since = this.#closed.get(task.content) ?? before;
    const isRecent = since !== before && (this.#delayMs < 0 || this.#context.timers.now() - since < this.#delayMs);
    return !isClosed(task) || isRecent;
  }

  #take(phases: readonly Phase[], closedAt: (name: string) => number): void {
    this.#phases = phases;
    this.#isStale = false;
    const closed = phases.flatMap(({ tasks }) => tasks.filter(isClosed));
    this.#closed = new Map(closed.map(({ content }) => [content, closedAt(content)]));
    this.#refresh();
  }

  /** Draws the list, and again when the next closed task leaves it. */
  #refresh(): void {
    const { timers, screen } = this.#context;
    this.#cancel();
    const waits = [...this.#closed.values()].map((since) => this.#delayMs - (timers.now() - since));
    const next = waits.filter((ms) => ms > 0);
    if (next.length > 0) this.#cancel = timers.after(Math.min(...next) + 1, () => this.#refresh());
    screen.request();
  }
}

interface TodoStyle {
  /** The count of closed tasks among all. */
  done: string;
  isStale: boolean;
  theme: Theme;
  columns: number;
  room: number;
}

function todoRows(phases: readonly Phase[], { done, isStale, theme, columns, room }: TodoStyle): string[] {
  const all = phases.flatMap(({ tasks }) => tasks);
  const isActive = ({ status }: Task) => status === "in_progress";
  const phase = phases.find(({ tasks }) => tasks.some(isActive)) ?? phases[0];
  const mark = isStale ? theme.paint("warn", "  may be behind") : "";
  const head = `${theme.paint("strong", oneLine(phase?.name ?? ""))} ${theme.paint("dim", done)}${mark}`;
  const from = Math.max(0, Math.min(Math.max(0, all.findIndex(isActive)) - 1, all.length - room));
  const rows = all.slice(from, from + room).map((task) => {
    const sign = theme.glyph[signs[task.status as keyof typeof signs] ?? "unchecked"];
    const token = isActive(task) ? "accent" : isClosed(task) ? "dim" : "text";
    return theme.paint(token, fit(`  ${sign} ${oneLine(task.content)}`, columns, theme.glyph.ellipsis));
  });
  const rest = all.length - rows.length;
  const more = rest > 0 ? [theme.paint("dim", fit(`  ${theme.glyph.ellipsis} ${rest} more`, columns))] : [];
  return [fit(head, columns), ...rows, ...more];
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

/** True for a failed call of the todo tool. */
function isFailure(event: ScreenEvent): boolean {
  if (event.type !== "entry" || event.entry.type !== "message") return false;
  const { message } = event.entry;
  return message.role === "toolResult" && message.toolName === "todo" && message.isError;
}
