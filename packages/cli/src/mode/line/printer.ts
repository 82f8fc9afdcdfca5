import {
  type Entry,
  type Event,
  type Outcome,
  type Question,
  resultFields,
  type TurnEnd,
  type TurnState,
  textOf,
} from "@pith/agent";
import { plainText, plural } from "@pith/kit";
import type { Message, StreamEvent, ToolCall, ToolResultMessage } from "@pith/llm";
import { type StyleName, width, wrap, wrapHanging } from "@pith/tui/theme";
import { remindedLine } from "../../io/reminder.ts";
import { retryLine } from "../../io/retry.ts";
import type { AnswerRows } from "../../view/answer.ts";
import { callRow } from "../../view/call.ts";
import { type Canvas, head, plainLine, rowOf } from "../../view/canvas.ts";
import { changedLine, noteText } from "../../view/event-line.ts";
import { secondsOf } from "../../view/kind/run.ts";
import { askRows, visible } from "../../view/question/ask.ts";
import { howToReply } from "../../view/question/reply.ts";
import { arrivingText, type ScreenEvent } from "../../view/throttle.ts";
import { endRows, isUserRun, streamedRows, type UserRun, userRunRows } from "../../view/user-run.ts";
import { resultRows } from "../../view/view.ts";
import type { LinePrompt } from "./prompt.ts";

/** The output of lines: with the prompt below them, or without one. */
export type LineOutput = Pick<LinePrompt, "write"> & Partial<Omit<LinePrompt, "write">>;

export interface PrinterOptions {
  /** Draws an answer as Markdown; without it its text is printed as it is. */
  openAnswer?: ((canvas: Canvas) => AnswerRows) | undefined;
  /** The pictures that the terminal shows. */
  pictures?: "sixel" | "none";
}

/** Prints events as lines; a line that was written is never touched again. */
export class EventPrinter {
  readonly #out: LineOutput;
  readonly #canvas: Canvas;
  readonly #options: PrinterOptions;
  #answer: AnswerRows | undefined;
  /** The part of the reply that streams. */
  #part: number | undefined;
  #calls = new Map<string, ToolCall>();
  /** Lines that were printed of each running shell command. */
  readonly #outputs = new Map<string, number>();
  /** The number of shell commands that have ended and are not in the record yet. */
  #unrecorded = 0;
  /** The call that was named last. */
  #named: string | undefined;
  /** The question that was asked last. */
  #question: string | undefined;
  /** The sign that was printed as a line. */
  #signed: string | undefined;
  /** Queued input that was printed. */
  #queued = new Set<string>();

  constructor(out: LineOutput, canvas: Canvas, options: PrinterOptions = {}) {
    this.#out = out;
    this.#canvas = canvas;
    this.#options = options;
  }

  take(event: ScreenEvent): void {
    (this.#takes[event.type] as ((event: ScreenEvent) => void) | undefined)?.(event);
  }

  readonly #takes: { readonly [T in ScreenEvent["type"]]?: (event: ScreenEvent & { type: T }) => void } = {
    delta: ({ deltas }) => {
      for (const delta of deltas) this.#delta(delta);
    },
    thought: ({ ms }) => ms >= 1000 && this.dim(`thought for ${secondsOf(ms)}`),
    shaping: (event) => this.#arriving(event),
    call: ({ call }) => this.#name(call),
    entry: ({ entry }) => this.#entry(entry),
    output: (event) => this.#output(event),
    picture: ({ sixel }) => this.#options.pictures === "sixel" && this.line(sixel),
    question: ({ question }) => this.ask(question),
    queue: ({ waiting }) => this.#queue(waiting),
    changed: (event) => event.final && this.dim(changedLine(event, "now")),
    reminded: (event) => this.warn(remindedLine(event)),
    notice: ({ notice }) => this.#say(notice.level === "info" ? "dim" : "warn", notice.text),
    turn: ({ state }) => this.#turn(state),
  };

