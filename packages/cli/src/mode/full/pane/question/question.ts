import type { Answer, Question } from "@pith/agent";
import { type Draft, fit, type KeyEvent } from "@pith/tui";
import { askRows, visible } from "../../../../view/ask.ts";
import { pager } from "../../dialog/pager.ts";
import type { MakePane } from "../../seat.ts";
import { bodyRows, cut, type Hunk, hunksOf } from "./body.ts";
import { Guard } from "./guard.ts";
import { inWords, keyed } from "./keyed.ts";
import { nothingPicked, type Picked } from "./pick.ts";

/** How one question looks while it stands. */
interface Standing {
  id: string;
  picked: Picked;
  hunks: readonly Hunk[];
  /** What is typed is the answer; what was being typed before that comes back. */
  worded?: { kept: Draft };
}

/** The oldest question that waits, above what is typed: what it is about, whole, and which keys answer it. */
export const questionPane: MakePane = (seat) => {
  const { timers, look } = seat;
  const guard = new Guard(() => timers.now());
  let standing: Standing | undefined;
  let cancel: (() => void) | undefined;
  const current = (): Question | undefined => seat.coder?.scene.questions[0];
  /** A space that came too early to tick anything is no text. */
  const blank = () => seat.composer.text.trim() === "";

  function stand() {
    const question = current();
    guard.stands(question?.id);
    if (standing && standing.id !== question?.id) {
      unword(standing);
      standing = undefined;
    }
    if (question && !standing) standing = begin(question);
    cancel?.();
    cancel = question && guard.left > 0 ? timers.after(guard.left + 1, () => seat.screen.request()) : undefined;
    seat.screen.request();
  }
  function begin(question: Question): Standing {
    const fresh: Standing = { id: question.id, picked: nothingPicked(question), hunks: [] };
    // Until it is known what an edit comes down to, its arguments stand there.
    void question.intent?.changes?.().then(
      (changes) => {
        fresh.hunks = hunksOf(changes);
        seat.screen.request();
      },
      () => {},
    );
    return fresh;
  }
  function unword(at: Standing) {
    if (at.worded) seat.composer.draft = at.worded.kept;
    at.worded = undefined;
  }

  function reply(question: Question, at: Standing, event: KeyEvent): "used" | "passed" {
    const free = blank();
    const said = guard.left === 0 ? keyed({ question, free, hunks: at.hunks, picked: at.picked }, event) : undefined;
    if (said === undefined) return "passed";
    if (said === "whole") {
      const rows = (columns: number) => bodyRows({ ...at, question, look, columns });
      void seat.open(() => pager(look, visible(question.text), rows));
    } else if (said === "words") {
      at.worded = { kept: seat.composer.draft };
      seat.composer.clear();
      seat.coder?.hold(question.id);
      // The first letter of an answer in words is a part of it.
      return question.form === "line" || question.form === "text" ? "passed" : "used";
    } else if (said === "moved") seat.coder?.hold(question.id);
    else seat.coder?.answer(question.id, said);
    return "used";
  }
  function reason(question: Question, at: Standing, { combo }: KeyEvent): "used" | "passed" {
    if (combo !== "escape" && combo !== "enter") return "passed";
    const { text } = seat.composer;
    const answer: Answer | undefined = combo === "enter" ? inWords(question, text.trim()) : undefined;
    unword(at);
    if (answer) seat.coder?.answer(question.id, answer);
    return "used";
  }

  const pane: ReturnType<MakePane> = {
    seam: () => ({ live: 0 }),
    hear(event) {
      if (event.type !== "question" && event.type !== "answered") return;
      stand();
      const question = current();
      // Who listens hears it once, at once.
      const asked = event.type === "question" ? question?.id === event.question.id : question !== undefined;
      if (asked && question && standing) seat.screen.announce?.(said(question, standing));
    },
    seated: stand,
    key(event) {
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
      const ready = guard.left === 0 || standing.worded;
      const keys = look.paint(
        ready ? "accent" : "dim",
        fit(hint(question, standing, blank() ? "free" : "typing"), room, look.glyph.ellipsis),
      );
      const body = cut(
        bodyRows({ ...standing, question, look, columns: room }),
        // What does not fit above the composer would scroll away uncounted.
        Math.max(2, Math.min(Math.floor(height * 0.6), height - seat.composer.render(columns, height).length - 4)),
        look,
        room,
      );
      const bar = `${look.paint("warn", look.glyph.box.v)} `;
      return [...body, "", keys].map((row) => (bar + row).trimEnd());
    },
  };
  return pane;
};

/** A question in words alone. */
const said = (question: Question, at: Standing): string =>
  [visible(question.text), ...askRows(question, "whole"), hint(question, at, "free")].join("\n");

const approving = {
  once: "y yes  n no  r no, and why",
  longer: "y once  s session  p project  n no  r no, and why",
};

function hint(
  { form, scope, series, multi }: Question,
  { worded, hunks, picked }: Standing,
  keys: "free" | "typing",
): string {
  if (worded)
    return form === "approval"
      ? "type why: Enter says no with it, Escape goes back"
      : "type it: Enter sends it, Escape goes back";
  if (form === "approval") {
    const left = hunks.some(({ name }) => picked.ticked.has(name));
    const ways = approving[scope === undefined || left ? "once" : "longer"];
    return hunks.length > 1 ? `${ways}  1-${Math.min(9, hunks.length)} leaves a hunk out` : ways;
  }
  if (form === "confirm") return "y yes  n no";
  if (form !== "choose") return "type the answer, Enter sends it";
  if (keys === "typing")
    return `a number ${multi ? "ticks" : "answers"}; send or clear what is typed for the other keys`;
  const how = multi ? "space ticks; Enter answers" : "Enter takes it";
  const place = series ? `; left, right: ${series.at + 1} of ${series.of}` : "";
  return `up, down, a number; ${how}${place}; Esc stops`;
}
