import type { Answer, Question } from "@pith/agent";
import { plural } from "@pith/kit";
import { fit, type KeyEvent, type Theme } from "@pith/tui";
import { visible } from "../../../../view/question/ask.ts";
import type { MakePane } from "../../context.ts";
import { pager } from "../../dialog/pager.ts";
import { announcedMove, announcedQuestion } from "./announce.ts";
import { AnswerDraft } from "./answer-draft.ts";
import { bodyRows, type EditHunk, fitBody, hunksOf } from "./body.ts";
import { Guard } from "./guard.ts";
import { inWords, readKey } from "./key.ts";
import { nothingPicked, type Picked } from "./pick.ts";

/** How one question looks while it stands. */
interface OpenQuestion {
  id: string;
  picked: Picked;
  hunks: readonly EditHunk[];
  /** Until then it is not known what an edit comes down to. */
  known?: Promise<void> | undefined;
  /** What is typed is the answer. */
  worded: boolean;
  /** Its time does not run out any more. */
  held: boolean;
}

/** The oldest question that waits, above what is typed: what it is about, whole, and which keys answer it. */
export const questionPane: MakePane = (context) => {
  const { timers, theme } = context;
  const guard = new Guard(() => timers.now());
  let standing: OpenQuestion | undefined;
  const words = new AnswerDraft(() => context.composer);
  let cancel: (() => void) | undefined;
  const current = (): Question | undefined => context.coder?.scene.questions[0];
  /** Nobody says yes to what they cannot see. */
  const isCramped = () => {
    const { columns, rows } = context.terminal;
    return !context.can.reader && rows < context.composer.render(columns, rows).length + leastRows;
  };
  /** A space that came too early to tick anything is no text. */
  const blank = () => context.composer.text.trim() === "";

  function stand() {
    const question = current();
    guard.stands(question?.id);
    if (standing && standing.id !== question?.id) {
      if (standing.worded) words.end();
      standing = undefined;
    }
    if (question && !standing) {
      standing = begin(question);
      standing.worded = words.stands(question) === "taken";
      if (standing.worded && words.entered) send(question, standing);
    }
    cancel?.();
    cancel = question && guard.left > 0 ? timers.after(guard.left + 1, () => context.screen.request()) : undefined;
    context.screen.request();
  }
  function begin(question: Question): OpenQuestion {
    const fresh: OpenQuestion = {
      id: question.id,
      picked: nothingPicked(question),
      hunks: [],
      worded: false,
      held: false,
    };
    // Until it is known what an edit comes down to, its arguments stand there.
    fresh.known = question.intent?.changes?.().then(
      (changes) => {
        fresh.hunks = hunksOf(changes);
        context.screen.request();
      },
      () => {},
    );
    return fresh;
  }
  function send(question: Question, at: OpenQuestion) {
    const answer = inWords(question, words.end());
    at.worded = false;
    context.coder?.answer(question.id, answer);
  }

  /** Who listens hears what an edit comes down to, not how the model put it. */
  async function say(question: Question, at: OpenQuestion) {
    if (context.screen.announce) await at.known;
    if (standing === at)
      context.screen.announce?.(`${announcedQuestion({ ...at, question })}\n${hint(question, at, "free")}`);
  }

  function hold({ id }: Question, at: OpenQuestion) {
    at.held = true;
    context.coder?.hold(id);
  }

  function reply(question: Question, at: OpenQuestion, event: KeyEvent): "used" | "passed" {
    const free = blank();
    const takes = guard.left === 0 && !isCramped();
    const said = takes ? readKey({ question, free, hunks: at.hunks, picked: at.picked }, event) : undefined;
    if (said === undefined) return "passed";
    if (said === "whole") {
      const rows = (columns: number) => bodyRows({ ...at, question, theme, columns });
      void context.open(() => pager(theme, visible(question.text), rows));
    } else if (said === "words") {
      at.worded = true;
      words.begin();
      hold(question, at);
      // The first letter of an answer in words is a part of it.
      return question.form === "line" || question.form === "text" ? "passed" : "used";
    } else if (said === "moved") {
      hold(question, at);
      context.screen.announce?.(announcedMove({ ...at, question }));
    } else {
      if (ownWords(said)) words.ahead();
      context.coder?.answer(question.id, said);
    }
    return "used";
  }
  function reason(question: Question, at: OpenQuestion, { combo }: KeyEvent): "used" | "passed" {
    hold(question, at);
    const { vim, mode } = context.composer;
    if (combo === "enter") send(question, at);
    // The first Escape is vim's.
    else if (combo !== "escape" || (vim && mode !== "normal")) return "passed";
    else {
      words.end();
      at.worded = false;
      // Who chose words of their own and takes that back is asked again what they choose.
      if (question.form === "text") context.coder?.answer(question.id, { say: "no" });
    }
    return "used";
  }

  const pane: ReturnType<MakePane> = {
    bounds: () => ({ live: 0 }),
    hear(event) {
      if (event.type === "turn" && event.state.name === "idle") words.over();
      if (event.type !== "question" && event.type !== "answered") return;
      stand();
      const question = current();
      // Who listens hears it once, at once.
      const asked = event.type === "question" ? question?.id === event.question.id : question !== undefined;
      if (asked && question && standing) void say(question, standing);
    },
    attach: stand,
    key(event) {
      if (words.waits) return words.early(event);
      const question = current();
      if (!question || standing?.id !== question.id) return "passed";
      const used = standing.worded ? reason(question, standing, event) : reply(question, standing, event);
      // Each key that is no answer puts off the next answer.
      if (used === "passed") guard.pressed();
      stand();
      return used;
    },
    render(columns, height) {
      const question = current();
      if (!question || standing?.id !== question.id) return [];
      const room = Math.max(10, columns - 2);
      const ready = (guard.left === 0 && !isCramped()) || standing.worded;
      const how = isCramped()
        ? "a question: make the window taller"
        : hint(question, standing, blank() ? "free" : "typing");
      const words = fit(how, room, theme.glyph.ellipsis);
      const apart = height < roomyRows ? [] : [""];
      const keys = ready ? marked(words, theme) : theme.paint("dim", words);
      const body = fitBody(
        { ...standing, question, theme, columns: room },
        // What does not fit above the composer would scroll away uncounted.
        Math.max(
          2,
          Math.min(
            Math.floor(height * 0.6),
            height - context.composer.render(columns, height).length - 3 - apart.length,
          ),
        ),
      );
      const bar = `${theme.paint("warn", theme.glyph.box.v)} `;
      const left = question.timeoutMs !== undefined && !standing.held ? alone(question.timeoutMs) : [];
      return [...body, ...left.map((row) => theme.paint("dim", fit(row, room))), ...apart, keys].map((row) =>
        (bar + row).trimEnd(),
      );
    },
  };
  return pane;
};

