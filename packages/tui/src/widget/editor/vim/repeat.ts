import type { KeyEvent } from "../../../input/event.ts";
import { insert, lineEnd, lineStart, moveTo, remove, step } from "../buffer.ts";
import type { EditorState } from "../state.ts";
import type { MotionInput } from "./motion.ts";

/** A change that `.` makes again, with what was typed after it. */
interface Change {
  run(input: MotionInput): void;
  readonly input: MotionInput;
  readonly lead?: string;
  readonly typed: KeyEvent[];
}

/** What was changed last, and what is typed since; each of them is one step of undo. */
export interface Changes {
  /** With a lead, what is typed after it comes as often as the count says. */
  make(run: Change["run"], how: MotionInput, lead?: string): void;
  /** The last one once more, with another count if there is one. */
  again(count: number | undefined): void;
  typed(event: KeyEvent): void;
  /** Typing is over. */
  settle(): void;
  drop(): void;
}

/** `begun` tells whether a change has led into insert mode; `over` is called when that is left. */
export function createChanges(deck: EditorState, inserting: { begun(): boolean; over(): void }): Changes {
  let last: Change | undefined;
  /** Since insert mode began, and the undo step it belongs to. */
  let typing: { typed: KeyEvent[]; step: number; times: number; lead?: string } | undefined;
  let replaying = false;
  const text = () => deck.buffer.text;
  const here = () => deck.buffer.cursor;

  function make(run: Change["run"], how: MotionInput, lead?: string) {
    const before = deck.depth;
    run(how);
    if (inserting.begun()) typing = { typed: [], step: before, times: lead === undefined ? 1 : how.times, lead };
    else deck.join(before);
    if (!replaying) last = { run, input: how, lead, typed: typing?.typed ?? [] };
  }
  function type(keys: readonly KeyEvent[]) {
    for (const { text: typed, combo } of keys) {
      if (combo === "backspace") deck.change(remove(deck.buffer, step(text(), here(), -1), here()), "delete");
      else if (typed !== "" || newlines.has(combo)) deck.change(insert(deck.buffer, typed || "\n"), "type");
    }
  }
  function settle() {
    for (let more = (typing?.times ?? 1) - 1; more > 0; more--) {
      if (typing?.lead) deck.change(insert(moveTo(deck.buffer, lineEnd(text(), here())), typing.lead), "type");
      type(typing?.typed ?? []);
    }
    if (typing) deck.join(typing.step);
    typing = undefined;
    inserting.over();
    if (here() > lineStart(text(), here())) deck.move(step(text(), here(), -1));
  }

  return {
    make,
    settle,
    again(count) {
      if (!last) return;
      const { run, input: old, typed, lead } = last;
      replaying = true;
      make(run, count === undefined ? old : { times: count, count }, lead);
      if (typing) {
        typing.typed = typed;
        type(typed);
        settle();
      }
      replaying = false;
    },
    typed: (event) => void typing?.typed.push(event),
    drop() {
      typing = undefined;
    },
  };
}

const newlines = new Set(["shift+enter", "alt+enter", "ctrl+enter", "ctrl+j"]);
