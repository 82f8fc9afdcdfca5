import type { Question, UserInput } from "@pith/agent";
import type { Coder, Typed } from "@pith/coder";
import { messageOf } from "@pith/kit";
import { systemTimers } from "@pith/tui/theme";
import { exit, type Signal } from "../../io/interrupt.ts";
import type { SessionSlot } from "../../open/slot.ts";
import { isFolded } from "../../view/question/ask.ts";
import { answerTo } from "../../view/question/reply.ts";
import { type ScreenEvent, throttled } from "../../view/throttle.ts";
import type { Background } from "../background.ts";
import { readEntered } from "../entered.ts";
import { elsewhere } from "./commands.ts";
import type { EventPrinter } from "./printer.ts";

const hints = `Type what you want and press Enter; while a turn runs, what you type steers it.
Up, Down  what was typed before; Alt+Enter begins another line
!command  run it in the session's shell; the model sees it, with !! it does not
Ctrl+C    interrupt the turn; twice leaves (Ctrl+D does too)`;

export interface ConversationOptions {
  /** Makes the printer of a session. */
  print(): EventPrinter;
  background?: Background | undefined;
  reopen?: SessionSlot["swap"] | undefined;
}

/** A session at the prompt: carries out the lines that a person enters, and prints what happens. */
export class LineConversation {
  /** Resolves with an exit code when the person leaves. */
  readonly left: Promise<number>;
  readonly #options: ConversationOptions;
  readonly #resolve: (code: number) => void;
  printer: EventPrinter;
  #coder: Coder;
  #events: Disposable;
  /** Everything that runs: turns, whoever began them, and commands. */
  #running: Promise<void> | undefined;
  /** Ends the wait for the turn that runs. */
  #turned: (() => void) | undefined;
  /** Counts Ctrl+C since the last input. */
  #strikes = 0;
  /** The question for words at which Enter was pressed without any. */
  #passed: string | undefined;
  /** A slash command that runs; Ctrl+C ends it first. */
  #performing: AbortController | undefined;
  /** True once no more lines come, so that nobody answers questions. */
  #unattended = false;
  #isLeft = false;

  constructor(coder: Coder, options: ConversationOptions) {
    const { promise, resolve } = Promise.withResolvers<number>();
    this.left = promise;
    this.#resolve = resolve;
    this.#options = options;
    this.#coder = coder;
    this.printer = options.print();
    this.#events = this.#subscribe();
  }

  [Symbol.dispose](): void {
    this.#events[Symbol.dispose]();
  }

  /** Takes a line that was typed. */
  async hear(line: string): Promise<void> {
    const text = line.trim();
    const [question] = this.#coder.scene.questions;
    if (question) await this.#reply(question, text);
    else if (text !== "") await this.enter(text);
    this.rest();
  }

