/** A task in a phase. The text of a task and the name of a phase are unique. */
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

/** Applies all operations, or none if there are errors. Afterwards exactly one open task is in progress. */
export function applyTodo(
  before: readonly TodoPhase[],
  ops: readonly TodoOp[],
): { phases: TodoPhase[]; errors: string[] } {
  const errors: string[] = [];
  let phases = structuredClone(before) as TodoPhase[];
  for (const op of ops.map(plain)) phases = appliers[op.op](phases, op, errors);
  if (errors.length > 0) return { phases: structuredClone(before) as TodoPhase[], errors };
  return { phases: ops.every(({ op }) => op === "view") ? phases : oneActive(phases), errors };
}

/** The operation with names that are trimmed and of one line. */
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

/** Leaves only the first task in progress; if there is none, the first that is pending becomes it. */
export function oneActive(phases: readonly TodoPhase[]): TodoPhase[] {
  const all = phases.flatMap((phase) => phase.tasks);
  const active = all.find(({ status }) => status === "in_progress") ?? all.find(({ status }) => status === "pending");
  return mapTasks(phases, (task) => {
    if (task === active) return { ...task, status: "in_progress" };
    return task.status === "in_progress" ? { ...task, status: "pending" } : task;
  });
}

export const isOpen = ({ status }: TodoTask): boolean => status === "pending" || status === "in_progress";

/** Keeps the wanted tasks, and the phases that have any. */
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
    return mapTasks(phases, (other) => {
      if (other === wanted) return { ...other, status: "in_progress" };
      return other.status === "in_progress" ? { ...other, status: "pending" } : other;
    });
  },
  done: marks("completed"),
  drop: marks("abandoned"),
  rm(phases, op, errors) {
    const hits = targets(phases, op, errors);
    return onlyTasks(phases, (task) => !hits.has(task));
  },
  append,
};

function marks(status: TodoStatus): Apply {
  return (phases, op, errors) => {
    const hits = targets(phases, op, errors);
    return mapTasks(phases, (task) => (hits.has(task) ? { ...task, status } : task));
  };
}

/** The tasks that an operation names: one, those of a phase, or all. */
function targets(phases: readonly TodoPhase[], { task, phase }: TodoOp, errors: string[]): Set<TodoTask | undefined> {
  if (task !== undefined) return new Set([findTask(phases, task, errors)]);
  const named = phases.filter(({ name }) => phase === undefined || name === phase);
  if (phase === "") errors.push("A phase needs a name");
  else if (phase !== undefined && named.length === 0) errors.push(`Phase "${phase}" not found${hint(phases)}`);
  return new Set(named.flatMap(({ tasks }) => tasks));
}

function findTask(phases: readonly TodoPhase[], content: string | undefined, errors: string[]): TodoTask | undefined {
  const task = phases.flatMap(({ tasks }) => tasks).find((task) => task.content === content);
  if (!content) errors.push("A task needs words");
  else if (!task) errors.push(`Task "${content}" not found${hint(phases)}`);
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
    checkItems(items, contents, errors, (item) => `init has the task "${item}" twice`);
  }
  return list.map(({ phase, items }) => ({ name: phase, tasks: items.map(waiting) }));
}

function append(phases: TodoPhase[], { phase, items }: TodoOp, errors: string[]): TodoPhase[] {
  if (phase === undefined || phase === "") errors.push("append needs the name of a phase");
  if (!items || items.length === 0) errors.push("append needs items");
  if (!phase || !items) return phases;
  const taken = new Set(phases.flatMap(({ tasks }) => tasks.map(({ content }) => content)));
  checkItems(items, taken, errors, (item) => `Task "${item}" already exists`);
  const tasks = items.map(waiting);
  if (!phases.some(({ name }) => name === phase)) return [...phases, { name: phase, tasks }];
  return phases.map((old) => (old.name === phase ? { ...old, tasks: [...old.tasks, ...tasks] } : old));
}

function checkItems(items: string[], taken: Set<string>, errors: string[], twice: (item: string) => string): void {
  for (const item of items) {
    if (item === "") errors.push("A task needs words");
    else if (taken.has(item)) errors.push(twice(item));
    taken.add(item);
  }
}

const waiting = (content: string): TodoTask => ({ content, status: "pending" });
