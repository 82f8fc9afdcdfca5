import type { Question, UserInput } from "@pith/agent";
import type { Coder, Typed } from "@pith/coder";
import { messageOf } from "@pith/kit";
import { exit, type Signal } from "../../io/interrupt.ts";
import type { Calmed } from "../../view/calm.ts";
import { isFolded } from "../../view/question/ask.ts";
import { answerTo } from "../../view/question/reply.ts";
import type { Background } from "../background.ts";
import { elsewhere } from "./elsewhere.ts";
import type { Teller } from "./printer.ts";

const hints = `Type what you want and press Enter; while a turn runs, what you type steers it.
Up, Down  what was typed before; Alt+Enter begins another line
!command  run it in the session's shell; the model sees it, with !! it does not
Ctrl+C    interrupt the turn; twice leaves (Ctrl+D does too)`;

const userCommand = /^(!!?)\s*([\s\S]*\S)$/;

/** What becomes of the conversation: it goes on, is left, or makes place for a new one. */
export type Next = "stay" | "leave" | "new";

/** The two sides of a conversation at a prompt: what the person does, and the turn that may be running. */
export class Talk {
  readonly #coder: Coder;
  readonly #teller: Teller;
  readonly #left = Promise.withResolvers<number>();
  /** All that runs: turns, whoever began them, and commands. */
  #running: Promise<void> | undefined;
  /** Ends the wait for the turn that runs. */
  #turned: (() => void) | undefined;
  /** Ctrl+C since the last thing that was said. */
  #strikes = 0;
  /** The question at which nothing was typed. */
  #passed: string | undefined;
  /** A command that is being carried out; Ctrl+C ends it first. */
  #performing: AbortController | undefined;
  /** Nobody types any more. */
  #gone = false;

  readonly #aside: Background | undefined;

  constructor(coder: Coder, teller: Teller, aside?: Background) {
    this.#coder = coder;
    this.#teller = teller;
    this.#aside = aside;
  }

  /** Resolves with an exit code when the person leaves by a signal. */
  get left(): Promise<number> {
    return this.#left.promise;
  }

  take(event: Calmed): void {
    if (event.type === "question" && this.#gone) {
      this.#leaveOpen();
      return;
    }
    // One question is on the screen at a time.
    if (event.type !== "question" || this.#coder.scene.questions.length === 1) this.#teller.take(event);
    const [next] = this.#coder.scene.questions;
    if (event.type === "answered") {
      if (next) this.#teller.ask(next);
      else this.#teller.unask();
    }
    if (event.type === "turn") this.#turn(event.state.name === "idle" ? "over" : "on");
  }

  /** A turn may begin by itself, when a job has ended. */
  #turn(is: "on" | "over"): void {
    if (is === "over") {
      this.#turned?.();
      this.#turned = undefined;
    } else if (!this.#turned) {
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#turned = resolve;
      this.#strikes = 0;
      this.#follow(promise);
    }
  }

  /** A line that was typed. */
  async hear(line: string): Promise<Next> {
    const text = line.trim();
    const [question] = this.#coder.scene.questions;
    const next = question ? await this.#reply(question, text) : text === "" ? "stay" : await this.enter(text);
    if (next === "stay") this.rest();
    return next;
  }

