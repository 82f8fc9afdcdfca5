import { type Changed, type Entry, type Event, type Outcome, resultFields, type TurnState, textOf } from "@pith/agent";
import { plural } from "@pith/kit";
import type { AssistantMessage, Message, StreamEvent, ToolCall, ToolResultMessage } from "@pith/llm";
import type { Token } from "@pith/tui";
import { retryLine } from "../../../io/retry.ts";
import { isUserRun, type UserRun } from "../../../view/user-run.ts";
import { resultRows } from "../../../view/view.ts";
import { answerPiece, type Growing, thinkingPiece } from "./answer.ts";
import { type Card, cardPiece, type RunPiece, runPiece } from "./card.ts";
import type { Address } from "./painted.ts";
import { canvasOf, type Ink, indented, type Piece } from "./piece.ts";
import { ReadGroups } from "./reads.ts";
import { dividerPiece, saidPiece, wordsPiece } from "./words.ts";

/** Where pieces go. `settle`: it is final, and this is where it can be found again. */
export interface Sheet {
  add(piece: Piece, address?: Address): void;
  settle(piece: Piece, address: Address): void;
  /** The piece and all after it were never meant to be. */
  cut(piece: Piece): void;
  entry(id: string): Entry | undefined;
}

/** So much of a call's arguments is looked at while they arrive. */
const mostTold = 2000;

/** Events, live or from the record, as pieces of a transcript, in the order of the conversation. */
export class Chat {
  readonly #ink: Ink;
  readonly #sheet: Sheet;
  /** The reply that is streaming: its pieces by their place in it. */
  #reply = new Map<number, Growing | Card>();
  #first: Piece | undefined;
  readonly #cards = new Map<string, { card: Card; entry: string | undefined }>();
  readonly #reads: ReadGroups;
  /** Files that the reply reads. */
  #reading = new Set<string>();
  readonly #told = new WeakMap<Piece, string>();
  readonly #runs = new Map<string, RunPiece>();
  /** The error that an answer in the record ended with. */
  #failed: string | undefined;
  /** Runs that have ended and wait for their place in the record. */
  readonly #ended: { run: UserRun; piece: RunPiece }[] = [];

