import {
  type Compacted,
  type Entry,
  type Event,
  intentFields,
  type Question,
  type QueuedInput,
  resultFields,
  type TurnEnd,
  type TurnState,
} from "@pith/agent";
import { type AssistantMessage, efforts, type Model, type ToolCall, type ToolResultMessage } from "@pith/llm";
import type { WireEvent, WireMessage } from "./event.ts";
import { ReplyEncoder } from "./reply-encoder.ts";

/** The present step of a run, which is a turn for pi. */
interface Step {
  message?: AssistantMessage;
  results: ToolResultMessage[];
}

/**
 * Maps our events to the public ones. A state machine: it pairs every start with an end, whatever is interrupted,
 * retried or dropped in between.
 */
export class EventEncoder {
  readonly #emit: (event: WireEvent) => void;
  readonly #now: () => number;
  #run: WireMessage[] | undefined;
  #step: Step | undefined;
  #reply: ReplyEncoder | undefined;
  #model: Model | undefined;
  readonly #running = new Map<string, ToolCall>();
  #retry = 0;

  constructor(emit: (event: WireEvent) => void, now: () => number) {
    this.#emit = emit;
    this.#now = now;
  }

  take(event: Event): void {
    switch (event.type) {
      case "entry":
        this.#entry(event.entry);
        break;
      case "delta":
        for (const delta of event.deltas) {
          this.#reply ??= this.#begunReply(delta.type === "start" ? delta : {});
          this.#reply?.take(delta, this.#emit);
        }
        break;
      case "call":
        this.#start(event.call);
        break;
      case "turn":
        this.#state(event.state);
        break;
      default: {
        const encode = stateless[event.type] as ((event: Event) => WireEvent) | undefined;
        if (encode) this.#emit(encode(event));
      }
    }
  }

  #entry(entry: Entry): void {
    if (entry.type !== "message" && entry.type !== "custom_message") {
      this.#emit({ type: "entry_appended", entry });
      const change = changeIn(entry);
      if (change) this.#emit(change);
      return;
    }
    const message = entry.type === "message" ? entry.message : customMessage(entry);
    // Between turns notes and commands of people are written too; what a person says to the model begins one.
    const isBetweenTurns = message.role !== "user" && !this.#run;
    if (!isBetweenTurns) this.#begin().push(message);
    if (isBetweenTurns) this.#whole(message);
    else if (message.role === "assistant") this.#answer(message);
    else if (message.role === "toolResult") this.#result(message);
    // A command that checks the work runs between two answers.
    else if ((message.role as string) === "bashExecution") this.#whole(message);
    else {
      // Input in the place of an answer ends it.
      this.#drop("aborted", "dropped");
      this.#openStep();
      this.#whole(message);
    }
  }

  #answer(message: AssistantMessage): void {
    this.#openStep().message = message;
    const failed = message.stopReason === "error" || message.stopReason === "aborted";
    this.#endRetries(failed ? (message.errorMessage ?? "") : undefined);
    if (this.#reply) this.#reply.end(message, this.#emit);
    else this.#whole(message);
    this.#reply = undefined;
  }

  #result(message: ToolResultMessage): void {
    this.#step?.results.push(message);
    const { toolCallId, toolName, content, details, isError } = message;
    const call = this.#step?.message?.content.find(
      (part): part is ToolCall => part.type === "toolCall" && part.id === toolCallId,
    );
    // A call that was refused never started; it is paired all the same.
    if (call && !this.#running.has(toolCallId)) this.#start(call);
    if (this.#running.delete(toolCallId))
      this.#emit({ type: "tool_execution_end", toolCallId, toolName, result: { content, details }, isError });
    this.#whole(message);
  }

  #begunReply({ responseId, responseModel }: { responseId?: string; responseModel?: string }) {
    if (!this.#model) return undefined;
    const head = { ...(responseId && { responseId }), ...(responseModel && { responseModel }) };
    const reply = new ReplyEncoder(this.#model, head, this.#now());
    this.#emit(reply.begin());
    return reply;
  }

  #state(state: TurnState): void {
    switch (state.name) {
      case "asking":
        this.#begin();
        this.#drop("aborted", "dropped");
        this.#openStep();
        this.#model = state.model;
        break;
      case "retrying": {
        const { attempt, most: maxAttempts = attempt, delayMs, failure } = state;
        this.#drop("error", failure.message);
        this.#retry = attempt;
        this.#emit({ type: "auto_retry_start", attempt, maxAttempts, delayMs, errorMessage: failure.message });
        break;
      }
      case "compacting":
        this.#drop("aborted", "dropped");
        this.#emit({ type: "compaction_start", reason: reasons[state.cause] });
        break;
      case "idle":
        this.#end(state.end);
    }
  }

  #begin(): WireMessage[] {
    if (!this.#run) this.#emit({ type: "agent_start" });
    this.#run ??= [];
    return this.#run;
  }

  /** The step that takes what comes next: a new one when the present one has had its answer. */
  #openStep(): Step {
    if (this.#step && !this.#step.message) return this.#step;
    this.#closeStep();
    this.#step = { results: [] };
    this.#emit({ type: "turn_start" });
    return this.#step;
  }

  #closeStep(): void {
    if (this.#step?.message)
      this.#emit({ type: "turn_end", message: this.#step.message, toolResults: this.#step.results });
    this.#step = undefined;
  }

  /** Ends an answer that will not be recorded. */
  #drop(reason: "aborted" | "error", why: string): AssistantMessage | undefined {
    const message = this.#reply?.cut(reason, why);
    if (message) this.#reply?.end(message, this.#emit);
    this.#reply = undefined;
    return message;
  }

  /** Tells that the tries are over, whether an answer came of them or not. */
  #endRetries(finalError: string | undefined): void {
    const attempt = this.#retry;
    if (attempt > 0) this.#emit({ type: "auto_retry_end", success: finalError === undefined, attempt, finalError });
    this.#retry = 0;
  }

  #end(end: TurnEnd): void {
    const why = end.reason === "done" ? "" : end.reason === "failed" ? end.failure.message : end.message;
    this.#endRetries(end.reason === "done" ? undefined : why);
    if (this.#step && !this.#step.message && this.#model) {
      const dropped = this.#drop("aborted", why);
      this.#step.message = dropped ?? new ReplyEncoder(this.#model, {}, this.#now()).cut("aborted", why);
      if (!dropped) this.#whole(this.#step.message);
    }
    this.#closeStep();
    // Of a turn that ended before it began it is only told that nobody need wait for it.
    if (this.#run) this.#emit({ type: "agent_end", messages: this.#run, willRetry: false, end });
    this.#run = undefined;
    this.#running.clear();
    this.#emit({ type: "agent_settled" });
  }

  #start(call: ToolCall): void {
    this.#running.set(call.id, call);
    this.#emit({ type: "tool_execution_start", ...callFields(call) });
  }

  #whole(message: WireMessage): void {
    this.#emit({ type: "message_start", message });
    this.#emit({ type: "message_end", message });
  }
}

