import {
  type Entry,
  type Event,
  type Outcome,
  type Question,
  resultFields,
  type TurnChanges,
  type TurnEnd,
  type TurnState,
} from "@pith/agent";
import { plainText, plural } from "@pith/kit";
import type { Message, StreamEvent, ToolCall, ToolResultMessage } from "@pith/llm";
import { type StyleName, width, wrap, wrapHanging } from "@pith/tui/theme";
import type { Out } from "../../io/out.ts";
import { remindedLine } from "../../io/reminder.ts";
import { retryLine } from "../../io/retry.ts";
import type { Answer } from "../../view/answer.ts";
import { callRow } from "../../view/call.ts";
import { type Calmed, comingOf } from "../../view/calm.ts";
import { type Canvas, head, oneLine, rowOf } from "../../view/canvas.ts";
import { secondsOf } from "../../view/kind/run.ts";
import { askRows, visible } from "../../view/question/ask.ts";
import { howToReply } from "../../view/question/reply.ts";
import { endRows, isUserRun, streamedRows, type UserRun, userRunRows } from "../../view/user-run.ts";
import { resultRows } from "../../view/view.ts";
import type { Foot } from "./prompt.ts";
import { Pulse } from "./pulse.ts";

export interface TellerOptions {
  /** How an answer is shown; where nobody says so, as it comes. */
  openAnswer?(canvas: Canvas): Answer;
  /** Where questions are asked and signs stand; elsewhere they are lines like all others. */
  foot?: Foot;
  /** What the terminal shows of pictures. */
  pictures?: "sixel" | "none";
}

/** Tells events as lines, downwards only: what is written is never touched again. */
export class Teller {
  readonly #out: Pick<Out, "write">;
  readonly #canvas: Canvas;
  readonly #options: TellerOptions;
  #answer: Answer | undefined;
  #part: number | undefined;
  readonly #pulse: Pulse;
  #calls = new Map<string, ToolCall>();
  /** How many lines were shown of each command that a person runs; how many have ended and are not recorded yet. */
  readonly #outputs = new Map<string, number>();
  #recorded = 0;
  /** The call that was named last; what follows is about it. */
  #named: string | undefined;
  /** The question that was asked last. */
  #question: string | undefined;
  /** What waits and was told. */
  #waiting = new Set<string>();

