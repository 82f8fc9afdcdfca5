import type { Answer, Question } from "@pith/agent";
import { plural } from "@pith/kit";
import { type Draft, fit, type KeyEvent, type Look, wrap } from "@pith/tui";
import { askRows, visible } from "../../../../view/ask.ts";
import { callRow } from "../../../../view/call.ts";
import { openWhole } from "../../dialog/pager.ts";
import type { MakePane } from "../../seat.ts";
import { Guard } from "./guard.ts";
import { worded as inWords, keyed } from "./keyed.ts";

/** The oldest question that waits, above what is typed: what it is about, whole, and which keys answer it. */
export const questionPane: MakePane = (seat) => {
  const { timers } = seat;
  const guard = new Guard(() => timers.now());
  /** What is typed is the answer: the reason of a no, or the words that were asked for. */
  let worded: string | undefined;
  /** What was being typed before that; it comes back. */
  let kept: Draft | undefined;
  let cancel: (() => void) | undefined;
  const current = (): Question | undefined => seat.coder?.scene.questions[0];

  function stand() {
    const question = current();
    guard.stands(question?.id);
    if (worded !== undefined && worded !== question?.id) unword();
    cancel?.();
    cancel = question && guard.left > 0 ? timers.after(guard.left + 1, () => seat.screen.request()) : undefined;
    seat.screen.request();
  }
  function unword() {
    worded = undefined;
    if (kept) seat.composer.draft = kept;
    kept = undefined;
  }
  function answer(question: Question, said: Answer) {
    seat.coder?.answer(question.id, said);
  }

  function reply(question: Question, event: KeyEvent): "used" | "passed" {
    const said = guard.left === 0 ? keyed(question, event) : undefined;
    if (said === undefined) return "passed";
    if (said === "whole") {
      const text = askRows(question, "whole").join("\n");
      void seat.open(openWhole(seat.look, { title: visible(question.text), text }));
    } else if (said === "words") {
      worded = question.id;
      kept = seat.composer.draft;
      seat.composer.clear();
      seat.coder?.hold(question.id);
      // The first letter of an answer in words is a part of it.
      return question.form === "line" || question.form === "text" ? "passed" : "used";
    } else answer(question, said);
    return "used";
  }
  function reason(question: Question, { combo }: KeyEvent): "used" | "passed" {
    if (combo === "escape") unword();
    else if (combo === "enter") {
      const { text } = seat.composer.take();
      unword();
      answer(question, inWords(question, text.trim()));
    } else return "passed";
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
      if (asked && question) seat.screen.announce?.(said(question));
    },
    seated: stand,
    key(event) {
      const question = current();
      if (!question) return "passed";
      const used = worded === question.id ? reason(question, event) : reply(question, event);
      // Each key that is no answer puts off the next answer.
      if (used === "passed") guard.pressed();
      stand();
      return used;
    },
    render(columns, height) {
      const question = current();
      if (!question) return [];
      return questionRows(question, {
        look: seat.look,
        columns,
        height,
        ready: guard.left === 0,
        worded: worded === question.id,
      });
    },
    spoken: () => "",
  };
  return pane;
};

/** A question in words alone. */
const said = (question: Question): string =>
  [visible(question.text), ...askRows(question, "whole"), hint(question, false)].join("\n");

interface Standing {
  look: Look;
  columns: number;
  height: number;
  ready: boolean;
  worded: boolean;
}

function questionRows(question: Question, { look, columns, height, ready, worded }: Standing): string[] {
  const { h, v } = look.glyph.box;
  const room = Math.max(10, columns - 2);
  const bar = `${look.paint("warn", v)} `;
  const body = askRows(question, "whole").flatMap((row) => wrap(row, room));
  const head = wrap(visible(question.text), room).map((row) => look.paint("warn", row));
  const call = question.call ? [callRow(question.call, { look, columns: room, height: 1 })] : [];
  const keys = look.paint(ready || worded ? "accent" : "dim", fit(hint(question, worded), room, look.glyph.ellipsis));
  const free = Math.max(3, Math.floor(height * 0.6) - head.length - call.length - 1);
  const rows = [...head, ...call, ...cut(body, free, look, room), keys];
  return [look.paint("warn", h.repeat(columns)), ...rows.map((row) => bar + row)];
}

/** Of many rows both ends, and how many are not seen. */
function cut(rows: readonly string[], room: number, look: Look, columns: number): string[] {
  if (rows.length <= room) return [...rows];
  const tail = Math.floor((room - 1) / 3);
  const head = room - 1 - tail;
  const hidden = look.paint(
    "warn",
    fit(`${look.glyph.ellipsis} ${plural(rows.length - head - tail, "line")} hidden: Ctrl+O shows all`, columns),
  );
  return [...rows.slice(0, head), hidden, ...rows.slice(rows.length - tail)];
}

const approving = {
  once: "y yes  n no  r no, with a reason",
  longer: "y once  s this session  p this project  n no  r no, with a reason",
};

function hint({ form, scope, options = [], series }: Question, worded: boolean): string {
  if (worded)
    return form === "approval" ? "type why, Enter says no with it, Escape goes back" : "type it, Enter sends it";
  if (form === "approval") return approving[scope === undefined ? "once" : "longer"];
  if (form === "confirm") return "y yes  n no";
  if (form === "choose")
    return `1-${options.length} chooses${series ? "  left, right: the other questions" : ""}  Escape: no answer`;
  return "type the answer, Enter sends it";
}