  /** What was typed at a question. Nobody refuses by accident: an empty line and what is meant for us ask again. */
  async #reply(question: Question, text: string): Promise<Next> {
    const words = question.form === "line" || question.form === "text";
    const passed = text === "" && words && this.#passed === question.id;
    if (text === "all" && isFolded(question)) this.#teller.ask(question, "whole");
    else if (text === "" && !passed) {
      this.#passed = question.id;
      if (words) this.#teller.dim("(Enter once more gives no answer)");
      this.#teller.ask(question);
    } else if (userCommand.test(text) || this.#coder.commands.read(text).is !== "text") {
      const next = await this.enter(text);
      if (next !== "stay") return next;
      const [still] = this.#coder.scene.questions;
      if (still) this.#teller.ask(still);
    } else this.#coder.answer(question.id, answerTo(question, text));
    return "stay";
  }

  /** What a person typed: a command of ours, one for the shell, or words for the model. */
  async enter(text: string): Promise<Next> {
    const typed = this.#coder.commands.read(text);
    // A path of that name may be meant where something is said about it.
    const known = typed.is === "unknown" || (typed.is === "text" && !/\s/.test(text)) ? elsewhere(text) : undefined;
    if (known !== undefined) this.#teller.warn(known);
    else if (typed.is === "unknown") this.#teller.warn(typed.message);
    else if (typed.is === "command") return this.#perform(typed);
    else {
      this.#aside?.typed(text);
      if (userCommand.test(text)) this.#run(text);
      else this.say(text.includes("@") ? await this.#coder.draft.attach(text) : { text });
    }
    return "stay";
  }

  async #perform(typed: Typed & { is: "command" }): Promise<Next> {
    const performing = new AbortController();
    this.#performing = performing;
    const ending = await this.#coder.perform(typed, performing.signal);
    this.#performing = undefined;
    if (ending.do === "wish") {
      if (ending.wish.name === "quit") return "leave";
      if (ending.wish.name === "new") return "new";
      this.#teller.warn(`/${typed.command.name} is for the whole screen; here, leave and start pith again.`);
      return "stay";
    }
    if (ending.do === "busy")
      this.#teller.warn(
        `/${typed.command.name} was not run: it is for between turns. Type it again when this one is over.`,
      );
    else if (ending.do === "prompt") this.say(ending.input);
    else {
      if (typed.command.name === "help") this.#teller.dim(hints);
      this.#teller.outcome(ending.outcome);
    }
    return "stay";
  }

  say(input: UserInput): void {
    this.#strikes = 0;
    const turn = this.#coder.send(input, this.#running ? "steer" : "now");
    this.#follow(turn.catch((error) => this.#teller.warn(messageOf(error))));
  }

  /** A person's own command. Only what is typed here is one: a prompt may come from anywhere. */
  #run(text: string): void {
    const [, marks, command = ""] = userCommand.exec(text) ?? [];
    this.#strikes = 0;
    const done = this.#coder.command(command, marks === "!" ? "in" : "out").then(
      () => {},
      (error) => this.#teller.warn(messageOf(error)),
    );
    this.#follow(done);
  }

  #follow(work: Promise<void>): void {
    this.#aside?.busy();
    if (this.#coder.scene.questions.length === 0) this.#teller.unask();
    const all = Promise.all([this.#running, work]).then(() => {
      if (this.#running !== all) return;
      this.#running = undefined;
      this.rest();
    });
    this.#running = all;
  }

  /** Shows the prompt when it is the person's turn. */
  rest(): void {
    if (this.#running) return;
    if (this.#coder.scene.questions.length === 0) this.#teller.prompt();
    this.#aside?.idle();
  }

  strike(signal: Signal): void {
    if (signal === "SIGINT" && this.#performing && !this.#performing.signal.aborted) {
      this.#performing.abort("Interrupted.");
      return;
    }
    this.#strikes++;
    if (signal !== "SIGINT" || this.#strikes > 1)
      this.#left.resolve(this.#running || signal !== "SIGINT" ? exit.interrupted : exit.finished);
    else if (this.#running) void this.#coder.interrupt("Interrupted.");
    else {
      this.#teller.dim("(Ctrl+C again, or Ctrl+D, leaves)");
      this.rest();
    }
  }

  /** What nobody can answer any more is a no. */
  #leaveOpen(): void {
    for (const { id } of this.#coder.scene.questions)
      this.#coder.answer(id, { say: "no", by: "nobody", words: "nobody is there any more" });
  }

  /** No more lines will come: what runs may finish, but nobody can be asked any more. */
  async finish(): Promise<number> {
    this.#gone = true;
    this.#leaveOpen();
    const code = await Promise.race([this.#running?.then(() => exit.finished) ?? exit.finished, this.left]);
    this.#teller.unask();
    return code;
  }
}