/** With fewer rows above what is typed nothing of a question is seen; in a small window every row counts. */
const leastRows = 4;
const roomyRows = 12;

/** Keys stand out from what they do. */
const marked = (words: string, theme: Theme): string =>
  words
    .split("  ")
    .map((each) => each.replace(/^\S+/, (key) => theme.paint("accent", key)))
    .join("  ");

const alone = (ms: number): string[] => [
  `Unanswered for ${plural(Math.ceil(ms / 1000), "second")}, it is closed by itself.`,
];

const ownWords = ({ option, choices }: Answer): boolean => option === "other" || choices?.includes("other") === true;

const approving = {
  once: "y yes  n no  r no, and why",
  longer: "y once  s session  p project  n no  r no, and why",
};

function hint(
  { form, scope, series, multi }: Question,
  { worded, hunks, picked }: OpenQuestion,
  keys: "free" | "typing",
): string {
  if (worded)
    return form === "approval"
      ? "Enter says no with what you type  Esc goes back"
      : "Enter sends what you type  Esc goes back";
  if (form === "approval") {
    const left = hunks.some(({ name }) => picked.ticked.has(name));
    const ways = approving[scope === undefined || left ? "once" : "longer"];
    if (hunks.length < 2) return ways;
    return `${ways}  ${keys === "free" ? "space leaves" : `1-${Math.min(9, hunks.length)} leave`} a hunk out`;
  }
  if (form === "confirm") return "y yes  n no";
  if (form !== "choose") return "Enter sends what you type";
  if (keys === "typing") return `1-9 ${multi ? "ticks" : "answers"}  send or clear what is typed for the other keys`;
  const how = multi ? "up/down, 1-9, space ticks  Enter answers" : "up/down, 1-9  Enter takes it";
  const place = series ? `  left/right ${series.at + 1} of ${series.of}` : "";
  return `${how}${place}  Esc stops`;
}
