import type { Question } from "@pith/agent";
import type { KeyEvent } from "@pith/tui";
import type { ScreenContext } from "../../context.ts";

/**
 * Words that answer a question: while they are typed, what was being typed before is kept aside. Who has chosen to say
 * something of their own may type at once, before the question for it has come.
 */
export class AnswerDraft {
  readonly #composer: () => ScreenContext["composer"];
  #ahead: "no" | "typed" | "entered" = "no";

  constructor(composer: () => ScreenContext["composer"]) {
    this.#composer = composer;
  }

  begin(): void {
    const composer = this.#composer();
    composer.setAside = composer.draft;
    composer.clear();
  }

  /** Returns the answer, and puts the draft of before back. */
  end(): string {
    const composer = this.#composer();
    const said = composer.text.trim();
    const { setAside: aside } = composer;
    composer.setAside = undefined;
    if (aside) composer.draft = aside;
    this.#ahead = "no";
    return said;
  }

  ahead(): void {
    this.begin();
    this.#ahead = "typed";
  }

  /** True while an answer is typed for a question that is still to come. */
  get waits(): boolean {
    return this.#ahead !== "no";
  }
  get entered(): boolean {
    return this.#ahead === "entered";
  }

  early({ combo }: KeyEvent): "used" | "passed" {
    if (combo !== "enter") return "passed";
    this.#ahead = "entered";
    return "used";
  }

  /** Takes what was typed ahead for the answer, if the new question asks for words. */
  stands({ form }: Question): "taken" | "not" {
    if (!this.waits) return "not";
    if (form !== "text" && form !== "line") {
      this.over();
      return "not";
    }
    if (!this.entered) this.#ahead = "no";
    return "taken";
  }

  /** Ends the wait for a question; the text stays in the composer, unless there was a draft before. */
  over(): void {
    if (!this.waits) return;
    const composer = this.#composer();
    if (composer.setAside?.text === "") composer.setAside = undefined;
    this.end();
  }
}
