import type { Answer, Question } from "@pith/agent";
import { plural } from "@pith/kit";
import { fit, type KeyEvent, type Theme } from "@pith/tui";
import { visible } from "../../../../view/question/ask.ts";
import type { ScreenEvent } from "../../../../view/throttle.ts";
import type { MakePane, ScreenContext, ScreenPane } from "../../context.ts";
import { pager } from "../../dialog/pager.ts";
import { announcedMove, announcedQuestion } from "./announce.ts";
import { AnswerDraft } from "./answer-draft.ts";
import { bodyRows, fitBody, wayRows } from "./body.ts";
import { Guard } from "./guard.ts";
import { hunksToTick, inWords, readKey, waysLeft } from "./key.ts";
import { type EditHunk, hunksOf, nothingPicked, type Picked } from "./pick.ts";

/** A question, and how far its answer is. */
interface OpenQuestion {
  question: Question;
  picked: Picked;
  hunks: readonly EditHunk[];
  /** Resolves when the hunks of an edit are known. */
  known: Promise<void> | undefined;
  /** True while the composer holds an answer in words. */
  worded: boolean;
  /** True once its time has stopped running out. */
  held: boolean;
}

/** The oldest question that waits, in full, and the keys that answer it. */
export const questionPane: MakePane = (context) => new QuestionPane(context);

class QuestionPane implements ScreenPane {
  readonly #context: ScreenContext;
  readonly #guard: Guard;
  readonly #draft: AnswerDraft;
  #open: OpenQuestion | undefined;
  #cancel = () => {};

  constructor(context: ScreenContext) {
    this.#context = context;
    this.#guard = new Guard(() => context.timers.now());
    this.#draft = new AnswerDraft(() => context.composer);
  }

  attach(): void {
    this.#update();
  }

  hear(event: ScreenEvent): void {
    if (event.type === "turn" && event.state.name === "idle") this.#draft.over();
    if (event.type !== "question" && event.type !== "answered") return;
    this.#update();
    const { question } = this.#open ?? {};
    if (event.type === "answered" || question?.id === event.question.id) void this.#announce();
  }

  key(event: KeyEvent): "used" | "passed" {
    if (this.#draft.waits) return this.#draft.early(event);
    const open = this.#open;
    if (!open || open.question.id !== this.#current?.id) return "passed";
    const used = open.worded ? this.#inWords(open, event) : this.#reply(open, event);
    // Each key that is no answer puts off the next answer.
    if (used === "passed") this.#guard.pressed();
    this.#update();
    return used;
  }

  render(columns: number, height: number): string[] {
    const open = this.#open;
    if (!open || open.question.id !== this.#current?.id) return [];
    const { theme, composer } = this.#context;
    const room = Math.max(10, columns - 2);
    const gap = height < roomyRows ? [] : [""];
    const { timeoutMs } = open.question;
    const left = timeoutMs !== undefined && !open.held ? [theme.paint("dim", fit(timeLeft(timeoutMs), room))] : [];
    // Rows that do not fit above the composer would scroll away uncounted.
    const most = Math.min(Math.floor(height * 0.7), height - composer.render(columns, height).length - 3 - gap.length);
    const list = open.worded ? [] : wayRows({ ...open, theme, columns: room });
    // In a low window the shortcuts stand for the list.
    const ways = list.length + leastBody > most ? [] : list;
    const how = this.#isCramped
      ? "a question: make the window taller"
      : hint(open, this.#isBlank ? "free" : "typing", ways.length > 0 ? "list" : "shortcuts");
    const words = fit(how, room, theme.glyph.ellipsis);
    const keys = this.#isReady || open.worded ? marked(words, theme) : theme.paint("dim", words);
    const body = fitBody(
      { ...open, theme, columns: room, code: this.#context.view.style.code },
      Math.max(2, most - ways.length),
    );
    const bar = `${theme.paint("warn", theme.glyph.box.v)} `;
    return [...body, ...(ways.length > 0 ? gap : []), ...ways, ...left, ...gap, keys].map((row) =>
      (bar + row).trimEnd(),
    );
  }

  get #current(): Question | undefined {
    return this.#context.coder?.scene.questions[0];
  }

  /** Nobody says yes to what they cannot see. */
  get #isCramped(): boolean {
    const { can, composer, terminal } = this.#context;
    const { columns, rows } = terminal;
    return !can.reader && rows < composer.render(columns, rows).length + leastRows;
  }

  get #isReady(): boolean {
    return this.#guard.left === 0 && !this.#isCramped;
  }

  /** True for an empty composer; a space that came too early to tick anything is no text. */
  get #isBlank(): boolean {
    return this.#context.composer.text.trim() === "";
  }

  /** Opens the question that is the oldest now. */
  #update(): void {
    const { screen, timers } = this.#context;
    const question = this.#current;
    this.#guard.stands(question?.id);
    if (this.#open && this.#open.question.id !== question?.id) {
      if (this.#open.worded) this.#draft.end();
      this.#open = undefined;
    }
    if (question && !this.#open) {
      this.#open = this.#begin(question);
      if (this.#open.worded && this.#draft.entered) this.#send(this.#open);
    }
    this.#cancel();
    if (question && this.#guard.left > 0)
      this.#cancel = timers.after(this.#guard.left + 1, () => this.#context.screen.request());
    screen.request();
  }

  #begin(question: Question): OpenQuestion {
    const open: OpenQuestion = {
      question,
      picked: nothingPicked(question),
      hunks: [],
      known: undefined,
      worded: this.#draft.stands(question) === "taken",
      held: false,
    };
    // Until the changes of an edit are known, its arguments are shown.
    open.known = question.intent?.changes?.().then(
      (changes) => {
        open.hunks = hunksOf(changes);
        this.#context.screen.request();
      },
      () => {},
    );
    return open;
  }

  #send(open: OpenQuestion): void {
    open.worded = false;
    this.#context.coder?.answer(open.question.id, inWords(open.question, this.#draft.end()));
  }

  /** Says the question on a screen for a screen reader: what an edit changes, not how the model put it. */
  async #announce(): Promise<void> {
    const open = this.#open;
    const { screen } = this.#context;
    if (!open || !screen.announce) return;
    await open.known;
    if (this.#open === open) screen.announce(`${announcedQuestion(open)}\n${hint(open, "free", "list")}`);
  }

  #hold(open: OpenQuestion): void {
    open.held = true;
    this.#context.coder?.hold(open.question.id);
  }

