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
import {
  type AssistantMessage,
  efforts,
  type Model,
  type StreamEvent,
  type ToolCall,
  type ToolResultMessage,
} from "@pith/llm";
import type { WireEvent, WireMessage } from "./event.ts";
import { ReplyEncoder } from "./reply-encoder.ts";

/** The present step: pi calls it a turn. */
interface Step {
  message?: AssistantMessage;
  results: ToolResultMessage[];
}

/**
 * The one mapping from our events to the public ones. A state machine: it pairs every start with an end, whatever is
 * interrupted, retried or dropped in between.
 */
export class EventEncoder {
  readonly #emit: (event: WireEvent) => void;
  readonly #now: () => number;
  #run: WireMessage[] | undefined;
  #step: Step | undefined;
  #reply: ReplyEncoder | undefined;
  #model: Model | undefined;
  #running = new Map<string, ToolCall>();
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
        for (const delta of event.deltas) this.#delta(delta);
        break;
      case "call":
        this.#start(event.call);
        break;
      case "progress": {
        const { content, details } = resultFields(event.part);
        this.#emit({
          type: "tool_execution_update",
          ...named(event.call),
          partialResult: { content, ...(details ? { details } : {}) },
        });
        break;
      }
      case "question":
        this.#emit(questionLine(event.question));
        break;
      case "answered":
        this.#emit({ type: "answer", id: event.id, ...event.answer });
        break;
      case "turn":
        this.#state(event.state);
        break;
      case "compacted":
        this.#compacted(event);
        break;
      case "summing":
        this.#emit(summingLine(event));
        break;
      case "queue":
        this.#emit({ type: "queue_update", steering: waiting(event, "steer"), followUp: waiting(event, "after") });
        break;
      case "changed":
        this.#emit({ ...event, type: "files_changed" });
        break;
      case "arriving":
        this.#emit({ type: "edit_preview", toolCallId: event.id, toolName: event.name, files: event.files });
        break;
      case "output":
      case "status":
      case "panel":
        this.#emit(event);
        break;
      case "moved":
        this.#emit({
          type: "session_tree",
          ...(event.from !== null && { oldLeafId: event.from }),
          ...(event.to !== null && { newLeafId: event.to }),
          ...(event.summary && { summaryEntry: event.summary }),
        });
        break;
      case "reminded":
        this.#emit({ ...event, type: "ttsr_triggered" });
        break;
      case "notice":
        this.#emit({ type: "notice", ...event.notice });
    }
  }

  #entry(entry: Entry): void {
    if (entry.type !== "message" && entry.type !== "custom_message") {
      this.#emit({ type: "entry_appended", entry });
      const told = changeIn(entry);
      if (told) this.#emit(told);
      return;
    }
    const message = entry.type === "message" ? entry.message : customMessage(entry);
    // Between turns notes and commands of people are written too; what a person says to the model begins one.
    if (message.role !== "user" && !this.#run) {
      this.#whole(message);
      return;
    }
    this.#begin().push(message);
    if (message.role === "assistant") this.#answer(message);
    else if (message.role === "toolResult") this.#result(message);
    // What checks the work is run between two answers.
    else if ((message.role as string) === "bashExecution") this.#whole(message);
    else {
      // What is said instead of an answer ends it.
      this.#drop("aborted", "dropped");
      this.#openStep();
      this.#whole(message);
    }
  }

  #answer(message: AssistantMessage): void {
    const step = this.#openStep();
    step.message = message;
    const failed = message.stopReason === "error" || message.stopReason === "aborted";
    this.#retried(failed ? (message.errorMessage ?? "") : undefined);
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
    if (this.#running.delete(toolCallId)) {
      this.#emit({
        type: "tool_execution_end",
        toolCallId,
        toolName,
        result: { content, ...(details ? { details } : {}) },
        isError,
      });
    }
    this.#whole(message);
  }

  #delta(delta: StreamEvent): void {
    if (!this.#reply) {
      if (!this.#model) return;
      const { responseId, responseModel } = delta.type === "start" ? delta : {};
      this.#reply = new ReplyEncoder(
        this.#model,
        { ...(responseId ? { responseId } : {}), ...(responseModel ? { responseModel } : {}) },
        this.#now(),
      );
      this.#emit(this.#reply.begin());
    }
    this.#reply.take(delta, this.#emit);
  }

  #state(state: TurnState): void {
    switch (state.name) {
      case "asking":
        this.#begin();
        this.#drop("aborted", "dropped");
        this.#openStep();
        this.#model = state.model;
        break;
      case "retrying":
        this.#drop("error", state.failure.message);
        this.#retry = state.attempt;
        this.#emit({
          type: "auto_retry_start",
          attempt: state.attempt,
          maxAttempts: state.most ?? state.attempt,
          delayMs: state.delayMs,
          errorMessage: state.failure.message,
        });
        break;
      case "compacting":
        this.#drop("aborted", "dropped");
        this.#emit({ type: "compaction_start", reason: reasons[state.cause] });
        break;
      case "idle":
        this.#end(state.end);
    }
  }

  #compacted({ cause, entry, tokensAfter, aborted, willRetry, error }: Compacted): void {
    const { summary, firstKeptEntryId, tokensBefore, details } = entry ?? {};
    const known = summary !== undefined && firstKeptEntryId !== undefined && tokensBefore !== undefined;
    this.#emit({
      type: "compaction_end",
      reason: reasons[cause],
      ...(known && {
        result: {
          summary,
          firstKeptEntryId,
          tokensBefore,
          ...(tokensAfter === undefined ? {} : { estimatedTokensAfter: tokensAfter }),
          ...(details === undefined ? {} : { details }),
        },
      }),
      aborted,
      willRetry,
      ...(error === undefined ? {} : { errorMessage: error }),
    });
  }

  #begin(): WireMessage[] {
    if (!this.#run) {
      this.#run = [];
      this.#emit({ type: "agent_start" });
    }
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

  /** An answer that will not be recorded is ended here. */
  #drop(reason: "aborted" | "error", why: string): AssistantMessage | undefined {
    const message = this.#reply?.cut(reason, why);
    if (message) this.#reply?.end(message, this.#emit);
    this.#reply = undefined;
    return message;
  }

  /** The tries are over, whether an answer came of them or not. */
  #retried(finalError: string | undefined): void {
    if (this.#retry > 0)
      this.#emit({
        type: "auto_retry_end",
        success: finalError === undefined,
        attempt: this.#retry,
        ...(finalError === undefined ? {} : { finalError }),
      });
    this.#retry = 0;
  }

  #end(end: TurnEnd): void {
    const why = end.reason === "done" ? "" : end.reason === "failed" ? end.failure.message : end.message;
    this.#retried(end.reason === "done" ? undefined : why);
    if (this.#step && !this.#step.message && this.#model) {
      const dropped = this.#drop("aborted", why);
      this.#step.message = dropped ?? new ReplyEncoder(this.#model, {}, this.#now()).cut("aborted", why);
      if (!dropped) this.#whole(this.#step.message);
    }
    this.#closeStep();
    // A turn that ended before it began has nothing to tell but that nobody need wait for it.
    if (this.#run) this.#emit({ type: "agent_end", messages: this.#run, willRetry: false, end });
    this.#run = undefined;
    this.#running.clear();
    this.#emit({ type: "agent_settled" });
  }

  #start(call: ToolCall): void {
    this.#running.set(call.id, call);
    this.#emit({ type: "tool_execution_start", ...named(call) });
  }

  #whole(message: WireMessage): void {
    this.#emit({ type: "message_start", message });
    this.#emit({ type: "message_end", message });
  }
}

