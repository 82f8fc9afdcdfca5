import { type Event, type Outcome, refusal, type TurnEnd } from "@pith/agent";
import type { Coder } from "@pith/coder";
import { plural, span } from "@pith/kit";
import type { AssistantMessage } from "@pith/llm";
import { exit } from "../../io/interrupt.ts";
import { complain, type Io } from "../../io/io.ts";
import type { LaunchPrompt } from "../../prompt/prompt.ts";

export interface PrintRun {
  coder: Coder;
  /** Prompts; each waits for the answer to the one before it. */
  inputs: readonly LaunchPrompt[];
  /** From --max-time. */
  maxTimeMs?: number | undefined;
  printer: Printer;
}

/** Prints a run: the final text, or events line by line. */
export interface Printer {
  take(event: Event): void;
  /** Prints the outcome of a slash command. */
  show(command: string, outcome: Outcome): void;
  /** Called at the end with the answer, if there is one, and answers before it to which a reminder came. */
  finish(answers: readonly AssistantMessage[]): void;
}

/** Runs prompts to their end, or to the first one that does not end well; says on stderr why it did not. */
export async function runPrint({ coder, inputs, maxTimeMs, printer }: PrintRun, io: Io): Promise<number> {
  const run = new RunState();
  let stopped: Stop | undefined;
  const stop = (why: Stop) => {
    // A second signal does not wait for an orderly end.
    if (stopped && why === "signal") io.quit(exit.interrupted);
    stopped ??= why;
    void coder.interrupt(reasons[why]);
  };
  using _signal = io.interrupts.handle(() => stop("signal"));
  // Later prompts are queued as soon as something runs, so that they are on the disk and survive a kill.
  let following: readonly LaunchPrompt[] = [];
  using _events = coder.subscribe((event) => {
    if (event.type === "entry" && event.entry.type === "message" && event.entry.message.role === "user") {
      for (const { input } of following) void coder.send(input, "after");
      following = [];
    }
    run.take(event);
    printer.take(event);
  });
  // Nobody reads the output any more, so the run ends.
  io.out.onFault = () => stop("reader");
  const timer = maxTimeMs === undefined ? undefined : setTimeout(() => stop("time"), maxTimeMs);
  let unsent = inputs.length;
  let failed = false;
  while (unsent > 0 && !stopped && !failed && run.end.reason === "done") {
    const [input, ...rest] = inputs.slice(-unsent);
    if (!input) break;
    // A command has no answer; the answer before it is still to be printed.
    if (!isCommand(coder, input)) run.forget();
    // Files are shown as they are when their prompt is sent.
    const next = rest.findIndex((later) => isCommand(coder, later) || later.naming !== undefined);
    following = next === -1 ? rest : rest.slice(0, next);
    const { length } = following;
    if (length > 0) coder.configure({ followUpMode: "one-at-a-time" });
    using _prompt = span("prompt");
    failed = (await enter(coder, input, { printer, isStopped: () => stopped !== undefined }, io)) === "failed";
    const waiting = following.length > 0 ? length : withdraw(coder, rest.slice(0, length));
    following = [];
    unsent -= 1 + length - waiting;
  }
  clearTimeout(timer);
  io.out.onFault = undefined;
  const { code, message } = outcomeOf(run, stopped);
  printer.finish(run.answers);
  if (message) complain(io, message);
  if (unsent > 0) complain(io, `${plural(unsent, "further message")} not sent`);
  if (run.refused) complain(io, `${plural(run.refused, "call")} not allowed`);
  io.log.write(code === exit.finished ? "info" : "warn", "run ended", { reason: run.end.reason, code, message });
  return failed ? exit.unfinished : code;
}

/** The end of the last turn, its answers, and the calls that were refused. */
class RunState {
  end: TurnEnd = { reason: "done" };
  refused = 0;
  last: AssistantMessage | undefined;
  /** Answers to which a reminder came; the next answer is printed behind them. */
  #before: AssistantMessage[] = [];

  take(event: Event): void {
    if (event.type === "turn" && event.state.name === "idle") this.end = event.state.end;
    this.refused += isRefused(event);
    if (event.type !== "entry") return;
    const { entry } = event;
    if (entry.type === "message" && entry.message.role === "user" && entry.inbox) this.forget();
    if (entry.type === "message" && entry.message.role === "assistant") this.last = joined(this.last, entry.message);
    // The model has gone back to before these answers.
    if (entry.type === "branch_summary") this.#before = [];
    if (entry.type === "custom_message" && this.last && isAnswer(this.last)) {
      this.#before.push(this.last);
      this.last = undefined;
    }
  }

