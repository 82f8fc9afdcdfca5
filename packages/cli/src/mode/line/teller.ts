import {
  type Changed,
  type Event,
  type Form,
  type Outcome,
  type Question,
  resultFields,
  type TurnEnd,
} from "@pith/agent";
import { plainText, plural } from "@pith/kit";
import type { Message, StreamEvent, ToolCall, ToolResultMessage } from "@pith/llm";
import type { Token } from "@pith/tui/look";
import type { Out } from "../../io/out.ts";
import { retryLine } from "../../io/retry.ts";
import { askRows, visible } from "../../view/ask.ts";
import { callRow } from "../../view/call.ts";
import { type Canvas, oneLine, rowOf } from "../../view/canvas.ts";
import { endRows, isUserRun, streamedRows, type UserRun, userRunRows } from "../../view/user-run.ts";
import { resultRows } from "../../view/view.ts";

/** Tells events as plain lines, downwards only: what is written is never touched again. */
export class Teller {
  readonly #out: Pick<Out, "write">;
  readonly #canvas: Canvas;
  #column: "start" | "middle" = "start";
  #thinking = false;
  #calls = new Map<string, ToolCall>();
  /** How many lines were shown of each command that a person runs; how many have ended and are not recorded yet. */
  readonly #outputs = new Map<string, number>();
  #recorded = 0;
  /** The call that was named last; what follows is about it. */
  #named: string | undefined;

  constructor(out: Pick<Out, "write">, canvas: Canvas) {
    this.#out = out;
    this.#canvas = canvas;
  }

  take(event: Event): void {
    switch (event.type) {
      case "delta":
        for (const delta of event.deltas) this.#delta(delta);
        break;
      case "call":
        this.#name(event.call);
        break;
      case "entry":
        if (isUserRun(event.entry)) this.#userRun(event.entry.message);
        else if (event.entry.type === "message") this.#message(event.entry.message);
        else if (event.entry.type === "custom_message" && event.entry.display) this.dim(textOf(event.entry.content));
        break;
      case "output":
        this.#output(event);
        break;
      case "question":
        this.ask(event.question);
        break;
      case "queue":
        for (const { text } of event.waiting)
          this.line(rowOf(oneLine(`(waiting: ${text.split("\n", 1)[0]})`), this.#canvas, "dim"));
        break;
      case "changed":
        if (event.final) this.dim(changedLine(event));
        break;
      case "notice":
        this.#say(event.notice.level === "info" ? "dim" : "warn", event.notice.text);
        break;
      case "turn":
        if (event.state.name === "retrying") this.warn(retryLine(event.state.failure, event.state.delayMs));
        else if (event.state.name === "idle") this.#end(event.state.end);
    }
  }

  /** What is asked for; then the question and, on the same line, where the answer is typed. */
  ask(question: Question, fold: "folded" | "whole" = "folded"): void {
    if (question.call) this.#name(question.call);
    for (const row of askRows(question, fold)) this.line(`  ${row}`);
    this.#write(this.#canvas.look.paint("warn", `${visible(question.text)}${prompts[question.form]} `));
  }

  /** What a command has to show: words are shown whole. */
  outcome(outcome: Outcome): void {
    if (outcome.kind !== "prose") this.#indented(resultRows(resultFields(outcome), this.#inner));
    else if (outcome.failed) this.warn(outcome.text);
    else this.line(plainText(outcome.text).trimEnd());
  }

  prompt(): void {
    this.#fresh();
    this.#out.write(this.#canvas.look.paint("accent", "> "));
  }

  /** A line of the user's ended with their own Enter. */
  typed(): void {
    this.#column = "start";
  }

  line(text: string): void {
    this.#fresh();
    this.#out.write(`${text}\n`);
  }

  dim(text: string): void {
    this.#say("dim", text);
  }

  warn(text: string): void {
    this.#say("warn", text);
  }

  #say(token: Token, text: string): void {
    this.line(this.#canvas.look.paint(token, plainText(text)));
  }

  #delta(delta: StreamEvent): void {
    if (delta.type === "thinking" && !this.#thinking) {
      this.#thinking = true;
      this.dim(`thinking ${this.#canvas.look.glyph.ellipsis}`);
    } else if (delta.type === "text") {
      this.#thinking = false;
      this.#write(plainText(delta.delta));
    }
  }

  #message(message: Message): void {
    this.#thinking = false;
    if (message.role === "toolResult") this.#result(message);
    if (message.role !== "assistant") return;
    this.#fresh();
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

  #write(text: string): void {
    if (text === "") return;
    this.#out.write(text);
    this.#column = text.endsWith("\n") ? "start" : "middle";
  }

  #fresh(): void {
    if (this.#column === "middle") this.#out.write("\n");
    this.#column = "start";
  }
}

/** What a question says at its end: how it is answered. */
const prompts: Record<Form, string> = {
  approval: ". Allow it? [y/n]",
  confirm: " [y/n]",
  choose: " [a number]",
  line: "",
  text: "",
};

const userHeight = 21;

function changedLine({ files, more = 0 }: Changed): string {
  const sum = (key: "added" | "removed") => files.reduce((total, file) => total + file[key], 0);
  const counts = `+${sum("added")} -${sum("removed")}${more > 0 ? " and more" : ""}`;
  return `changed: ${plural(files.length + more, "file")} ${counts} (/undo takes it back, /keep keeps it)`;
}

const textOf = (content: string | readonly { type: string; text?: string }[]): string =>
  typeof content === "string" ? content : content.flatMap((part) => part.text ?? []).join("\n");
