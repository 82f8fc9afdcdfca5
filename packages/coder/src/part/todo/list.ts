/** A list of tasks in phases. A task is known by its text, a phase by its name; both are unique. */
export interface TodoTask {
  content: string;
  status: TodoStatus;
}
export interface TodoPhase {
  name: string;
  tasks: TodoTask[];
}
export const todoStatuses = ["pending", "in_progress", "completed", "abandoned"] as const;
export type TodoStatus = (typeof todoStatuses)[number];

export const todoOps = ["init", "start", "done", "drop", "rm", "append", "view"] as const;

export interface TodoOp {
  op: (typeof todoOps)[number];
  list?: { phase: string; items: string[] }[];
  task?: string;
  phase?: string;
  items?: string[];
}

export interface Changed {
  phases: TodoPhase[];
  /** All problems of the batch; with any, nothing of it counts. */
  errors: string[];
}

/** Applies a batch in order, all of it or nothing. Afterwards exactly one open task is in progress. */
export function applyTodo(before: readonly TodoPhase[], ops: readonly TodoOp[]): Changed {
  const errors: string[] = [];
  let phases = structuredClone(before) as TodoPhase[];
  for (const op of ops.map(plain)) phases = appliers[op.op](phases, op, errors);
  if (errors.length > 0) return { phases: structuredClone(before) as TodoPhase[], errors };
  return { phases: ops.every(({ op }) => op === "view") ? phases : oneActive(phases), errors };
}

/**
 * Names are lines: what is around them and breaks in them is no part of a name, neither where one is given nor where
 * one is meant.
 */
function plain({ op, list, task, phase, items }: TodoOp): TodoOp {
  return {
    op,
    list: list?.map(({ phase, items }) => ({ phase: asLine(phase), items: items.map(asLine) })),
    task: task === undefined ? undefined : asLine(task),
    phase: phase === undefined ? undefined : asLine(phase),
    items: items?.map(asLine),
  };
}

export const asLine = (text: string): string => text.trim().replace(/\s*[\n\r\u2028\u2029]\s*/g, " ");

/** At most one task is in progress, the first; when none is, the first that waits becomes it. */
export function oneActive(phases: readonly TodoPhase[]): TodoPhase[] {
  const all = phases.flatMap((phase) => phase.tasks);
  const active = all.find(({ status }) => status === "in_progress") ?? all.find(({ status }) => status === "pending");
  return mapTasks(phases, (task) => {
    if (task === active) return { ...task, status: "in_progress" };
    return task.status === "in_progress" ? { ...task, status: "pending" } : task;
  });
}

export const isOpen = ({ status }: TodoTask): boolean => status === "pending" || status === "in_progress";

/** Only the tasks that are wanted; phases without any are left out. */
export function onlyTasks(phases: readonly TodoPhase[], wanted: (task: TodoTask) => boolean): TodoPhase[] {
  return phases
    .map(({ name, tasks }) => ({ name, tasks: tasks.filter(wanted) }))
    .filter(({ tasks }) => tasks.length > 0);
}

const mapTasks = (phases: readonly TodoPhase[], change: (task: TodoTask) => TodoTask): TodoPhase[] =>
  phases.map(({ name, tasks }) => ({ name, tasks: tasks.map(change) }));

type Apply = (phases: TodoPhase[], op: TodoOp, errors: string[]) => TodoPhase[];

const appliers: Record<TodoOp["op"], Apply> = {
  view: (phases) => phases,
  init,
  start(phases, { task }, errors) {
    const wanted = findTask(phases, task, errors);
    if (!wanted) return phases;
    return mapTasks(phases, (other) =>
      other === wanted
        ? { ...other, status: "in_progress" }
        : other.status === "in_progress"
          ? { ...other, status: "pending" }
          : other,
    );
  },
  done: marks("completed"),
  drop: marks("abandoned"),
  rm(phases, op, errors) {
    const hit = targets(phases, op, errors);
    return phases
      .map(({ name, tasks }) => ({ name, tasks: tasks.filter((task) => !hit(task, name)) }))
      .filter(({ tasks }) => tasks.length > 0);
  },
  append,
};

function marks(status: TodoStatus): Apply {
  return (phases, op, errors) => {
    const hit = targets(phases, op, errors);
    return phases.map(({ name, tasks }) => ({
      name,
      tasks: tasks.map((task) => (hit(task, name) ? { ...task, status } : task)),
    }));
  };
}

/** What an operation is about: the task that it names, or all of a phase, or the whole list. */
function targets(
  phases: readonly TodoPhase[],
  { task, phase }: TodoOp,
  errors: string[],
): (task: TodoTask, phase: string) => boolean {
  if (task !== undefined) {
    const wanted = findTask(phases, task, errors);
    return (other) => other === wanted;
  }
  if (phase === undefined) return () => true;
  if (phase === "") errors.push("A phase needs a name");
  else if (!phases.some(({ name }) => name === phase)) errors.push(`Phase "${phase}" not found${hint(phases)}`);
  return (_, name) => name === phase;
}

function findTask(phases: readonly TodoPhase[], content: string | undefined, errors: string[]): TodoTask | undefined {
  if (content === undefined || content === "") {
    errors.push("A task needs words");
    return undefined;
  }
  const task = phases.flatMap(({ tasks }) => tasks).find((task) => task.content === content);
  if (!task) errors.push(`Task "${content}" not found${hint(phases)}`);
  return task;
}

const hint = (phases: readonly TodoPhase[]): string =>
  phases.length === 0 ? " (the list is empty; make one with init)" : "";

function init(phases: TodoPhase[], { list }: TodoOp, errors: string[]): TodoPhase[] {
  if (!list || list.length === 0) {
    errors.push("init needs a list");
    return phases;
  }
  const [names, contents] = [new Set<string>(), new Set<string>()];
  for (const { phase, items } of list) {
    if (phase === "") errors.push("A phase needs a name");
    else if (names.has(phase)) errors.push(`init has the phase "${phase}" twice`);
    names.add(phase);
    for (const item of items) {
      if (item === "") errors.push("A task needs words");
      else if (contents.has(item)) errors.push(`init has the task "${item}" twice`);
      contents.add(item);
    }
  }
  return list.map(({ phase, items }) => ({ name: phase, tasks: items.map(waiting) }));
}

function append(phases: TodoPhase[], { phase, items }: TodoOp, errors: string[]): TodoPhase[] {
  if (phase === undefined || phase === "") errors.push("append needs the name of a phase");
  if (!items || items.length === 0) errors.push("append needs items");
  if (!phase || !items) return phases;
  const taken = new Set(phases.flatMap(({ tasks }) => tasks.map(({ content }) => content)));
  for (const item of items) {
    if (item === "") errors.push("A task needs words");
    else if (taken.has(item)) errors.push(`Task "${item}" already exists`);
    taken.add(item);
  }
  const tasks = items.map(waiting);
  if (!phases.some(({ name }) => name === phase)) return [...phases, { name: phase, tasks }];
  return phases.map((old) => (old.name === phase ? { ...old, tasks: [...old.tasks, ...tasks] } : old));
}

const waiting = (content: string): TodoTask => ({ content, status: "pending" });