  constructor(out: Pick<Out, "write">, canvas: Canvas, options: TellerOptions = {}) {
    this.#out = out;
    this.#canvas = canvas;
    this.#options = options;
    const { theme } = canvas;
    this.#pulse = new Pulse(`thinking ${theme.glyph.ellipsis}`, options.foot, (text) =>
      out.write(`${theme.paint("dim", text)}\n`),
    );
  }

  take(event: Calmed): void {
    switch (event.type) {
      case "delta":
        for (const delta of event.deltas) this.#delta(delta);
        break;
      case "thought":
        this.#pulse.speaks();
        if (event.ms >= 1000) this.dim(`thought for ${secondsOf(event.ms)}`);
        break;
      case "shaping":
        this.#coming(event);
        break;
      case "call":
        this.#name(event.call);
        break;
      case "entry":
        this.#entry(event.entry);
        break;
      case "output":
        this.#output(event);
        break;
      case "picture":
        if (this.#options.pictures === "sixel") this.line(event.sixel);
        break;
      case "question":
        this.ask(event.question);
        break;
      case "queue":
        this.#queue(event.waiting);
        break;
      case "changed":
        if (event.final) this.dim(changedLine(event));
        break;
      case "reminded":
        this.warn(remindedLine(event));
        break;
      case "notice":
        this.#say(event.notice.level === "info" ? "dim" : "warn", event.notice.text);
        break;
      case "turn":
        this.#turn(event.state);
    }
  }

  #entry(entry: Entry): void {
    if (isUserRun(entry)) this.#userRun(entry.message);
    else if (entry.type === "message") this.#message(entry.message);
    else if (entry.type === "custom_message" && entry.display) this.#note(textOf(entry.content));
  }

  /** What waits, once each. */
  #queue(waiting: readonly { id: string; text: string }[]): void {
    for (const { id, text } of waiting)
      if (!this.#waiting.has(id))
        this.line(rowOf(oneLine(`(waiting: ${text.split("\n", 1)[0]})`), this.#canvas, "dim"));
    this.#waiting = new Set(waiting.map(({ id }) => id));
  }

  #turn(state: TurnState): void {
    if (state.name === "asking") this.#pulse.begins();
    else this.#pulse.ends();
    if (state.name === "retrying") this.warn(retryLine(state.failure, state.delayMs));
    else if (state.name === "idle") this.#end(state.end);
  }

  /** What is asked for; then the question and, on the same line, where the answer is typed. */
  ask(question: Question, fold: "folded" | "whole" = "folded"): void {
    // What is asked again may have much below it.
    if (this.#question === question.id) this.#named = undefined;
    this.#question = question.id;
    if (question.call) this.#name(question.call);
    for (const row of askRows(question, fold)) this.line(`  ${row}`);
    const [why, how] = [visible(question.text), howToReply(question)];
    // Where the answer is typed is a line that does not break.
    const long = question.form === "approval" && why.length + how.length + 2 > this.#canvas.columns;
    if (long) for (const row of wrap(why, this.#canvas.columns)) this.line(this.#canvas.theme.paint("warn", row));
    const text = long ? how.replace(/^\. /, "") : `${why}${how}`;
    if (this.#options.foot) this.#options.foot.ask({ text, token: "warn" });
    else this.line(this.#canvas.theme.paint("warn", text));
  }

  /** What a command has to show: words are shown whole. */
  outcome(outcome: Outcome): void {
    if (outcome.kind !== "prose") this.#indented(resultRows(resultFields(outcome), this.#inner));
    else if (outcome.failed) this.warn(outcome.text);
    else
      for (const line of plainText(outcome.text).trimEnd().split("\n"))
        for (const row of hanging(line, this.#canvas.columns)) this.line(row);
  }

  /** Somebody may type. */
  prompt(): void {
    this.#flush();
    this.#options.foot?.ask("usual");
  }

  /** Nothing is asked any more. */
  unask(): void {
    this.#options.foot?.ask(undefined);
  }

  line(text: string): void {
    this.#flush();
    this.#out.write(`${text}\n`);
    this.#pulse.rests();
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

  /** What the model was told beside the conversation: a person wants to know of it, not to read it. */
  #note(text: string): void {
    const said = text.replace(/^<\/?[a-z][\w-]*>$/gm, "").trim();
    const canvas = { ...this.#inner, height: noteHeight };
    const rows = wrap(plainText(`note: ${said}`), canvas.columns);
    this.#indented(head(rows, canvas, "dim"));
  }

  /** An earlier exchange: what was asked, in short, and the end of what was answered. */
  exchange(asked: string, answered: string): void {
    const { theme } = this.#canvas;
    if (asked !== "") this.line(rowOf(oneLine(`> ${asked}`), this.#canvas, "dim"));
    const answer = this.#options.openAnswer?.(this.#canvas);
    const rows = answer ? [...answer.append(answered), ...answer.finish()] : wrap(answered, this.#canvas.columns);
    const left = Math.max(0, rows.length - this.#canvas.height);
    if (left > 0) this.dim(`${theme.glyph.ellipsis} ${plural(left, "line")} before`);
    for (const row of rows.slice(left)) this.line(row);
  }

  #delta(delta: StreamEvent): void {
    if (delta.type === "thinking") {
      // What a model thinks is its own; that it does is worth a line.
      if (!this.#pulse.thinking) this.#flush();
      this.#pulse.thinks();
    } else if (delta.type === "text") {
      this.#pulse.speaks();
      // A text of its own.
      if (delta.index !== this.#part) this.#flush();
      this.#part = delta.index;
      this.#answer ??= this.#options.openAnswer?.(this.#canvas) ?? asItComes();
      for (const row of this.#answer.append(delta.delta)) this.#row(row);
    }
  }

  /** A text that a call brings may be long. */
  #coming(event: Calmed & { type: "shaping" }): void {
    const { lines } = event.body;
    if (lines === 0) return;
    this.#flush();
    const { ellipsis } = this.#canvas.theme.glyph;
    // A count that changes with every line is unrest.
    const count = this.#options.foot?.erases && lines >= 10 ? ` ${lines - (lines % 10)} lines` : "";
    this.#pulse.comes(`${comingOf(event)} ${ellipsis}${count}`, event.call.id);
  }

  #row(row: string): void {
    this.#out.write(`${row}\n`);
    this.#pulse.rests();
  }

  /** What was said so far is all of it. */
  #flush(): void {
    const answer = this.#answer;
    this.#answer = undefined;
    this.#part = undefined;
    for (const row of answer?.finish() ?? []) this.#row(row);
  }

  #message(message: Message): void {
    this.#pulse.speaks();
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

  /** What the user ran: as it comes, and how it ended. */
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
    this.#recorded++;
  }

  /** Its place in the record may come much later than its end. */
  #userRun(message: UserRun): void {
    if (this.#recorded > 0) this.#recorded--;
    else this.#indented(userRunRows(message, { ...this.#inner, height: userHeight }));
  }

  /** What belongs to the line above it stands a little to the right. */
  get #inner(): Canvas {
    return { ...this.#canvas, columns: this.#canvas.columns - 2 };
  }

  #indented(rows: readonly string[]): void {
    for (const row of rows) this.line(`  ${row}`);
  }

  /** Calls run side by side, so a result may belong to another call than the one above it. */
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

/** Where nobody knows how to show an answer: line by line. */
function asItComes(): Answer {
  let rest = "";
  return {
    append(text) {
      const lines = (rest + text).split("\n");
      rest = lines.pop() ?? "";
      return lines.map(plainText);
    },
    finish: () => (rest === "" ? [] : [plainText(rest)]),
  };
}

const userHeight = 21;
const noteHeight = 3;

function changedLine({ files, more = 0 }: TurnChanges): string {
  const sum = (key: "added" | "removed") => files.reduce((total, file) => total + file[key], 0);
  const counts = `+${sum("added")} -${sum("removed")}${more > 0 ? " and more" : ""}`;
  return `changed: ${plural(files.length + more, "file")} ${counts} (/undo takes it back, /keep keeps it)`;
}

const textOf = (content: string | readonly { type: string; text?: string }[]): string =>
  typeof content === "string" ? content : content.flatMap((part) => part.text ?? []).join("\n");

/** A row of a list stays one: what follows its first gap stands below itself, and not below the name before it. */
function hanging(line: string, columns: number): string[] {
  const name = /^\S.*? {2,}(?=\S)/.exec(line)?.[0] ?? "";
  if (name === "" || width(line) <= columns) return wrap(line, columns);
  const [about, wide] = [line.slice(name.length), width(name)];
  if (wide <= columns / 2) return wrapHanging(about, columns, name, " ".repeat(wide));
  return [...wrapHanging(name.trimEnd(), columns, "", "  "), ...wrapHanging(about, columns, "    ", "    ")];
}
