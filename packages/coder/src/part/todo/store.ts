import type { Entry, EntryDraft, SessionTree } from "@pith/agent";
import { asLine, isOpen, onlyTasks, type TodoPhase, todoStatuses } from "./list.ts";

/** Where the list is kept. */
export interface TodoStore {
  readonly storage: "session" | "memory";
  /** The list the model works on. */
  current(): TodoPhase[];
  /** With what was closed before the session was opened again. */
  all(): TodoPhase[];
  /** `fresh` forgets what was closed before: a new list begins. */
  save(phases: readonly TodoPhase[], how: "fresh" | "further"): void;
}

/** A list that ends with its user: for a tool run by hand. */
export function memoryTodos(): TodoStore {
  let phases: readonly TodoPhase[] = [];
  const copy = () => structuredClone(phases) as TodoPhase[];
  return {
    storage: "memory",
    current: copy,
    all: copy,
    save: (next) => {
      phases = next;
    },
  };
}

const type = "pith.todo";

interface Kept {
  phases: TodoPhase[];
  /** Closed in earlier runs. */
  earlier: TodoPhase[];
}

/**
 * The list of a session: the newest `pith.todo` entry on the way to the leaf, so it follows every resume and every move
 * in the tree. What was closed before the session was opened again is no longer the model's business, but it is not
 * lost.
 */
export function sessionTodos(
  tree: SessionTree,
  record: (draft: EntryDraft) => Entry,
  storage: TodoStore["storage"],
): TodoStore {
  const saved = new Set<string>();
  const read = (): Kept => {
    const entry = tree.lastCustom(type);
    const data = entry ? (entry as { data?: unknown }).data : foreign(tree);
    const kept = { phases: phasesIn(data, "phases"), earlier: phasesIn(data, "earlier") };
    if (entry && saved.has(entry.repeats ?? entry.id)) return kept;
    return {
      phases: onlyTasks(kept.phases, isOpen),
      earlier: merge(
        kept.earlier,
        onlyTasks(kept.phases, (task) => !isOpen(task)),
      ),
    };
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
      saved.add(
        record({ type: "custom", customType: type, data: { phases, ...(earlier.length > 0 && { earlier }) } }).id,
      );
    },
  };
}

/** The second list behind the first, phase by phase. A task that is in both is what the second says of it. */
function merge(first: readonly TodoPhase[], second: readonly TodoPhase[]): TodoPhase[] {
  const again = new Set(second.flatMap(({ tasks }) => tasks.map(({ content }) => content)));
  const all = [...onlyTasks(first, ({ content }) => !again.has(content)), ...second];
  const tasks = (name: string) => all.flatMap((phase) => (phase.name === name ? phase.tasks : []));
  return [...new Set(all.map(({ name }) => name))].map((name) => ({ name, tasks: tasks(name) }));
}

/** A session of a relative keeps the list in the results of its tool and in the edits of its user. */
function foreign(tree: SessionTree): unknown {
  for (const entry of tree.recent().toReversed()) {
    if (entry.type === "custom" && entry.customType === "user_todo_edit") return entry.data;
    if (entry.type !== "message" || entry.message.role !== "toolResult" || entry.message.isError) continue;
    if (/^todo(?:_write)?$/.test(entry.message.toolName)) return entry.message.details;
  }
  return undefined;
}

/** What was written by whomever: only what has the shape of a list counts. */
function phasesIn(data: unknown, key: "phases" | "earlier"): TodoPhase[] {
  const list = (data as Record<string, unknown> | null | undefined)?.[key];
  if (!Array.isArray(list)) return [];
  return list.flatMap((phase: Partial<TodoPhase> | null) => {
    if (typeof phase?.name !== "string" || !Array.isArray(phase.tasks)) return [];
    const tasks = phase.tasks.filter((task) => typeof task?.content === "string" && todoStatuses.includes(task.status));
    return [
      { name: asLine(phase.name), tasks: tasks.map(({ content, status }) => ({ content: asLine(content), status })) },
    ];
  });
}