  forget(): void {
    this.last = undefined;
    this.#before = [];
  }

  /** The answers to print; a limit that was reached behind a whole answer does not matter. */
  get answers(): AssistantMessage[] {
    const { last, end } = this;
    const counts = last && (end.reason === "done" || (end.reason === "limit" && isAnswer(last)));
    return counts ? [...this.#before, last] : this.#before;
  }
}

/** Counts a call that a guard refused, or that nobody was there to allow. */
function isRefused(event: Event): 0 | 1 {
  if (event.type !== "entry" || event.entry.type !== "message" || event.entry.message.role !== "toolResult") return 0;
  const by = event.entry.message.details?.refused;
  return by === "guard" || by === "nobody" ? 1 : 0;
}

const isCommand = (coder: Coder, { typed }: LaunchPrompt): boolean =>
  typed !== undefined && coder.commands.read(typed).is !== "text";

/** Withdraws the queued prompts that still wait, and counts them. */
function withdraw(coder: Coder, queued: readonly LaunchPrompt[]): number {
  if (queued.length === 0) return 0;
  const texts = queued.map(({ input }) => input.text);
  const waiting = coder.scene.queue.filter(({ when, text }) => when === "after" && texts.includes(text));
  return waiting.filter(({ id }) => coder.withdraw(id) !== undefined).length;
}

/** Sends a prompt, or runs it if it is a slash command. */
async function enter(
  coder: Coder,
  said: LaunchPrompt,
  { printer, isStopped }: { printer: Printer; isStopped(): boolean },
  io: Io,
): Promise<"done" | "failed"> {
  const typed = said.typed === undefined ? undefined : coder.commands.read(said.typed);
  if (typed?.is === "unknown") {
    printer.show("", refusal(typed.message));
    return "failed";
  }
  if (typed?.is !== "command") {
    const input = said.naming === undefined ? said.input : said.worded(await coder.draft.attach(said.naming));
    // It may have been stopped while files were read.
    if (!isStopped()) await coder.send(input);
    return "done";
  }
  const ending = await coder.perform(typed);
  if (ending.do === "prompt") {
    await coder.send(said.worded(ending.input));
    return "done";
  }
  if (said.input.text !== said.typed || said.input.images)
    complain(io, `/${typed.command.name} makes no use of what was piped in or attached`);
  const outcome = ending.do === "show" ? ending.outcome : refusal(`/${typed.command.name} needs a terminal.`);
  printer.show(typed.command.name, outcome);
  return outcome.failed ? "failed" : "done";
}

/** True for a message that ends a turn, unless somebody answers it. */
const isAnswer = ({ stopReason, content }: AssistantMessage): boolean =>
  stopReason === "stop" && content.every((part) => part.type !== "toolCall");

/** Joins an answer that was cut at the output limit with what follows it. */
function joined(before: AssistantMessage | undefined, message: AssistantMessage): AssistantMessage {
  if (before?.stopReason !== "length" || before.content.some((part) => part.type === "toolCall")) return message;
  const texts = [before, message].flatMap(({ content }) =>
    content.flatMap((part) => (part.type === "text" ? [part.text] : [])),
  );
  return {
    ...message,
    content: [{ type: "text", text: texts.join("") }, ...message.content.filter((part) => part.type === "toolCall")],
  };
}

type Stop = "signal" | "time" | "reader";
const reasons: Record<Stop, string> = {
  signal: "interrupted by a signal",
  time: "the time of --max-time is over",
  reader: "nobody reads the output any more",
};

function outcomeOf({ end, last }: RunState, stopped: Stop | undefined): { code: number; message?: string } {
  switch (end.reason) {
    case "done":
      if (last?.stopReason !== "length") return { code: exit.finished };
      return { code: exit.unfinished, message: "the answer was cut at the model's output limit" };
    case "failed":
      return { code: exit.unfinished, message: end.failure.message };
    case "limit":
      return { code: exit.unfinished, message: end.message };
    case "interrupted":
      if (stopped === "time") return { code: exit.unfinished, message: `stopped: ${end.message}` };
      return { code: exit.interrupted, message: stopped === "reader" ? undefined : end.message };
  }
}
