import { type Call, type Outcome, schema as s, type Tool } from "@pith/agent";
import about from "./run-subagent.md" with { type: "text" };

/** The modes that a model may choose from. */
export const offered = ["explore", "review", "deep-explore", "plan", "chat"] as const;
type Offered = (typeof offered)[number];

const inputFor = (modes: readonly Offered[]) =>
  s.object({
    task: s.string().min(1).describe("All that the sub-agent has to know and to find out"),
    title: s.string().optional().describe("What it does, in 3 to 5 words"),
    description: s.string().optional().describe("One line more for the user"),
    context_hint: s.string().optional().describe("Where to begin: files, folders, names"),
    mode: s.oneOf(modes).optional(),
  });
type Input = s.Infer<ReturnType<typeof inputFor>>;

export interface Task {
  mode: Offered;
  title: string;
  description?: string | undefined;
  task: string;
  hint?: string | undefined;
}

/** Has a sub-agent do a task, and reports its progress. */
export type Delegate = (task: Task, call: Pick<Call, "signal" | "progress">) => Promise<Outcome>;

/** The tool that gives a task to a sub-agent. */
export const runSubagent = (delegate: Delegate, modes: readonly Offered[] = offered): Tool<Input> => ({
  name: "run_subagent",
  label: "delegate a task to a sub-agent",
  about,
  input: inputFor(modes),
  looks: true,
  beside: () => true,
  prepare: ({ task, title = "", description, context_hint: hint, mode = "explore" }) => ({
    effect: "read",
    paths: [],
    run: (call) => delegate({ mode, title: labelOf(title, task), description, task, hint }, call),
  }),
});

/** The title, or the first line of the task. */
function labelOf(title: string, task: string): string {
  const [line = ""] = (title.trim() || task.trim()).split("\n");
  return line.slice(0, 100).toWellFormed();
}
