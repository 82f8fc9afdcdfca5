import { textOf } from "@pith/agent";
import type { Coder } from "@pith/coder";
import { modelName } from "@pith/llm";
import type { Theme } from "@pith/tui";
import type { Io } from "../../io/io.ts";
import type { SessionSlot } from "../../open/slot.ts";
import type { LaunchPrompt } from "../../prompt/prompt.ts";
import { readsOf } from "../../view/reads.ts";
import type { Background } from "../background.ts";
import { LineConversation } from "./conversation.ts";
import { EventPrinter, type PrinterOptions } from "./printer.ts";
import type { LinePrompt } from "./prompt.ts";

export interface LineRun {
  coder: Coder;
  prompt: LinePrompt;
  theme: Theme;
  size(): { columns: number; rows: number };
  pictures?: PrinterOptions["pictures"];
  /** The prompt of the command line. */
  said: LaunchPrompt | undefined;
  /** True when no model is connected: the scripted tour begins by itself. */
  tour: boolean;
  background?: Background;
  reopen?: SessionSlot["swap"];
}

/** Holds a conversation line by line; the result is the exit code. */
export async function runLine(run: LineRun, io: Pick<Io, "interrupts">): Promise<number> {
  const { coder, prompt, theme, said, tour, background } = run;
  const canvas = {
    theme,
    get columns() {
      return run.size().columns;
    },
    height: 16,
  };
  const options: PrinterOptions = { pictures: run.pictures };
  const loadAnswer = async () => {
    options.openAnswer = (await import("../../view/answer.ts")).openAnswer;
  };
  if (coder.messageCount() > 0) await loadAnswer();
  const print = () => new EventPrinter(prompt, canvas, options);
  using conversation = new LineConversation(coder, { print, background, reopen: run.reopen });
  using _signals = io.interrupts.handle((signal) => conversation.strike(signal));
  await greet(conversation.printer, coder, tour);
  const first = tour ? { typed: undefined, input: { text: tourPrompt } } : said;
  if (!first) conversation.rest();
  // The prompt stands already while this is loaded.
  await loadAnswer();
  if (tour) conversation.printer.line(`> ${tourPrompt}`);
  if (first?.typed !== undefined) await conversation.enter(first.typed);
  else if (first) conversation.say(first.input);
  const lines = prompt.lines[Symbol.asyncIterator]();
  for (;;) {
    const next = await Promise.race([conversation.left, lines.next()]);
    if (typeof next === "number") return next;
    if (next.done) return await conversation.finish();
    await conversation.hear(next.value);
  }
}

const tourPrompt = "Fix the failing test.";

async function greet(printer: EventPrinter, coder: Coder, tour: boolean): Promise<void> {
  if (tour) {
    printer.warn("No model is connected, so this is a scripted tour: nothing here is a model's answer.");
    printer.dim("pith help models tells how to connect one.");
    return;
  }
  const earlier = coder.messageCount();
  const resumed = earlier > 0 ? `, going on after ${earlier} messages` : "";
  printer.dim(`pith with ${modelName(coder.model)}${resumed}; /help for help`);
  const read = readsOf(await coder.report.reads(), coder.header.cwd);
  if (read) printer.dim(read);
  if (earlier > 0) showLast(printer, coder);
}

/** Prints the last prompt of a session that goes on, and its answer. */
function showLast(printer: EventPrinter, coder: Coder): void {
  let answered = "";
  for (const entry of coder.record.back()) {
    if (entry.type !== "message") continue;
    const { message } = entry;
    if (message.role === "assistant" && answered === "") answered = textOf(message.content);
    if (message.role === "user") {
      printer.exchange(textOf(message.content), answered);
      return;
    }
  }
}
