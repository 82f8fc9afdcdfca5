import { resolve } from "node:path";
import type { Event, Input, Question } from "@pith/agent";
import type { Coder } from "@pith/coder";
import { messageOf, nearest } from "@pith/kit";
import type { Aside } from "../../desk/aside.ts";
import { wholeOutput } from "../../desk/more.ts";
import { exit, type Signal } from "../../io/interrupt.ts";
import type { Teller } from "./teller.ts";

const commandHelp = `Type what you want and press Enter; while a turn runs, what you type steers it.
!command  run it in the session's shell; the model sees it, with !! it does not
/jobs     background jobs; /jobs cancel <id>, /jobs detach <id>
/more     all of the output that was shown last
/undo     take back what the last turn changed; /redo, /keep, /changes
/history  <words>: what was typed before, in all sessions
/help     this text
/save     <file>: copy the session there and go on in the copy
/quit     leave (Ctrl+D does too)
Ctrl+C    interrupt the turn; twice leaves`;

const commandNames = [...(commandHelp.match(/\/[a-z]+/g) ?? []), "/todo", "/exit"];

/** The command that a mistyped one was meant to be; a path or another word with a slash is none. */
function meantCommand(text: string): string | undefined {
  const [name = ""] = /^\/[a-z]+(?=\s|$)/.exec(text) ?? [];
  return name === "" || commandNames.includes(name) ? undefined : nearest(name, commandNames);
}

const userCommand = /^(!!?)\s*([\s\S]*\S)$/;

/** The two sides of a conversation at a prompt: what the person does, and the turn that may be running. */
export class Talk {
  readonly #coder: Coder;
  readonly #teller: Teller;
  readonly #left = Promise.withResolvers<number>();
  #running: Promise<void> | undefined;
  #questions: Question[] = [];
  /** Ctrl+C since the last thing that was said. */
  #strikes = 0;

  readonly #aside: Aside | undefined;

  constructor(coder: Coder, teller: Teller, aside?: Aside) {
    this.#coder = coder;
    this.#teller = teller;
    this.#aside = aside;
  }

  /** Resolves with an exit code when the person leaves by a signal. */
  get left(): Promise<number> {
    return this.#left.promise;
  }

  take(event: Event): void {
    if (event.type === "answered") this.#questions = this.#questions.filter(({ id }) => id !== event.id);
    if (event.type === "question") this.#questions.push(event.question);
    // One question is on the screen at a time.
    if (event.type !== "question" || this.#questions.length === 1) this.#teller.take(event);
  }

  /** A line that was typed. `leave` when it says so. */
  hear(line: string): "stay" | "leave" {
    this.#teller.typed();
    const text = line.trim();
    if (this.#questions.length > 0) this.#answer(text);
    else if (text === "/quit" || text === "/exit") return "leave";
    else if (text === "/help") this.#teller.dim(commandHelp);
    else if (text === "/more") this.#more();
    else if (/^\/save(?:\s|$)/.test(text)) void this.#save(text.slice("/save".length).trim());
    else if (/^\/history(?:\s|$)/.test(text)) void this.#recall(text.slice("/history".length).trim());
    else if (meantCommand(text)) this.#teller.warn(`There is no such command; did you mean ${meantCommand(text)}?`);
    else if (text !== "") {
      this.#aside?.typed(text);
      if (userCommand.test(text)) this.#run(text);
      else this.say({ text });
    }
    this.rest();
    return "stay";
  }

  #more(): void {
    const { shown } = this.#teller;
    if (shown) this.#teller.line(wholeOutput(shown, this.#coder.file).trimEnd());
    else this.#teller.dim("Nothing was shown yet.");
  }

  async #save(file: string): Promise<void> {
    if (file === "") return this.#teller.warn("say where: /save <file>");
    const saved = await this.#coder.saveTo(resolve(file));
    if (saved.ok) this.#teller.dim(`The session goes on in ${resolve(file)}.`);
    else this.#teller.warn(saved.message);
    this.rest();
  }

  async #recall(words: string): Promise<void> {
    const found = (await this.#aside?.recall(words, 20)) ?? [];
    for (const { prompt } of found.reverse()) this.#teller.dim(prompt.replace(/\s+/g, " "));
    if (found.length === 0) this.#teller.dim("Nothing was typed like that.");
    this.rest();
  }

  say(input: Input): void {
    this.#strikes = 0;
    const turn = this.#coder.send(input, this.#running ? "steer" : "now");
    if (!this.#running) this.#follow(turn.catch((error) => this.#teller.warn(messageOf(error))));
  }

  /** A person's own command. Only what is typed here is one: a prompt may come from anywhere. */
  #run(text: string): void {
    const [, marks, command = ""] = userCommand.exec(text) ?? [];
    this.#strikes = 0;
    const done = this.#coder.command(command, marks === "!" ? "in" : "out").then(
      () => {},
      (error) => this.#teller.warn(messageOf(error)),
    );
    if (!this.#running) this.#follow(done);
  }

  #follow(work: Promise<void>): void {
    this.#aside?.wake();
    this.#running = work.then(() => {
      this.#running = undefined;
      this.rest();
    });
  }

  /** Shows the prompt when it is the person's turn. */
  rest(): void {
    if (this.#running) return;
    this.#teller.prompt();
    this.#aside?.rest();
  }

  strike(signal: Signal): void {
    this.#strikes++;
    if (signal !== "SIGINT" || this.#strikes > 1)
      this.#left.resolve(this.#running || signal !== "SIGINT" ? exit.interrupted : exit.finished);
    else if (this.#running) void this.#coder.interrupt("Interrupted.");
    else {
      this.#teller.dim("(Ctrl+C again, or Ctrl+D, leaves)");
      this.rest();
    }
  }

  /** No more lines will come: what runs may finish, but nobody can be asked any more. */
  async finish(): Promise<number> {
    for (const { id } of this.#questions) this.#coder.answer(id, { say: "no", reason: "nobody is there any more" });
    const code = await Promise.race([this.#running?.then(() => exit.finished) ?? exit.finished, this.left]);
    this.#teller.line("");
    return code;
  }

  #answer(text: string): void {
    const question = this.#questions.shift();
    if (!question) return;
    const reason = /^(no?)?$/i.test(text) ? undefined : text;
    this.#coder.answer(
      question.id,
      /^y(es)?$/i.test(text) ? { say: "yes" } : { say: "no", ...(reason ? { reason } : {}) },
    );
    const [next] = this.#questions;
    if (next) this.#teller.ask(next);
  }
}
