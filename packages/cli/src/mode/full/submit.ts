import type { UserInput } from "@pith/agent";
import type { Coder, Typed } from "@pith/coder";
import { messageOf } from "@pith/kit";
import type { Image } from "@pith/llm";
import type { TextFold } from "@pith/tui";
import { exit } from "../../io/interrupt.ts";
import { readEntered } from "../entered.ts";
import { bringBack } from "./action/escape.ts";
import type { PersonInput, ScreenContext, Submitter } from "./context.ts";

/** Carries out what a person enters; what comes before there is a conversation waits for it. */
export class PersonSubmitter implements Submitter {
  readonly #context: ScreenContext;
  readonly #remember: (text: string) => void;
  /** Sent once by Enter alone, to begin the tour. */
  tour: string | undefined;
  #early: PersonInput[] = [];
  #later: (() => unknown)[] = [];
  readonly #commands = new Set<AbortController>();
  #waits = false;
  #attaching: Promise<void> | undefined;

  constructor(context: ScreenContext, remember: (text: string) => void) {
    this.#context = context;
    this.#remember = remember;
  }

  get performs(): boolean {
    return this.#commands.size > 0;
  }

  stopPerforming(): void {
    for (const each of this.#commands) each.abort("Interrupted.");
  }

  /** Keeps input until another conversation is open. */
  wait(): void {
    this.#waits = true;
  }

  /** Carries out what has waited for a conversation. */
  attach(): void {
    this.#waits = false;
    for (const act of this.#later.splice(0)) act();
    for (const input of this.#early.splice(0)) this.enter(input);
  }

  later(act: () => unknown): void {
    this.#later.push(act);
  }

  /** Puts back into the composer what waits for a conversation that will not come. */
  restoreDraft(): void {
    bringBack(this.#context.composer, this.#early.splice(0));
  }

  enter(input: PersonInput): void {
    const { coder, composer } = this.#context;
    const text = input.text.trim();
    if (text === "" && !input.images?.length) {
      if (this.tour === undefined) return;
      composer.placeholder = "";
      this.#send({ text: this.tour, when: "now" });
      this.tour = undefined;
      return;
    }
    if (!coder || this.#waits) {
      this.#early.push(input);
      return;
    }
    const entered = readEntered(coder, text);
    if (entered.is === "shell" || entered.is === "words") this.#remember(text);
    if (entered.is === "refused") this.#refuse(input, entered.why);
    else if (entered.is === "command") void this.#perform(coder, entered.typed, input);
    else if (entered.is === "shell") coder.command(entered.command, entered.context).catch(this.#failed);
    else if (text.includes("@") || this.#attaching) void this.#attach(coder, { ...input, text });
    else this.#send({ ...input, text });
  }

  /** Says why nothing was done, and puts the input back to be corrected. */
  #refuse(input: PersonInput, why: string): void {
    this.#context.say("warn", why);
    this.#putBack(input);
  }

  #putBack(input: PersonInput): void {
    const { composer } = this.#context;
    if (composer.isEmpty) bringBack(composer, [input]);
  }

  /** Sends the input with the files that it names by `@`; what is entered meanwhile is sent after it. */
  async #attach(coder: Coder, input: PersonInput): Promise<void> {
    const before = this.#attaching;
    const mine = (async () => {
      await before;
      try {
        this.#send(joined({ ...(await coder.draft.attach(input.text)), when: input.when }, input.images));
      } catch (error) {
        this.#refuse(input, messageOf(error));
      }
    })();
    this.#attaching = mine;
    await mine;
    if (this.#attaching === mine) this.#attaching = undefined;
  }

  #send({ when, ...input }: PersonInput): void {
    this.#context.coder?.send(input, when).catch(this.#failed);
  }

  readonly #failed = (error: unknown): void => this.#context.say("error", messageOf(error));

  async #perform(coder: Coder, typed: Typed & { is: "command" }, input: PersonInput): Promise<void> {
    const context = this.#context;
    const { name } = typed.command;
    const stop = new AbortController();
    this.#commands.add(stop);
    try {
      const ending = await coder.perform(typed, stop.signal);
      if (ending.do === "wish") {
        const { wish } = ending;
        if (wish.name === "quit") context.leave(exit.finished);
        else if (wish.name === "new") context.act("app.session.new");
        else context.act(wish.action, wish.words);
      } else if (ending.do === "busy")
        this.#refuse(input, `/${name} was not run: it is for between turns. Enter it when this one is over.`);
      else if (ending.do === "prompt") this.#send(joined({ ...ending.input, when: "now" }, input.images));
      else {
        context.show(ending.outcome);
        // A command whose words were wrong comes back to be corrected, unless the person has stopped it.
        if (ending.outcome.failed && typed.words !== "" && !stop.signal.aborted) this.#putBack(input);
      }
    } catch (error) {
      if (stop.signal.aborted) context.say("warn", "Interrupted.");
      else this.#failed(error);
    } finally {
      this.#commands.delete(stop);
    }
  }
}

/** Input with more pictures before its own. */
const joined = (input: PersonInput, images: UserInput["images"] = []): PersonInput =>
  images.length === 0 ? input : { ...input, images: [...images, ...(input.images ?? [])] };

/** Typed text, and the pictures among what is attached to it. */
export function inputOf(text: string, attachments: readonly TextFold[]): UserInput {
  const images = attachments.flatMap(({ content }) =>
    content.kind === "attachment" && isImage(content.data) ? [content.data] : [],
  );
  return { text, ...(images.length > 0 ? { images } : {}) };
}

const isImage = (data: unknown): data is Image =>
  typeof data === "object" && data !== null && (data as { type?: unknown }).type === "image";