  constructor(ink: Ink, sheet: Sheet) {
    this.#ink = ink;
    this.#sheet = sheet;
    this.#reads = new ReadGroups({
      ink,
      add: (piece) => sheet.add(piece),
      settle: (piece, address) => sheet.settle(piece, address),
      callIn: (entry, call) => this.#callIn(entry, call),
      resultAt: (entry) => this.#resultAt(entry),
    });
  }

  take(event: Event): void {
    switch (event.type) {
      case "delta":
        for (const delta of event.deltas) this.#delta(delta);
        break;
      case "entry":
        this.entry(event.entry);
        break;
      case "arriving":
        this.#cards.get(event.id)?.card.arriving(event.files);
        break;
      case "progress":
        this.#cards.get(event.call.id)?.card.shows(event.part);
        break;
      case "output":
        this.#output(event);
        break;
      case "changed":
        if (event.final && event.files.length > 0) this.say("dim", changedLine(event));
        break;
      case "notice":
        this.say(event.notice.level === "info" ? "dim" : event.notice.level, event.notice.text);
        break;
      case "turn":
        this.#turn(event.state);
    }
  }

  /** Words of ours. */
  say(token: Token, text: string): void {
    const make = () => wordsPiece(this.#ink, token, text);
    this.#reads.close();
    this.#sheet.add(make(), make);
  }

  /** What a command has to show. */
  show(outcome: Outcome): void {
    const result = resultFields(outcome);
    const make: Address = () =>
      outcome.kind === "prose"
        ? wordsPiece(this.#ink, outcome.failed ? "warn" : "text", outcome.text)
        : { final: true, render: (columns) => indented(resultRows(result, canvasOf(this.#ink, columns, 40))) };
    const piece = make();
    if (piece) this.#sheet.add(piece, make);
  }

  divide(text: string): void {
    const make = () => dividerPiece(this.#ink, text);
    this.#sheet.add(make(), make);
  }

  entry(entry: Entry): void {
    const { id } = entry;
    if (isUserRun(entry)) this.#ran(entry.message, id);
    else if (entry.type === "message") this.#message(entry.message, id);
    else if (entry.type === "custom_message" && entry.display)
      this.#words(id, "quote", noteOf(textOf(entry.content)), 3);
    else if (entry.type === "compaction" || entry.type === "branch_summary") {
      this.divide(entry.type === "compaction" ? "what was said before is summed up" : "another way was left");
      this.#words(id, "quote", entry.summary ?? "", 3);
    }
  }

  /** Something of the record that is only words. */
  #words(id: string, token: Token, text: string, most: number): void {
    if (text.trim() === "") return;
    this.#reads.close();
    this.#sheet.add(wordsPiece(this.#ink, token, text, most), () => {
      const entry = this.#sheet.entry(id);
      const said =
        entry?.type === "custom_message"
          ? noteOf(textOf(entry.content))
          : ((entry as { summary?: string })?.summary ?? "");
      return wordsPiece(this.#ink, token, said, most);
    });
  }

  #delta(delta: StreamEvent): void {
    if (delta.type === "args") this.#args(delta.index, delta.delta);
    else if (delta.type === "text" || delta.type === "thinking") {
      let piece = this.#reply.get(delta.index) as Growing | undefined;
      if (!piece) {
        piece = delta.type === "text" ? answerPiece(this.#ink) : thinkingPiece(this.#ink);
        this.#reads.close();
        this.#stream(delta.index, piece);
      }
      piece.append(delta.delta);
    } else if (delta.type === "call" && delta.name === "read") this.#willRead(delta.id);
    else if (delta.type === "call" && !this.#reply.has(delta.index)) {
      const card = cardPiece(this.#ink, { type: "toolCall", id: delta.id, name: delta.name, arguments: {} });
      this.#cards.set(delta.id, { card, entry: undefined });
      this.#reads.close();
      this.#stream(delta.index, card);
    }
  }

  /** It has its place from its first word on; what it reads is told later. */
  #willRead(id: string): void {
    if (this.#reading.has(id)) return;
    this.#reading.add(id);
    const began = this.#reads.called({ type: "toolCall", id, name: "read", arguments: {} }, undefined);
    if (began) this.#first ??= began;
  }

  /** The beginning of what a call is about is enough to see what comes. */
  #args(index: number, delta: string): void {
    const card = this.#reply.get(index);
    if (!card || !("call" in card)) return;
    const before = this.#told.get(card) ?? "";
    if (before.length >= mostTold) return;
    const args = before + delta.slice(0, mostTold);
    this.#told.set(card, args);
    card.told(args);
  }

  #stream(index: number, piece: Growing | Card): void {
    this.#first ??= piece;
    this.#reply.set(index, piece);
    this.#sheet.add(piece);
  }

  #message(message: Message, id: string): void {
    if (message.role === "user") this.#said(message, id);
    else if (message.role === "assistant") this.#answered(message, id);
    else this.#result(message, id);
  }

  #said(message: Message & { role: "user" }, id: string): void {
    this.#reads.close();
    const make = ({ content, timestamp }: Message & { role: "user" }) => {
      const images = typeof content === "string" ? 0 : content.filter(({ type }) => type === "image").length;
      return saidPiece(this.#ink, textOf(content), images, timestamp);
    };
    this.#sheet.add(make(message), this.#again(id, "user", make));
  }

  /** Finds a message again. */
  #again<R extends Message["role"]>(
    id: string,
    role: R,
    make: (message: Message & { role: R }) => Piece | undefined,
  ): Address {
    return () => {
      const entry = this.#sheet.entry(id);
      return entry?.type === "message" && entry.message.role === role
        ? make(entry.message as Message & { role: R })
        : undefined;
    };
  }

  /** The reply as it is in the record: what streamed becomes final, what did not is added. */
  #answered(message: AssistantMessage, id: string): void {
    const streamed = this.#reply;
    this.#reply = new Map();
    this.#first = undefined;
    this.#reading.clear();
    for (const [index, part] of message.content.entries()) {
      if (part.type === "toolCall") this.#called(part, id);
      else if (part.type === "text" || part.type === "thinking") this.#spoke(part, index, id, streamed.get(index));
    }
    for (const piece of streamed.values()) if ("finish" in piece) piece.finish();
    if (message.stopReason === "length") this.say("warn", "The answer was cut at the model's output limit.");
    else if (message.stopReason === "error" && message.errorMessage) {
      this.#failed = message.errorMessage;
      this.say("error", message.errorMessage);
    }
  }

  #spoke(part: Text | Thinking, index: number, id: string, live: Piece | undefined): void {
    const text = part.type === "text" ? part.text : part.thinking;
    if (text.trim() === "") return;
    const address = this.#again(id, "assistant", ({ content }) => grown(this.#ink, content[index]));
    if (live) {
      (live as Growing).finish();
      this.#sheet.settle(live, address);
      return;
    }
    this.#reads.close();
    const piece = grown(this.#ink, part);
    if (piece) this.#sheet.add(piece, address);
  }

  #called(call: ToolCall, entry: string): void {
    const known = this.#cards.get(call.id);
    if (known) {
      known.card.call = call;
      known.entry = entry;
    } else if (call.name === "read") this.#reads.called(call, entry);
    else {
      this.#reads.close();
      const card = cardPiece(this.#ink, call);
      this.#cards.set(call.id, { card, entry });
      this.#sheet.add(card);
    }
  }

  #result(result: ToolResultMessage, id: string): void {
    if (this.#reads.has(result.toolCallId)) {
      this.#reads.ended(result, id);
      return;
    }
    const known = this.#cards.get(result.toolCallId);
    this.#cards.delete(result.toolCallId);
    const call: ToolCall = known?.card.call ?? {
      type: "toolCall",
      id: result.toolCallId,
      name: result.toolName,
      arguments: {},
    };
    const card = known?.card ?? cardPiece(this.#ink, call);
    card.ends(result);
    const address = this.#cardAt(known?.entry, call, id);
    if (known) this.#sheet.settle(card, address);
    else this.#sheet.add(card, address);
  }

  #cardAt(entry: string | undefined, { id, name }: ToolCall, result: string | undefined): Address {
    return () => {
      const call = this.#callIn(entry, id) ?? { type: "toolCall", id, name, arguments: {} };
      const card = cardPiece(this.#ink, call);
      const ended = result === undefined ? undefined : this.#resultAt(result);
      if (ended) card.ends(ended);
      else card.drops();
      return card;
    };
  }

  #callIn(id: string | undefined, call: string): ToolCall | undefined {
    const entry = id === undefined ? undefined : this.#sheet.entry(id);
    if (entry?.type !== "message" || entry.message.role !== "assistant") return undefined;
    return entry.message.content.find((part): part is ToolCall => part.type === "toolCall" && part.id === call);
  }

  #resultAt(id: string): ToolResultMessage | undefined {
    const entry = this.#sheet.entry(id);
    return entry?.type === "message" && entry.message.role === "toolResult" ? entry.message : undefined;
  }

  #output({ id, command, text, lines = 0, run }: Extract<Event, { type: "output" }>): void {
    let piece = this.#runs.get(id);
    if (!piece) {
      piece = runPiece(this.#ink, command, "in");
      this.#runs.set(id, piece);
      this.#reads.close();
      this.#sheet.add(piece);
    }
    if (text !== undefined) {
      piece.says({ text, lines });
      return;
    }
    this.#runs.delete(id);
    const ended = run as UserRun | undefined;
    piece.ends(ended);
    if (!ended) {
      this.#sheet.settle(piece, () => undefined);
      return;
    }
    // Its place in the record may come much later than its end.
    this.#ended.push({ run: ended, piece });
    this.#sheet.settle(piece, () => ranPiece(this.#ink, ended));
  }

  #ran(run: UserRun, id: string): void {
    const address: Address = () => {
      const entry = this.#sheet.entry(id);
      return entry && isUserRun(entry) ? ranPiece(this.#ink, entry.message) : undefined;
    };
    const ended = this.#ended.shift();
    if (ended) this.#sheet.settle(ended.piece, address);
    else {
      this.#reads.close();
      this.#sheet.add(ranPiece(this.#ink, run), address);
    }
  }

  #turn(state: TurnState): void {
    // An attempt that came to nothing leaves nothing.
    if (state.name === "asking" || state.name === "retrying" || state.name === "idle") this.#dropReply();
    if (state.name === "retrying") this.say("warn", retryLine(state.failure, state.delayMs));
    if (state.name !== "idle") return;
    this.#reads.end();
    for (const [id, { card, entry }] of this.#cards) {
      card.drops();
      this.#sheet.settle(card, this.#cardAt(entry, card.call, undefined));
      this.#cards.delete(id);
    }
    const failed = this.#failed;
    this.#failed = undefined;
    // What the record has said already is not said again.
    if (state.end.reason === "failed" && state.end.failure.message === failed) return;
    if (state.end.reason === "failed") this.say("error", state.end.failure.message);
    else if (state.end.reason !== "done") this.say("warn", state.end.message);
  }

  #dropReply(): void {
    if (this.#first) this.#sheet.cut(this.#first);
    for (const piece of this.#reply.values()) if ("call" in piece) this.#cards.delete(piece.call.id);
    this.#reads.forget(this.#reading);
    this.#reading.clear();
    this.#first = undefined;
    this.#reply = new Map();
  }

  /** No more events come: what is open is closed as it is. */
  end(): void {
    this.#reads.end();
    for (const { card } of this.#cards.values()) card.drops();
  }
}

type Part = AssistantMessage["content"][number];
type Text = Extract<Part, { type: "text" }>;
type Thinking = Extract<Part, { type: "thinking" }>;

/** A part of a recorded reply. */
function grown(ink: Ink, part: Part | undefined): Growing | undefined {
  if (part?.type !== "text" && part?.type !== "thinking") return undefined;
  const piece = part.type === "text" ? answerPiece(ink) : thinkingPiece(ink);
  piece.append(part.type === "text" ? part.text : part.thinking);
  piece.finish();
  return piece;
}

function ranPiece(ink: Ink, run: UserRun): RunPiece {
  const piece = runPiece(ink, run.command ?? "", run.excludeFromContext ? "out" : "in");
  piece.ends(run);
  return piece;
}

/** What the model was told beside the conversation, without the marks around it. */
const noteOf = (text: string): string => `note: ${text.replace(/^<\/?[a-z][\w-]*>$/gm, "").trim()}`;

function changedLine({ files, more = 0 }: Changed): string {
  const sum = (key: "added" | "removed") => files.reduce((total, file) => total + file[key], 0);
  const counts = `+${sum("added")} -${sum("removed")}${more > 0 ? " and more" : ""}`;
  return `changed: ${plural(files.length + more, "file")} ${counts} (/undo takes it back, /keep keeps it)`;
}
