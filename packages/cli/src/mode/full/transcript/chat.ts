import {
  type Compacted,
  type Data,
  type Entry,
  type Outcome,
  resultFields,
  type TurnChanges,
  type TurnState,
  textOf,
} from "@pith/agent";
import { messageOf } from "@pith/kit";
import type { AssistantMessage, Message, StreamEvent } from "@pith/llm";
import type { StyleName } from "@pith/tui";
import { remindedLine } from "../../../io/reminder.ts";
import { retryLine } from "../../../io/retry.ts";
import { changedLine, compactedLine, noteText, summedUp, type When } from "../../../view/event-line.ts";
import type { ScreenEvent } from "../../../view/throttle.ts";
import { isUserRun } from "../../../view/user-run.ts";
import { resultRows } from "../../../view/view.ts";
import { answerPiece, type StreamingPiece, thinkingPiece } from "./answer.ts";
import { Calls } from "./calls.ts";
import { type Address, canvasOf, imagesOf, indented, type Piece, type PieceList, type PieceStyle } from "./piece.ts";
import { Runs } from "./runs.ts";
import { sideQuestionPiece } from "./side-question.ts";
import { dividerPiece, promptPiece, textPiece } from "./text.ts";

/** Events, live or from the record, as pieces of a transcript, in the order of the conversation. */
export class Chat {
  readonly #style: PieceStyle;
  readonly #list: PieceList;
  /** The parts of the reply that streams: pieces, and ids of calls. */
  #reply = new Map<number, StreamingPiece | string>();
  #first: Piece | undefined;
  readonly #calls: Calls;
  readonly #runs: Runs;
  /** The error that an answer in the record ended with. */
  #failed: string | undefined;
  /** True after the conversation has gone on in a new session. */
  #handed = false;
  /** True after a compaction was stopped, and its turn with it. */
  #stopped = false;
  /** The time at which the turn began that runs. */
  #began: number | undefined;

