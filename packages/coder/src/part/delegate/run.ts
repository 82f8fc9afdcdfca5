import { writeFileSync } from "node:fs";
import {
  type AgentReport,
  costDraft,
  type Entry,
  type Event,
  type Outcome,
  openAgentReports,
  refusal,
} from "@pith/agent";
import { fill, plural } from "@pith/kit";
import { type AssistantMessage, modelName } from "@pith/llm";
import type { Hall } from "../../hall/hall.ts";
import type { OpenHall } from "../../hall/open.ts";
import { roomOf } from "../../model/room.ts";
import { Marks } from "../../policy/provenance.ts";
import { cutHead, maxRead } from "../../tools/cut.ts";
import { type ChildNeeds, openChild } from "./child.ts";
import { Gate } from "./gate.ts";
import type { TaskData } from "./kinds.ts";
import task from "./prompt/task.md" with { type: "text" };
import { type Delegate, offered, runSubagent, type Task } from "./run-subagent.ts";
import { Watch } from "./watch.ts";

/** As many of a sub-agent's warnings are passed on. */
const mostWarnings = 5;

/** Has tasks done by sub-agents: a few at a time, each a conversation of its own that ends with its report. */
export function delegateIn(hall: ChildNeeds, parallel: () => number): Delegate {
  const { channel, journal } = hall;
  const gate = new Gate(parallel);
  const marks = new Marks(journal.tree);
  let outputs = { file: journal.file, open: openAgentReports(journal.file) };
  const place = (name: string) => {
    if (outputs.file !== journal.file) outputs = { file: journal.file, open: openAgentReports(journal.file) };
    return outputs.open.allocate(name);
  };
  const count = () => {
    const text = gate.inside === 0 ? undefined : plural(gate.inside, "agent");
    channel.announce({ type: "status", key: "agents", ...(text && { text }) });
  };
  return async (given, { signal, progress }) => {
    const { mode, title, description } = given;
    const about = { mode, title, ...(description === undefined ? {} : { description }) };
    const waits: TaskData = { ...about, state: "waiting", calls: [], callCount: 0, tokens: 0, cost: 0 };
    const show = (data: TaskData) => progress({ kind: "task", data, text: linesOf(data) });
    show(waits);
    const outcome = await gate.through(signal, async () => {
      count();
      const output = place(mode);
      const opened = await openChild(hall, given, output);
      if (!opened.ok) return refusal(`No sub-agent could be started: ${opened.message}`);
      const child = opened.value;
      if (mode === "deep-explore") lendHands(hall, child);
      const known = { ...about, model: modelName(child.hall.choice.model), ...(output && { id: output.id }) };
      const watch = new Watch(known, () => show(watch.data));
      using _ = child.hall.channel.subscribe(listener(hall, watch, title));
      try {
        // What strangers wrote here may stand in the task too.
        const [mark] = marks.upTo().slice(-1);
        const origin = mark && { from: mark.from, what: mark.what };
        await converse(child, { text: said(given), ...(origin && { origin }) }, signal);
        return report(hall, child, watch, output);
      } finally {
        await child[Symbol.asyncDispose]();
      }
    });
    count();
    return outcome ?? refusal("The task was interrupted before a sub-agent had begun with it.");
  };
}

/** Who explores a whole part has sub-agents of its own, one at a time; those have none. What they cost is the run's. */
function lendHands(hall: ChildNeeds, { hall: own }: OpenHall): void {
  if (!own.settings.get("run_subagent.enabled")) return;
  const { explorer, absent, spentUp } = hall;
  const one = delegateIn({ ...own, explorer, absent, spentUp }, () => 1);
  own.tools.add("sub-agents", [
    runSubagent(
      one,
      offered.filter((mode) => mode !== "deep-explore"),
    ),
  ]);
}

/** What it does, for whoever shows text only. */
const linesOf = ({ title, description, calls }: TaskData): string =>
  [
    `Sub-agent: ${[title, description].filter(Boolean).join(" — ")}`,
    ...calls.map(({ tool, about, state }) => `- ${tool} ${about}${state === "failed" ? " (failed)" : ""}`),
  ].join("\n");

/** What the sub-agent is asked. */
const said = ({ task: words, hint }: Task): string =>
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

/** What becomes known here of what a sub-agent does: its calls, its cost, and what went wrong; nothing it says. */
function listener({ channel }: ChildNeeds, watch: Watch, title: string): (event: Event) => void {
  const told = new Set<string>();
  return (event) => {
    if (event.type === "entry") {
      const bill = billOf(event.entry);
      if (bill) {
        watch.spend(bill.usage);
        channel.record(costDraft(bill, "task"));
      }
    }
    watch.hear(event);
    if (event.type !== "notice" || event.notice.level === "info") return;
    const { level, text } = event.notice;
    if (told.size >= mostWarnings || told.has(text)) return;
    told.add(text);
    channel.notify({ level, text: `Sub-agent ${title}: ${text}` });
  };
}

/** What an answer has cost, whatever became of it. */
function billOf(entry: Entry): AssistantMessage | undefined {
  if (entry.type === "message")
    return entry.message.role === "assistant" && entry.message.usage.totalTokens > 0 ? entry.message : undefined;
  return entry.type === "custom" && entry.customType === "pith.spent" ? (entry.data as AssistantMessage) : undefined;
}

/** The report for the agent that asked; all of it stays beside the record. */
function report({ choice }: ChildNeeds, child: OpenHall, watch: Watch, output: AgentReport | undefined): Outcome {
  const end = watch.end ?? ({ reason: "interrupted", message: "It did not begin." } as const);
  const whole = [watch.said, ...because(end, watch.said)].join("\n\n").trim();
  const kept = output && keep(output, whole);
  const { text, truncation } = cutHead(whole, roomOf(choice.model, maxRead));
  const [mark] = new Marks(child.hall.tree).upTo().slice(-1);
  const meta = {
    ...(truncation && { truncation: { ...truncation, ...(kept && output && { next: `agent://${output.id}` }) } }),
    ...(mark && { origin: { from: mark.from, what: mark.what } }),
  };
  const state = end.reason;
  const data: TaskData = { ...watch.data, state };
  const failed = state !== "done" && watch.said === "" ? ({ failed: true } as const) : {};
  return { kind: "task", data, text, ...failed, ...(Object.keys(meta).length > 0 && { meta }) };
}

/** What the one who asked has to know of an end that is none of its own. */
function because(end: NonNullable<Watch["end"]>, words: string): string[] {
  if (end.reason === "done") return words === "" ? ["The sub-agent ended without a word."] : [];
  if (end.reason === "failed") return [`The sub-agent failed: ${end.failure.message}`];
  return [`The sub-agent did not come to its end: ${end.message}`];
}

function keep({ text }: AgentReport, words: string): boolean {
  try {
    writeFileSync(text, words, { mode: 0o600, flag: "wx" });
    return true;
  } catch {
    // The report itself goes to the one who asked.
    return false;
  }
}
