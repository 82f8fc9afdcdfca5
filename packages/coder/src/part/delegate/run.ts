import { writeFileSync } from "node:fs";
import {
  type AgentReport,
  costDraft,
  type Entry,
  type Event,
  type Outcome,
  openAgentReports,
  refusal,
  type TurnEnd,
} from "@pith/agent";
import { defined, fill, plural, tryOr } from "@pith/kit";
import { type AssistantMessage, modelName } from "@pith/llm";
import type { Hall } from "../../hall/hall.ts";
import type { OpenHall } from "../../hall/open.ts";
import { resultBytes } from "../../model/result-bytes.ts";
import { Marks } from "../../policy/provenance.ts";
import { cutHead, maxRead } from "../../tools/cut.ts";
import { type ChildNeeds, openChild } from "./child.ts";
import type { TaskData } from "./kinds.ts";
import task from "./prompt/task.md" with { type: "text" };
import { type Delegate, offered, runSubagent, type Task } from "./run-subagent.ts";
import { TaskLimit } from "./task-limit.ts";
import { TaskProgress } from "./task-progress.ts";

/** Warnings of a sub-agent that are passed on. */
const mostWarnings = 5;

/** Runs tasks in sub-agents, a few at a time; each is a conversation that ends with a report. */
export function delegateIn(hall: ChildNeeds, parallel: () => number): Delegate {
  const { channel, journal } = hall;
  const limit = new TaskLimit(parallel);
  const marks = new Marks(journal.tree);
  let outputs = { file: journal.file, open: openAgentReports(journal.file) };
  const place = (name: string) => {
    if (outputs.file !== journal.file) outputs = { file: journal.file, open: openAgentReports(journal.file) };
    return outputs.open.allocate(name);
  };
  const count = () => {
    const text = limit.running === 0 ? undefined : plural(limit.running, "agent");
    channel.announce({ type: "status", key: "agents", ...(text && { text }) });
  };
  return async (given, { signal, progress }) => {
    const { mode, title } = given;
    const about = { mode, title, ...defined({ description: given.description }) };
    const waits: TaskData = { ...about, state: "waiting", calls: [], callCount: 0, tokens: 0, cost: 0 };
    const show = (data: TaskData) => progress({ kind: "task", data, text: linesOf(data) });
    show(waits);
    const outcome = await limit.run(signal, async () => {
      count();
      const output = place(mode);
      const opened = await openChild(hall, given, output);
      if (!opened.ok) return refusal(`No sub-agent could be started: ${opened.message}`);
      const child = opened.value;
      if (mode === "deep-explore") addSubagents(hall, child);
      const known = { ...about, model: modelName(child.hall.choice.model), ...defined({ id: output?.id }) };
      const state = new TaskProgress(known, () => show(state.data));
      using _ = child.hall.channel.subscribe(listener(hall, state, title));
      try {
        // Text of strangers in this conversation may be in the task, too.
        await converse(child, { text: promptFor(given), ...defined({ origin: marks.newest }) }, signal);
        return report(hall, child, state, output);
      } finally {
        await child[Symbol.asyncDispose]();
      }
    });
    count();
    return outcome ?? refusal("The task was interrupted before a sub-agent had begun with it.");
  };
}

/** Gives a deep exploration sub-agents of its own, one at a time; those have none. */
function addSubagents(hall: ChildNeeds, { hall: own }: OpenHall): void {
  if (!own.settings.get("run_subagent.enabled")) return;
  const { explorer, absent, spentUp } = hall;
  const modes = offered.filter((mode) => mode !== "deep-explore");
  own.tools.add("sub-agents", [
    runSubagent(
      delegateIn({ ...own, explorer, absent, spentUp }, () => 1),
      modes,
    ),
  ]);
}

/** The state of a task as plain text. */
const linesOf = ({ title, description, calls }: TaskData): string =>
  [
    `Sub-agent: ${[title, description].filter(Boolean).join(" — ")}`,
    ...calls.map(({ tool, about, state }) => `- ${tool} ${about}${state === "failed" ? " (failed)" : ""}`),
  ].join("\n");

const promptFor = ({ task: words, hint }: Task): string =>
  fill(task, { task: words.trim(), focus: hint?.trim() ? `FOCUS AREA\n${hint.trim()}` : "" }).trim();

async function converse(
  { hall: { conversation } }: OpenHall,
  input: Parameters<Hall["send"]>[0],
  signal: AbortSignal,
): Promise<void> {
  const stop = () => void conversation.interrupt("The agent that asked was interrupted.");
  signal.addEventListener("abort", stop, { once: true });
  try {
    if (!signal.aborted) await conversation.send(input);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}

/** Listens to a sub-agent: shows its calls, records its cost, and passes warnings on. */
function listener({ channel }: ChildNeeds, state: TaskProgress, title: string): (event: Event) => void {
  const warnings = new Set<string>();
  return (event) => {
    const bill = event.type === "entry" ? billOf(event.entry) : undefined;
    if (bill) {
      state.spend(bill.usage);
      channel.record(costDraft(bill, "task"));
    }
    state.take(event);
    if (event.type !== "notice" || event.notice.level === "info") return;
    const { level, text } = event.notice;
    if (warnings.size >= mostWarnings || warnings.has(text)) return;
    warnings.add(text);
    channel.notify({ level, text: `Sub-agent ${title}: ${text}` });
  };
}

/** The answer that an entry holds the cost of. */
function billOf(entry: Entry): AssistantMessage | undefined {
  if (entry.type === "message")
    return entry.message.role === "assistant" && entry.message.usage.totalTokens > 0 ? entry.message : undefined;
  return entry.type === "custom" && entry.customType === "pith.spent" ? (entry.data as AssistantMessage) : undefined;
}

/** The report for the agent that asked, cut to its room; the whole is kept beside the record. */
function report({ choice }: ChildNeeds, child: OpenHall, task: TaskProgress, output: AgentReport | undefined): Outcome {
  const end = task.end ?? ({ reason: "interrupted", message: "It did not begin." } as const);
  const whole = [task.text, ...reasonText(end, task.text)].join("\n\n").trim();
  const kept = output && keep(output, whole);
  const { text, truncation } = cutHead(whole, resultBytes(choice.model, maxRead));
  const next = kept && output ? `agent://${output.id}` : undefined;
  const meta = defined({
    truncation: truncation && { ...truncation, ...defined({ next }) },
    origin: new Marks(child.hall.tree).newest,
  });
  const state = end.reason;
  const data: TaskData = { ...task.data, state };
  const failed = state !== "done" && task.text === "" ? ({ failed: true } as const) : {};
  return { kind: "task", data, text, ...failed, ...(Object.keys(meta).length > 0 && { meta }) };
}

/** Tells why a sub-agent has ended without a report. */
function reasonText(end: TurnEnd, words: string): string[] {
  if (end.reason === "done") return words === "" ? ["The sub-agent ended without a word."] : [];
  if (end.reason === "failed") return [`The sub-agent failed: ${end.failure.message}`];
  return [`The sub-agent did not come to its end: ${end.message}`];
}

const keep = ({ text }: AgentReport, words: string): boolean =>
  tryOr(() => {
    writeFileSync(text, words, { mode: 0o600, flag: "wx" });
    return true;
  }, false);