  constructor(style: PieceStyle, list: PieceList) {
    this.#style = style;
    this.#list = list;
    this.#calls = new Calls(style, list);
    this.#runs = new Runs(style, {
      add: (piece, address) => this.#add(piece, address),
      settle: (piece, address) => list.settle(piece, address),
      cut: (piece) => list.cut(piece),
      entry: (id) => list.entry(id),
    });
  }

  take(event: ScreenEvent): void {
    (this.#takes[event.type] as ((event: ScreenEvent) => void) | undefined)?.(event);
  }

  readonly #takes: { readonly [T in ScreenEvent["type"]]?: (event: ScreenEvent & { type: T }) => void } = {
    delta: ({ deltas }) => {
      for (const delta of deltas) this.#delta(delta);
    },
    // The event `compacted` follows the entry, and says more.
    entry: ({ entry }) => entry.type !== "compaction" && this.entry(entry, "now"),
    compacted: (event) => this.#compacted(event),
    session: () => {
      this.#handed = true;
      this.divide("the conversation goes on in a new session");
    },
    reminded: (event) => {
      // Nothing of the stopped answer stays.
      if (event.how === "stopped") this.#dropReply();
      this.say("warn", remindedLine(event));
    },
    thought: ({ index, ms }) => {
      const thinking = this.#reply.get(index);
      if (typeof thinking === "object") thinking.finish(ms);
    },
    shaping: (event) => this.#calls.card(event.call.id)?.shapes(event),
    arriving: ({ id, files }) => this.#calls.card(id)?.arriving(files),
    progress: ({ call, part }) => this.#calls.card(call.id)?.shows(part),
    output: (event) => this.#runs.hear(event),
    changed: (event) => event.final && event.files.length > 0 && this.say("dim", changedLine(event, "now")),
    notice: ({ notice: { level, text } }) => this.say(level === "info" ? "dim" : level, text),
    turn: ({ state }) => this.#turn(state),
  };

  #compacted(event: Compacted): void {
    this.#stopped = event.aborted;
    if (event.entry) this.#summary(event.entry, summedUp(event.entry.tokensBefore, event.tokensAfter));
    // A new session has already said that it is shorter, and a typed command says by itself that it was stopped.
    else if (event.aborted ? event.cause !== "manual" : !this.#handed || event.tokensAfter === undefined)
      this.say(...compactedLine(event));
    this.#handed = false;
  }

  /** Adds words of pith's own. */
  say(token: StyleName, text: string): void {
    const make = () => textPiece(this.#style, token, text);
    this.#add(make(), make);
  }

  /** Adds the outcome of a command. */
  show(outcome: Outcome): void {
    const result = resultFields(outcome);
    const make: Address = () =>
      outcome.kind === "prose"
        ? textPiece(this.#style, outcome.failed ? "warn" : "text", outcome.text)
        : outcome.kind === "btw"
          ? sideQuestionPiece(this.#style, (outcome.data as Data["btw"]).question, outcome.text)
          : { final: true, render: (columns) => indented(resultRows(result, canvasOf(this.#style, columns, 40))) };
    const piece = make();
    if (piece) this.#add(piece, make);
  }

  divide(text: string): void {
    const make = () => dividerPiece(this.#style, text);
    this.#add(make(), make);
  }

  /** Adds an entry of the record; one that cannot be shown is said to be so, since a record may be a stranger's. */
  entry(entry: Entry, when: When = "then"): void {
    try {
      this.#entry(entry, when);
    } catch (thrown) {
      this.say("warn", `An entry of the record cannot be shown: ${messageOf(thrown)}`);
    }
  }

  #entry(entry: Entry, when: When): void {
    const { id } = entry;
    if (isUserRun(entry)) this.#runs.recorded(entry.message, id);
    else if (entry.type === "message") this.#message(entry.message, id, when);
    else if (entry.type === "custom" && entry.customType === "pith.changed" && when === "then")
      this.say("dim", changedLine(entry.data as TurnChanges, when));
    else if (entry.type === "custom_message" && entry.display)
      this.#words(id, "quote", noteText(textOf(entry.content)), 1);
    else if (entry.type === "compaction") this.#summary(entry, summedUp(entry.tokensBefore));
    else if (entry.type === "branch_summary") this.#summary(entry, "another way was left");
  }

  #summary({ id, summary }: Entry & { type: "compaction" | "branch_summary" }, over: string): void {
    this.divide(over);
    this.#words(id, "quote", summary ?? "", 3);
  }

  /** Adds an entry that is only words. */
  #words(id: string, token: StyleName, text: string, most: number): void {
    if (text.trim() === "") return;
    this.#add(textPiece(this.#style, token, text, most), () => {
      const entry = this.#list.entry(id);
      const said =
        entry?.type === "custom_message"
          ? noteText(textOf(entry.content))
          : ((entry as { summary?: string })?.summary ?? "");
      return textPiece(this.#style, token, said, most);
    });
  }

  #delta(delta: StreamEvent): void {
    if (delta.type === "text" || delta.type === "thinking") {
      let piece = this.#reply.get(delta.index) as StreamingPiece | undefined;
      if (!piece) {
        piece = delta.type === "text" ? answerPiece(this.#style) : thinkingPiece(this.#style);
        this.#add(piece);
        this.#stream(delta.index, piece, piece);
      }
      piece.append(delta.delta);
    } else if (delta.type === "call" && !this.#reply.has(delta.index))
      this.#stream(delta.index, delta.id, this.#calls.arrives(delta.id, delta.name));
  }

  #stream(index: number, part: StreamingPiece | string, began: Piece | undefined): void {
    this.#first ??= began;
    this.#reply.set(index, part);
  }

  /** Adds a piece that ends a group of files that were read. */
  #add(piece: Piece, address?: Address): void {
    this.#calls.reads.close();
    this.#list.add(piece, address);
  }

  #message(message: Message, id: string, when: When): void {
    if (message.role === "user") this.#said(message, id);
    else if (message.role === "assistant") this.#answered(message, id, when);
    else if (message.role === "toolResult") this.#calls.ended(message, id);
  }

  #said(message: Message & { role: "user" }, id: string): void {
    const make = ({ content, timestamp }: Message & { role: "user" }) => {
      return promptPiece(this.#style, textOf(content), imagesOf(content), timestamp);
    };
    this.#add(make(message), this.#again(id, "user", make));
  }

  /** Makes a piece again from the message of an entry. */
  #again<R extends Message["role"]>(
    id: string,
    role: R,
    make: (message: Message & { role: R }) => Piece | undefined,
  ): Address {
    return () => {
      const entry = this.#list.entry(id);
      return entry?.type === "message" && entry.message.role === role
        ? make(entry.message as Message & { role: R })
        : undefined;
    };
  }

  /** Takes a reply of the record: pieces that streamed become final, others are added. */
  #answered(message: AssistantMessage, id: string, when: When): void {
    const streamed = this.#reply;
    this.#reply = new Map();
    this.#first = undefined;
    for (const [index, part] of message.content.entries()) {
      if (part.type === "toolCall") this.#calls.called(part, id);
      else if (part.type === "text" || part.type === "thinking") this.#spoke(part, index, id, streamed.get(index));
    }
    for (const piece of streamed.values()) if (typeof piece !== "string") piece.finish();
    if (message.stopReason === "length") this.say("warn", "The answer was cut at the model's output limit.");
    // Live, the end of the turn says so.
    else if (message.stopReason === "aborted" && when === "then") this.say("warn", "Interrupted.");
    else if (message.stopReason === "error" && message.errorMessage) {
      this.#failed = message.errorMessage;
      this.say("error", message.errorMessage);
    }
  }

  #spoke(part: Text | Thinking, index: number, id: string, live: StreamingPiece | string | undefined): void {
    const text = part.type === "text" ? part.text : part.thinking;
    if (text.trim() === "") return;
    const ms = typeof live === "object" ? live.took : undefined;
    const address = this.#again(id, "assistant", ({ content }) => grown(this.#style, content[index], ms));
    if (typeof live === "object") {
      live.finish();
      this.#list.settle(live, address);
      return;
    }
    const piece = grown(this.#style, part);
    if (piece) this.#add(piece, address);
  }

  #turn(state: TurnState): void {
    // Nothing of a failed attempt stays.
    if (state.name === "asking" || state.name === "retrying" || state.name === "idle") this.#dropReply();
    if (state.name === "retrying") this.say("warn", retryLine(state.failure, state.delayMs));
    this.#began ??= performance.now();
    if (state.name !== "idle") return;
    const ms = performance.now() - this.#began;
    this.#began = undefined;
    this.#calls.end();
    if (state.end.reason === "done" && ms >= leastMs) this.say("dim", `worked for ${spanOf(ms)}`);
    const failed = this.#failed;
    this.#failed = undefined;
    const stopped = this.#stopped;
    this.#stopped = false;
    // The record has said this already.
    if (state.end.reason === "failed" && state.end.failure.message === failed) return;
    if (state.end.reason === "failed") this.say("error", state.end.failure.message);
    else if (state.end.reason !== "done" && !stopped) this.say("warn", state.end.message);
  }

  #dropReply(): void {
    if (this.#first) this.#list.cut(this.#first);
    this.#calls.forget([...this.#reply.values()].filter((part) => typeof part === "string"));
    this.#first = undefined;
    this.#reply = new Map();
  }

  /** Makes open pieces final: no more events come. */
  end(): void {
    this.#calls.end();
  }
}

/** Turns that took less time are not told of. */
const leastMs = 5000;

/** 12 s, 3 min 20 s. */
function spanOf(ms: number): string {
  const seconds = Math.round(ms / 1000);
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

type Part = AssistantMessage["content"][number];
type Text = Extract<Part, { type: "text" }>;
type Thinking = Extract<Part, { type: "thinking" }>;

/** The piece of a part of a reply. */
function grown(style: PieceStyle, part: Part | undefined, ms?: number): StreamingPiece | undefined {
  if (part?.type !== "text" && part?.type !== "thinking") return undefined;
  const piece = part.type === "text" ? answerPiece(style) : thinkingPiece(style);
  piece.append(part.type === "text" ? part.text : part.thinking);
  piece.finish(ms);
  return piece;
}
