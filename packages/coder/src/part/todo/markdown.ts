import { oneActive, type TodoPhase, type TodoStatus } from "./list.ts";

const signs: Record<TodoStatus, string> = { pending: " ", in_progress: "/", completed: "x", abandoned: "-" };
const meanings: Record<string, TodoStatus> = {
  " ": "pending",
  "": "pending",
  "/": "in_progress",
  ">": "in_progress",
  x: "completed",
  X: "completed",
  "-": "abandoned",
  "~": "abandoned",
};

export const taskLine = ({ status, content }: TodoPhase["tasks"][number]): string => `[${signs[status]}] ${content}`;

/** Phases as headings and tasks as a checklist, which `markdownToTodo` reads back. */
export function todoToMarkdown(phases: readonly TodoPhase[]): string {
  return phases
    .map(({ name, tasks }) => [heading(name), ...tasks.map((task) => `- ${taskLine(task)}`)].join("\n"))
    .join("\n\n");
}

/** A heading; one that ends with `#` gets another, because those at the end do not count. */
const heading = (name: string): string => `# ${name}${/\s#+$/.test(name) ? " #" : ""}`;

/** Reads a checklist. Tasks before any heading belong to the phase `Todos`; a task that is there twice counts once. */
export function markdownToTodo(text: string): TodoPhase[] {
  const phases: TodoPhase[] = [];
  const seen = new Set<string>();
  let current: TodoPhase | undefined;
  const phaseOf = (name: string) => {
    const phase = phases.find((known) => known.name === name) ?? { name, tasks: [] };
    if (!phases.includes(phase)) phases.push(phase);
    return phase;
  };
  for (const line of text.split(/\r?\n/)) {
    const name = /^#{1,6}\s+(.+?)(?:\s+#+)?$/.exec(line.trim())?.[1];
    if (name) current = phaseOf(name);
    const [, sign, content] = /^\s*(?:[-*+]|\d+[.)])\s+\[(.?)\]\s+(.+?)\s*$/.exec(line) ?? [];
    const status = sign === undefined ? undefined : meanings[sign];
    if (!status || content === undefined || seen.has(content)) continue;
    seen.add(content);
    current ??= phaseOf("Todos");
    current.tasks.push({ content, status });
  }
  return oneActive(phases.filter(({ tasks }) => tasks.length > 0));
}