  #entry(entry: Entry): void {
    if (isUserRun(entry)) this.#userRun(entry.message);
    else if (entry.type === "message") this.#message(entry.message);
    else if (entry.type === "custom_message" && entry.display) this.#note(textOf(entry.content));
  }

  #queue(waiting: readonly { id: string; text: string }[]): void {
    for (const { id, text } of waiting)
      if (!this.#queued.has(id))
        this.line(rowOf(plainLine(`(waiting: ${text.split("\n", 1)[0]})`), this.#canvas, "dim"));
    this.#queued = new Set(waiting.map(({ id }) => id));
  }

  #turn(state: TurnState): void {
    this.#out.expect?.(state.name === "asking" ? this.#thinking : undefined);
    if (state.name === "retrying") this.warn(retryLine(state.failure, state.delayMs));
    else if (state.name === "idle") this.#end(state.end);
  }

  /** Prints the call and all facts of a question; the answer is typed behind its last line. */
  ask(question: Question, fold: "folded" | "whole" = "folded"): void {
    // Much may have been printed since the question was asked for the first time.
    if (this.#question === question.id) this.#named = undefined;
    this.#question = question.id;
    if (question.call) this.#name(question.call);
    for (const row of askRows(question, fold)) this.line(`  ${row}`);
    const [why, how] = [visible(question.text), howToReply(question)];
    // The line on which the answer is typed does not break.
    const long = question.form === "approval" && why.length + how.length + 2 > this.#canvas.columns;
    if (long) for (const row of wrap(why, this.#canvas.columns)) this.line(this.#canvas.theme.paint("warn", row));
    const text = long ? how.replace(/^\. /, "") : `${why}${how}`;
    if (this.#out.ask) this.#out.ask({ text, token: "warn" });
    else this.line(this.#canvas.theme.paint("warn", text));
  }

  /** Prints the outcome of a command; prose is printed whole. */
  outcome(outcome: Outcome): void {
    if (outcome.kind !== "prose") this.#indented(resultRows(resultFields(outcome), this.#inner));
    else if (outcome.failed) this.warn(outcome.text);
    else
      for (const line of plainText(outcome.text).trimEnd().split("\n"))
        for (const row of hanging(line, this.#canvas.columns)) this.line(row);
  }

  prompt(): void {
    this.#flush();
    this.#out.ask?.("usual");
  }

  /** Takes the prompt away. */
  unask(): void {
    this.#out.ask?.(undefined);
  }

  line(text: string): void {
    this.#flush();
    this.#row(text);
  }

  dim(text: string): void {
    this.#say("dim", text);
  }

  warn(text: string): void {
    this.#say("warn", text);
  }

  #say(token: StyleName, text: string): void {
    for (const row of wrap(plainText(text).trimEnd(), this.#canvas.columns))
      this.line(this.#canvas.theme.paint(token, row));
  }

  /** Prints the beginning of a text that the model was told beside the conversation. */
  #note(text: string): void {
    const canvas = { ...this.#inner, height: noteHeight };
    const note = plainText(noteText(text));
    if (note !== "") this.#indented(head(wrap(note, canvas.columns), canvas, "dim"));
  }

  /** Prints the prompt of an earlier exchange in short, and the end of its answer. */
  exchange(asked: string, answered: string): void {
    const { theme } = this.#canvas;
    if (asked !== "") this.line(rowOf(plainLine(`> ${asked}`), this.#canvas, "dim"));
    const answer = this.#options.openAnswer?.(this.#canvas);
    const rows = answer ? [...answer.append(answered), ...answer.finish()] : wrap(answered, this.#canvas.columns);
    const left = Math.max(0, rows.length - this.#canvas.height);
    if (left > 0) this.dim(`${theme.glyph.ellipsis} ${plural(left, "line")} before`);
    for (const row of rows.slice(left)) this.line(row);
  }

  #delta(delta: StreamEvent): void {
    if (delta.type === "thinking") {
      this.#flush();
      this.#sign(this.#thinking);
    } else if (delta.type === "text") {
      this.#signed = undefined;
      if (delta.index !== this.#part) this.#flush();
      this.#part = delta.index;
      this.#answer ??= this.#options.openAnswer?.(this.#canvas) ?? unformatted;
      for (const row of this.#answer.append(delta.delta)) this.#row(row);
    }
  }

  get #thinking(): string {
    return `thinking ${this.#canvas.theme.glyph.ellipsis}`;
  }

  /** Says that the long text of a call is being written. */
  #arriving(event: ScreenEvent & { type: "shaping" }): void {
    const { lines } = event.body;
    if (lines === 0) return;
    this.#flush();
    // A count that changes with every line would be restless.
    const count = this.#out.erases && lines >= 10 ? ` ${lines - (lines % 10)} lines` : "";
    this.#sign(`${arrivingText(event)} ${this.#canvas.theme.glyph.ellipsis}${count}`);
  }

  #sign(text: string): void {
    if (this.#out.sign) this.#out.sign(text);
    else if (text !== this.#signed) this.line(this.#canvas.theme.paint("dim", text));
    this.#signed = text;
  }

  #row(row: string): void {
    this.#out.write(`${row}\n`);
  }

  /** Prints the rest of the answer: something else follows. */
  #flush(): void {
    const answer = this.#answer;
    this.#answer = undefined;
    this.#part = undefined;
    for (const row of answer?.finish() ?? []) this.#row(row);
  }

  #message(message: Message): void {
    this.#signed = undefined;
    if (message.role === "toolResult") this.#result(message);
    if (message.role !== "assistant") return;
    this.#flush();
    for (const part of message.content) if (part.type === "toolCall") this.#calls.set(part.id, part);
    if (message.stopReason === "length") this.warn("The answer was cut at the model's output limit.");
  }

  #result(result: ToolResultMessage): void {
    const call = this.#calls.get(result.toolCallId);
    if (call) this.#name(call);
    this.#indented(resultRows(result, this.#inner));
  }

  /** Prints the output of a shell command as it comes, and how the command ended. */
  #output({ id, text, lines = 0, run }: Extract<Event, { type: "output" }>): void {
    const canvas = { ...this.#inner, height: userHeight };
    if (text !== undefined) {
      this.#indented(streamedRows({ text, lines }, this.#outputs.get(id) ?? 0, canvas));
      this.#outputs.set(id, lines);
      return;
    }
    this.#outputs.delete(id);
    if (run === undefined) return;
    this.#indented(endRows(run as UserRun, canvas));
    this.#unrecorded++;
  }

  /** Prints a shell command of the record, unless it was printed when it ran. */
  #userRun(message: UserRun): void {
    if (this.#unrecorded > 0) this.#unrecorded--;
    else this.#indented(userRunRows(message, { ...this.#inner, height: userHeight }));
  }

  /** The canvas of what belongs to the line above. */
  get #inner(): Canvas {
    return { ...this.#canvas, columns: this.#canvas.columns - 2 };
  }

  #indented(rows: readonly string[]): void {
    for (const row of rows) this.line(`  ${row}`);
  }

  /** Prints a call, unless the lines above belong to it already: calls run side by side. */
  #name(call: ToolCall): void {
    if (this.#named === call.id) return;
    this.#named = call.id;
    this.line(callRow(call, this.#canvas));
  }

  #end(end: TurnEnd): void {
    this.#calls.clear();
    this.#named = undefined;
    if (end.reason === "failed") this.#say("error", end.failure.message);
    else if (end.reason !== "done") this.warn(end.message);
  }
}

const unformatted: AnswerRows = { append: (text) => [plainText(text)], finish: () => [] };

const userHeight = 21;
const noteHeight = 3;

/** Wraps a row of a list: the text behind its name stays in a column of its own. */
function hanging(line: string, columns: number): string[] {
  const name = /^\S.*? {2,}(?=\S)/.exec(line)?.[0] ?? "";
  if (name === "" || width(line) <= columns) return wrap(line, columns);
  const [about, wide] = [line.slice(name.length), width(name)];
  if (wide <= columns / 2) return wrapHanging(about, columns, name, " ".repeat(wide));
  return [...wrapHanging(name.trimEnd(), columns, "", "  "), ...wrapHanging(about, columns, "    ", "    ")];
}