  /** Carries out a slash command or a shell command, or sends words to the model. */
  async enter(text: string): Promise<void> {
    const entered = readEntered(this.#coder, text);
    // A path of that name may be meant where more words follow.
    const known =
      entered.is === "refused" || (entered.is === "words" && !/\s/.test(text)) ? elsewhere(text) : undefined;
    if (known !== undefined) this.printer.warn(known);
    else if (entered.is === "refused") this.printer.warn(entered.why);
    else if (entered.is === "command") await this.#perform(entered.typed);
    else {
      this.#options.background?.typed(text);
      if (entered.is === "words") this.say(text.includes("@") ? await this.#coder.draft.attach(text) : { text });
      else this.#follow(this.#coder.command(entered.command, entered.context));
    }
  }

  say(input: UserInput): void {
    this.#follow(this.#coder.send(input, this.#running ? "steer" : "now"));
  }

  /** Shows the prompt when it is the person's turn. */
  rest(): void {
    if (this.#running || this.#isLeft) return;
    if (this.#coder.scene.questions.length === 0) this.printer.prompt();
    this.#options.background?.idle();
  }

  strike(signal: Signal): void {
    if (signal === "SIGINT" && this.#performing && !this.#performing.signal.aborted) {
      this.#performing.abort("Interrupted.");
      return;
    }
    this.#strikes++;
    if (signal !== "SIGINT" || this.#strikes > 1)
      this.#leave(this.#running || signal !== "SIGINT" ? exit.interrupted : exit.finished);
    else if (this.#running) void this.#coder.interrupt("Interrupted.");
    else {
      this.printer.dim("(Ctrl+C again, or Ctrl+D, leaves)");
      this.rest();
    }
  }

  /** Lets what runs come to its end when no more lines come; questions are answered with no. */
  async finish(): Promise<number> {
    this.#unattended = true;
    this.#refuseAll();
    const code = await Promise.race([this.#running?.then(() => exit.finished) ?? exit.finished, this.left]);
    this.printer.unask();
    return code;
  }

  #subscribe(): Disposable {
    return throttled(this.#coder, systemTimers, (event) => this.#take(event));
  }

  #take(event: ScreenEvent): void {
    if (event.type === "question" && this.#unattended) {
      this.#refuseAll();
      return;
    }
    const { questions } = this.#coder.scene;
    // Questions are asked one after the other.
    if (event.type !== "question" || questions.length === 1) this.printer.take(event);
    if (event.type === "answered") {
      if (questions[0]) this.printer.ask(questions[0]);
      else this.printer.unask();
    }
    if (event.type !== "turn") return;
    if (event.state.name === "idle") {
      this.#turned?.();
      this.#turned = undefined;
    } else if (!this.#turned) {
      // The end of a background job may begin a turn.
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#turned = resolve;
      this.#follow(promise);
    }
  }

  /** Answers a question by a line. An empty line asks again, and so does the end of a command. */
  async #reply(question: Question, text: string): Promise<void> {
    const takesWords = question.form === "line" || question.form === "text";
    if (text === "all" && isFolded(question)) this.printer.ask(question, "whole");
    else if (text === "" && !(takesWords && this.#passed === question.id)) {
      this.#passed = question.id;
      if (takesWords) this.printer.dim("(Enter once more gives no answer)");
      this.printer.ask(question);
    } else if (readEntered(this.#coder, text).is === "words") this.#coder.answer(question.id, answerTo(question, text));
    else {
      await this.enter(text);
      const [still] = this.#coder.scene.questions;
      if (still) this.printer.ask(still);
    }
  }

  async #perform(typed: Typed & { is: "command" }): Promise<void> {
    const performing = new AbortController();
    this.#performing = performing;
    const ending = await this.#coder.perform(typed, performing.signal);
    this.#performing = undefined;
    const { name } = typed.command;
    if (ending.do === "prompt") this.say(ending.input);
    else if (ending.do === "busy")
      this.printer.warn(`/${name} was not run: it is for between turns. Type it again when this one is over.`);
    else if (ending.do === "show") {
      if (name === "help") this.printer.dim(hints);
      this.printer.outcome(ending.outcome);
    } else if (ending.wish.name === "quit") this.#leave(exit.finished);
    else if (ending.wish.name === "new") await this.#begin();
    else this.printer.warn(`/${name} is for the whole screen; here, leave and start pith again.`);
  }

  /** Puts a new session into the place of this one. */
  async #begin(): Promise<void> {
    await this.#coder.interrupt("a new session was begun");
    const opened = await this.#options.reopen?.({ open: "new" });
    if (!opened?.ok) return this.printer.warn(opened?.message ?? "There is no other session here.");
    this.#events[Symbol.dispose]();
    this.#coder = opened.value.coder;
    this.printer = this.#options.print();
    this.#events = this.#subscribe();
    this.#turned = this.#running = undefined;
    this.printer.dim("A new session.");
  }

  /** Waits for more work before the prompt comes back; a failure is told. */
  #follow(work: Promise<unknown>): void {
    this.#strikes = 0;
    this.#options.background?.busy();
    if (this.#coder.scene.questions.length === 0) this.printer.unask();
    const told = work.catch((error) => this.printer.warn(messageOf(error)));
    const all = Promise.all([this.#running, told]).then(() => {
      if (this.#running !== all) return;
      this.#running = undefined;
      this.rest();
    });
    this.#running = all;
  }

  #leave(code: number): void {
    this.#isLeft = true;
    this.#resolve(code);
  }

  #refuseAll(): void {
    for (const { id } of this.#coder.scene.questions)
      this.#coder.answer(id, { say: "no", by: "nobody", words: "nobody is there any more" });
  }
}