  /** Takes a key while no words are typed as the answer. */
  #reply(open: OpenQuestion, event: KeyEvent): "used" | "passed" {
    const { coder, screen, theme } = this.#context;
    const { question } = open;
    const typed = this.#typedKey(event);
    const ready = event.combo === "escape" || (typed ? this.#guard.seen && !this.#isCramped : this.#isReady);
    const { at, ticked } = open.picked;
    const picked = ready ? open.picked : { at, ticked: new Set(ticked) };
    const meaning = readKey({ ...open, picked, free: this.#isBlank }, typed ?? event);
    // An answer that is given too soon is none, and no text for the model either.
    if (!ready) return meaning !== undefined && (typed || (this.#isBlank && !this.#guard.typing)) ? "used" : "passed";
    if (meaning === undefined) return "passed";
    if (typed) this.#context.composer.clear();
    if (meaning === "whole") {
      const rows = (columns: number) => [
        ...bodyRows({ ...open, theme, columns, code: this.#context.view.style.code }),
        ...wayRows({ ...open, theme, columns }),
      ];
      void this.#context.open(() => pager(theme, visible(question.text), rows));
    } else if (meaning === "words") {
      open.worded = true;
      this.#draft.begin();
      this.#hold(open);
      // The first letter of an answer in words is a part of it.
      return question.form === "line" || question.form === "text" ? "passed" : "used";
    } else if (meaning === "moved") {
      this.#hold(open);
      screen.announce?.(announcedMove(open));
    } else {
      if (choosesOwnWords(meaning)) this.#draft.ahead();
      coder?.answer(question.id, meaning);
    }
    return "used";
  }

  /** The key of an answer that was typed too soon and stands in the composer, when Enter sends it. */
  #typedKey({ combo, phase }: KeyEvent): KeyEvent | undefined {
    const text = this.#context.composer.text.trim();
    const { question } = this.#open ?? {};
    if (combo !== "enter" || text.length !== 1 || !question || /line|text/.test(question.form)) return undefined;
    return { type: "key", name: text, combo: text, text, phase };
  }

  /** Takes a key while words are typed as the answer. */
  #inWords(open: OpenQuestion, { combo }: KeyEvent): "used" | "passed" {
    this.#hold(open);
    const { composer, coder } = this.#context;
    if (combo === "enter") this.#send(open);
    // The first Escape is vim's.
    else if (combo !== "escape" || (composer.vim && composer.mode !== "normal")) return "passed";
    else {
      this.#draft.end();
      open.worded = false;
      // Leaving words of one's own goes back to the choice.
      if (open.question.form === "text") coder?.answer(open.question.id, { say: "no" });
    }
    return "used";
  }
}

/** With fewer rows above the composer nothing of a question is seen; in a window that is not roomy every row counts. */
const leastRows = 4;
/** Rows that a question has beside the list of answers at least. */
const leastBody = 3;
const roomyRows = 12;

/** Paints the keys of a hint. */
const marked = (words: string, theme: Theme): string =>
  words
    .split("  ")
    .map((each) => each.replace(/^\S+/, (key) => theme.paint("accent", key)))
    .join("  ");

const timeLeft = (ms: number): string => `Without an answer it closes in ${plural(Math.ceil(ms / 1000), "second")}.`;

const choosesOwnWords = ({ option, choices }: Answer): boolean =>
  option === "other" || choices?.includes("other") === true;

const shortcuts: Readonly<Record<string, string>> = { y: "yes", s: "session", p: "project", n: "no", r: "no, and why" };

function hint(open: OpenQuestion, keys: "free" | "typing", shown: "list" | "shortcuts"): string {
  const { question, worded } = open;
  const { form, series, multi } = question;
  if (worded)
    return `Enter ${form === "line" || form === "text" ? "sends" : "says no with"} what you type  Esc goes back`;
  if (form === "line" || form === "text") return "Enter sends what you type";
  const ways = waysLeft(open);
  const letters = ways.flatMap(({ key }) => (key === undefined ? [] : [`${key} ${shortcuts[key] ?? ""}`]));
  if (keys === "typing")
    return letters.length > 0 ? letters.join("  ") : "1-9 answers  send or clear what is typed for the other keys";
  if (shown === "shortcuts" && letters.length > 0) return letters.join("  ");
  const digits = hunksToTick(open).length > 0 ? "" : `, 1-${Math.min(9, ways.length)}`;
  const ticks = multi ? "  Space ticks" : digits === "" ? "  Space leaves a hunk out" : "";
  const place = series ? `  left/right ${series.at + 1} of ${series.of}` : "";
  return `up/down${digits}  Enter answers${ticks}${place}  Tab says why not  Esc no`;
}
