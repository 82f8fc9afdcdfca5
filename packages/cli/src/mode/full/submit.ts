import type { Event, UserInput } from "@pith/agent";
import type { Coder, Typed } from "@pith/coder";
import { messageOf } from "@pith/kit";
import type { Image } from "@pith/llm";
import type { TextFold } from "@pith/tui";
import { exit } from "../../io/interrupt.ts";
import { readEntered } from "../entered.ts";
import { bringBack } from "./action/escape.ts";
import type { PersonInput, ScreenContext, Submitter } from "./context.ts";

const idleMs = 100;

/** Carries out what a person enters; what comes before there is a conversation waits for it. */
export class PersonSubmitter implements Submitter {
  readonly #context: ScreenContext;
  readonly #remember: (text: string) => void;
  /** Inputs that Enter alone sends, one after the other, each with the words that announce it. */
  tour: readonly { say: string; about: string }[] = [];
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
    const early = this.#early.splice(0);
    for (const { release } of early) release?.();
    bringBack(this.#context.composer, early);
  }

  enter(entered: PersonInput): void {
    const { coder, composer } = this.#context;
    const text = entered.text.trim();
    if (text === "" && !entered.images?.length) {
      const [step, ...rest] = this.tour;
      if (!step || coder?.running) return;
      this.tour = rest;
      composer.placeholder = "";
      this.enter({ text: step.say, when: "now" });
      this.#announceStep();
      return;
    }
    const input = entered.release ? entered : { ...entered, release: composer.hold?.(text) };
    if (!coder || this.#waits) {
      this.#early.push(input);
      return;
    }
    const read = readEntered(coder, text);
    if (read.is === "shell" || read.is === "words") this.#remember(text);
    if (read.is !== "words") input.release?.();
    if (read.is === "refused") this.#refuse(input, read.why);
    else if (read.is === "command") void this.#perform(coder, read.typed, input);
    else if (read.is === "shell") coder.command(read.command, read.context).catch(this.#failed);
    else if (text.includes("@") || this.#attaching) void this.#attach(coder, { ...input, text });
    else this.#send({ ...input, text });
  }

  /** Says what Enter does next in the tour, once nothing runs. */
  #announceStep(): void {
    const { coder, composer, screen, timers } = this.#context;
    timers.after(idleMs, () => {
      if (coder?.running || this.performs) return this.#announceStep();
      composer.placeholder = this.tour[0]?.about ?? "";
      screen.request();
    });
  }

  /** Says why nothing was done, and puts the input back to be corrected. */
  #refuse(input: PersonInput, why: string): void {
    this.#context.say("warn", why);
    input.release?.();
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
        const { when, release } = input;
        this.#send(joined({ ...(await coder.draft.attach(input.text)), when, release }, input.images));
      } catch (error) {
        this.#refuse(input, messageOf(error));
      }
    })();
    this.#attaching = mine;
    await mine;
    if (this.#attaching === mine) this.#attaching = undefined;
  }

  #send({ when, release, ...input }: PersonInput): void {
    const { coder } = this.#context;
    const listening = release && coder?.subscribe((event) => isRecorded(event) && release());
    const sent = coder?.send(input, when).catch(this.#failed) ?? Promise.resolve();
    void sent.finally(() => {
      listening?.[Symbol.dispose]();
      release?.();
    });
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

/** True when what a person has said is on the disk: as a message, or as one that waits. */
const isRecorded = (event: Event): boolean =>
  event.type === "entry" &&
  (event.entry.type === "message"
    ? event.entry.message.role === "user"
    : event.entry.type === "custom" && event.entry.customType === "pith.inbox");

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
