import type { Outcome, UserInput } from "@pith/agent";
import type { Coder, Typed } from "@pith/coder";
import { messageOf } from "@pith/kit";
import { exit } from "../../io/interrupt.ts";
import { bringBack } from "./action/escape.ts";
import type { ScreenContext } from "./context.ts";

const userCommand = /^(!!?)\s*([\s\S]*\S)$/;

export interface PersonInput extends UserInput {
  when: "now" | "after";
}

/** What a person says: a command of ours, one for the shell, or words for the model. What comes too early waits. */
export class Submitter {
  readonly #context: ScreenContext;
  readonly #kept: (text: string) => void;
  /** What Enter alone says, once: where no model is connected, the tour begins by it. */
  tour: string | undefined;
  /** Said before there was a conversation. */
  #early: PersonInput[] = [];
  /** Done by a key then. */
  #later: (() => unknown)[] = [];
  readonly #commands = new Set<AbortController>();
  #waits = false;
  #attaching: Promise<void> | undefined;

  constructor(context: ScreenContext, kept: (text: string) => void) {
    this.#context = context;
    this.#kept = kept;
  }

  readonly performing = {
    stands: () => this.#commands.size > 0,
    stop: () => {
      for (const each of this.#commands) each.abort("Interrupted.");
    },
  };

  get early(): readonly PersonInput[] {
    return this.#early;
  }

  /** Another conversation is being opened: what is said now is for that one. */
  wait(): void {
    this.#waits = true;
  }

  /** There is a conversation: what was said meanwhile is said now. */
  attach(): void {
    this.#waits = false;
    const early = this.#early;
    this.#early = [];
    for (const act of this.#later.splice(0)) act();
    for (const spoken of early) this.enter(spoken);
  }

  /** What needs a conversation, and is done when there is one. */
  later(act: () => unknown): void {
    this.#later.push(act);
  }

  /** None comes any more: what was said for it is a draft again. */
  restoreDraft(): void {
    bringBack(this.#context.composer, this.#early.splice(0));
  }

  enter(spoken: PersonInput): void {
    const { coder } = this.#context;
    const text = spoken.text.trim();
    if (text === "" && !spoken.images?.length) {
      if (this.tour === undefined) return;
      this.#context.composer.placeholder = "";
      this.say({ text: this.tour, when: "now" });
      this.tour = undefined;
      return;
    }
    if (!coder || this.#waits) {
      this.#early.push(spoken);
      return;
    }
    const typed = coder.commands.read(text);
    if (typed.is === "unknown") this.#refuse(spoken, typed.message);
    else if (/^!!?$/.test(text)) this.#refuse(spoken, "Say what to run: !<command>");
    else if (typed.is === "command") void this.#perform(coder, typed, spoken);
    else {
      this.#kept(text);
      if (userCommand.test(text)) this.#run(coder, text);
      else if (text.includes("@") || this.#attaching) void this.#attach(coder, { ...spoken, text });
      else this.say({ ...spoken, text });
    }
  }

  /** It did nothing, and stands there again to be put right. */
  #refuse(spoken: PersonInput, why: string): void {
    const { composer } = this.#context;
    this.#context.say("warn", why);
    if (composer.isEmpty) bringBack(composer, [spoken]);
  }

  /** Files that are named by `@` come along; what is said meanwhile comes after. */
  async #attach(coder: Coder, spoken: PersonInput): Promise<void> {
    const before = this.#attaching;
    const mine = (async () => {
      await before;
      try {
        this.say(joined({ ...(await coder.draft.attach(spoken.text)), when: spoken.when }, spoken.images));
      } catch (error) {
        this.#refuse(spoken, messageOf(error));
      }
    })();
    this.#attaching = mine;
    await mine;
    if (this.#attaching === mine) this.#attaching = undefined;
  }

  say({ when, ...input }: PersonInput): void {
    const { coder } = this.#context;
    const send = coder?.send(input, when);
    send?.catch((error) => this.#context.say("error", messageOf(error)));
  }

  async #perform(coder: Coder, typed: Typed & { is: "command" }, spoken: PersonInput): Promise<void> {
    const stop = new AbortController();
    this.#commands.add(stop);
    try {
      const ending = await coder.perform(typed, stop.signal);
      if (ending.do === "wish") {
        const { wish } = ending;
        if (wish.name === "quit") this.#context.leave(exit.finished);
        else if (wish.name === "new") this.#context.act("app.session.new");
        else this.#context.act(wish.action, wish.words);
      } else if (ending.do === "busy")
        this.#refuse(
          spoken,
          `/${typed.command.name} was not run: it is for between turns. Enter it when this one is over.`,
        );
      else if (ending.do === "prompt") this.say(joined({ ...ending.input, when: "now" }, spoken.images));
      else this.#show(ending.outcome, spoken, typed.words);
    } catch (error) {
      if (stop.signal.aborted) this.#context.say("warn", "Interrupted.");
      else this.#context.say("error", messageOf(error));
    } finally {
      this.#commands.delete(stop);
    }
  }

  /** A command whose words were wrong stands there again to be put right. */
  #show(outcome: Outcome, spoken: PersonInput, words: string): void {
    const { composer } = this.#context;
    this.#context.show(outcome);
    if (outcome.failed && words !== "" && composer.isEmpty) bringBack(composer, [spoken]);
  }

  #run(coder: Coder, text: string): void {
    const [, marks, command = ""] = userCommand.exec(text) ?? [];
    coder.command(command, marks === "!" ? "in" : "out").catch((error) => this.#context.say("error", messageOf(error)));
  }
}

/** What is said, with the pictures that were put in before those of files. */
const joined = (said: PersonInput, images: UserInput["images"] = []): PersonInput =>
  images.length === 0 ? said : { ...said, images: [...images, ...(said.images ?? [])] };