/** Events that are encoded by themselves, whatever came before. */
const stateless: { [T in Event["type"]]?: (event: Extract<Event, { type: T }>) => WireEvent } = {
  progress({ call, part }) {
    const { content, details } = resultFields(part);
    return { type: "tool_execution_update", ...callFields(call), partialResult: { content, details } };
  },
  question: ({ question }) => questionLine(question),
  answered: ({ id, answer }) => ({ type: "answer", id, ...answer }),
  compacted: compactionEnd,
  summing: summarizationRetry,
  queue({ waiting }) {
    const texts = (when: QueuedInput["when"]) => waiting.flatMap((item) => (item.when === when ? [item.text] : []));
    return { type: "queue_update", steering: texts("steer"), followUp: texts("after") };
  },
  changed: (event) => ({ ...event, type: "files_changed" }),
  arriving: ({ id, name, files }) => ({ type: "edit_preview", toolCallId: id, toolName: name, files }),
  output: (event) => event,
  status: (event) => event,
  panel: (event) => event,
  moved: ({ from, to, summary }) => ({
    type: "session_tree",
    oldLeafId: from ?? undefined,
    newLeafId: to ?? undefined,
    summaryEntry: summary,
  }),
  reminded: (event) => ({ ...event, type: "ttsr_triggered" }),
  notice: ({ notice }) => ({ type: "notice", ...notice }),
};

/** Causes of a compaction as pi names them: an answer without room is an overflow, too. */
const reasons = {
  manual: "manual",
  threshold: "threshold",
  idle: "threshold",
  overflow: "overflow",
  incomplete: "overflow",
} as const;

function compactionEnd({ cause, entry, tokensAfter, aborted, willRetry, error }: Compacted): WireEvent {
  const { summary, firstKeptEntryId, tokensBefore, details } = entry ?? {};
  const isKnown = summary !== undefined && firstKeptEntryId !== undefined && tokensBefore !== undefined;
  return {
    type: "compaction_end",
    reason: reasons[cause],
    result: isKnown
      ? { summary, firstKeptEntryId, tokensBefore, estimatedTokensAfter: tokensAfter, details }
      : undefined,
    aborted,
    willRetry,
    errorMessage: error,
  };
}

function summarizationRetry({ of, now }: Event & { type: "summing" }): WireEvent {
  if (now.is === "over") return { type: "summarization_retry_finished" };
  if (now.is === "waiting") {
    const { attempt, most: maxAttempts, delayMs, message: errorMessage } = now;
    return { type: "summarization_retry_scheduled", attempt, maxAttempts, delayMs, errorMessage };
  }
  return of === "branch"
    ? { type: "summarization_retry_attempt_start", source: "branchSummary" }
    : { type: "summarization_retry_attempt_start", source: "compaction", reason: reasons[of] };
}

const callFields = (call: ToolCall) => ({ toolCallId: call.id, toolName: call.name, args: call.arguments });

/** The change of the session that an entry makes. */
function changeIn(entry: Entry): WireEvent | undefined {
  if (entry.type === "session_info") return { type: "session_info_changed", name: entry.name || undefined };
  const level = entry.type === "thinking_level_change" && efforts.find((known) => known === entry.thinkingLevel);
  return level ? { type: "thinking_level_changed", level } : undefined;
}

/** A note as the message that it is for the model. */
export function customMessage({
  customType,
  content,
  display,
  details,
  timestamp,
}: Entry & { type: "custom_message" }) {
  return { role: "custom" as const, customType, content, display, details, timestamp: Date.parse(timestamp) };
}

/** A question as it is told, and told again to a reader who joins later. */
export function questionLine(asked: Question): WireEvent & { type: "question" } {
  const { call, intent, chosen: _, series: __, quiet: ___, ...question } = asked;
  return {
    type: "question",
    ...question,
    ...(call && callFields(call)),
    ...(intent && { intent: intentFields(intent) }),
  };
}
