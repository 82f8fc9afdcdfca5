import type { Channel, SessionTree } from "@pith/agent";
import { recordOf } from "@pith/kit";
import { asLine, isOpen, onlyTasks, type TodoPhase, todoStatuses } from "./list.ts";

export interface TodoStore {
  readonly storage: "session" | "memory";
  /** The list that the model works on. */
  current(): TodoPhase[];
  /** The list with tasks that were closed before the session was opened again. */
  all(): TodoPhase[];
  /** Saves the list; `fresh` forgets the tasks that were closed before. */
  save(phases: readonly TodoPhase[], how: "fresh" | "further"): void;
}

const type = "pith.todo";

/**
 * The list of a session: the newest `pith.todo` entry on the path. Tasks that were closed before the session was opened
 * again are kept, but not shown to the model.
 */
export function sessionTodos(
  tree: SessionTree,
  channel: Pick<Channel, "record">,
  storage: TodoStore["storage"],
): TodoStore {
  const saved = new Set<string>();
  const read = () => {
    const entry = tree.lastCustom(type);
    const data = recordOf(entry ? entry.data : foreign(tree));
    const [phases, earlier] = [phasesIn(data.phases), phasesIn(data.earlier)];
    if (entry && saved.has(entry.repeats ?? entry.id)) return { phases, earlier };
    const closed = onlyTasks(phases, (task) => !isOpen(task));
    return { phases: onlyTasks(phases, isOpen), earlier: merge(earlier, closed) };
  };
  return {
    storage,
    current: () => read().phases,
    all: () => {
      const { phases, earlier } = read();
      return merge(earlier, phases);
    },
    save: (phases, how) => {
      const earlier = how === "fresh" ? [] : read().earlier;
      const data = { phases, ...(earlier.length > 0 && { earlier }) };
      saved.add(channel.record({ type: "custom", customType: type, data }).id);
    },
  };
}

/** The second list behind the first, phase by phase; a task in both counts as in the second. */
function merge(first: readonly TodoPhase[], second: readonly TodoPhase[]): TodoPhase[] {
  const again = new Set(second.flatMap(({ tasks }) => tasks.map(({ content }) => content)));
  const all = [...onlyTasks(first, ({ content }) => !again.has(content)), ...second];
  const tasks = (name: string) => all.flatMap((phase) => (phase.name === name ? phase.tasks : []));
  return [...new Set(all.map(({ name }) => name))].map((name) => ({ name, tasks: tasks(name) }));
}

/** The list in a session of another product: in results of its tool, or in edits of its user. */
function foreign(tree: SessionTree): unknown {
  for (const entry of tree.recent().toReversed()) {
    if (entry.type === "custom" && entry.customType === "user_todo_edit") return entry.data;
    if (entry.type !== "message" || entry.message.role !== "toolResult" || entry.message.isError) continue;
    if (/^todo(?:_write)?$/.test(entry.message.toolName)) return entry.message.details;
  }
  return undefined;
}

/** The phases of a list, with all that is none left out. */
function phasesIn(list: unknown): TodoPhase[] {
  return (Array.isArray(list) ? list : []).flatMap((phase: Partial<TodoPhase> | null) => {
    if (typeof phase?.name !== "string" || !Array.isArray(phase.tasks)) return [];
    const tasks = phase.tasks.filter((task) => typeof task?.content === "string" && todoStatuses.includes(task.status));
    return [
      { name: asLine(phase.name), tasks: tasks.map(({ content, status }) => ({ content: asLine(content), status })) },
    ];
  });
}