/** Why a conversation is made shorter, as pi tells it: an answer without room is an overflow, too. */
function summingLine({ of, now }: Event & { type: "summing" }): WireEvent {
  if (now.is === "over") return { type: "summarization_retry_finished" };
  if (now.is === "waiting") {
    const { attempt, most, delayMs, message } = now;
    const tries = { attempt, maxAttempts: most, delayMs, errorMessage: message };
    return { type: "summarization_retry_scheduled", ...tries };
  }
  const source =
    of === "branch" ? { source: "branchSummary" as const } : { source: "compaction" as const, reason: reasons[of] };
  return { type: "summarization_retry_attempt_start", ...source };
}

const reasons = {
  manual: "manual",
  threshold: "threshold",
  idle: "threshold",
  overflow: "overflow",
  incomplete: "overflow",
} as const;

const named = (call: ToolCall) => ({ toolCallId: call.id, toolName: call.name, args: call.arguments });

/** What of the session is another now, by an entry that says so. */
function changeIn(entry: Entry): WireEvent | undefined {
  if (entry.type === "session_info")
    return { type: "session_info_changed", ...(entry.name ? { name: entry.name } : {}) };
  const level = entry.type === "thinking_level_change" && efforts.find((known) => known === entry.thinkingLevel);
  return level ? { type: "thinking_level_changed", level } : undefined;
}

const customMessage = ({
  customType,
  content,
  display,
  details,
  timestamp,
}: Entry & { type: "custom_message" }): Exclude<WireMessage, { stopReason: "pending" }> => ({
  role: "custom",
  customType,
  content,
  display,
  ...(details === undefined ? {} : { details }),
  timestamp: Date.parse(timestamp),
});

const waiting = (event: { waiting: readonly QueuedInput[] }, when: QueuedInput["when"]): string[] =>
  event.waiting.flatMap((item) => (item.when === when ? [item.text] : []));

/** A question as it is told; also to who joins later. */
export function questionLine({
  call,
  intent,
  chosen: _,
  series: __,
  quiet: ___,
  ...question
}: Question): WireEvent & { type: "question" } {
  return {
    type: "question",
    ...question,
    ...(call ? named(call) : {}),
    ...(intent ? { intent: intentFields(intent) } : {}),
  };
}
