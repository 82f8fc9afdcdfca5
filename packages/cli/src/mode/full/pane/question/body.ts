import type { Question } from "@pith/agent";
import { plural } from "@pith/kit";
import { diffRows, fit, parsePatch, type Theme, wrap } from "@pith/tui";
import { callRow } from "../../../../view/call.ts";
import type { Canvas } from "../../../../view/canvas.ts";
import { codeIn } from "../../../../view/kind/diff.ts";
import { visible, visibleLines } from "../../../../view/question/ask.ts";
import { commandRows, factRows } from "./fact.ts";
import { hunksToTick, waysLeft } from "./key.ts";
import type { EditHunk, Picked } from "./pick.ts";

export interface Body {
  question: Question;
  hunks: readonly EditHunk[];
  picked: Picked;
  theme: Theme;
  columns: number;
  code?: Canvas["code"];
}

/** Draws the whole question; only the lines around changes can be left out. */
export function bodyRows(body: Body, around: Around = "shown"): string[] {
  const { head, hunks, tail } = partsOf(body, around);
  return [...head, ...hunks.flat(), ...tail];
}

interface Parts {
  head: string[];
  /** The rows of each hunk. */
  hunks: string[][];
  tail: string[];
}

function partsOf({ question, hunks, picked, theme, columns, code }: Body, around: Around): Parts {
  const { call, intent, body } = question;
  const head = wrap(visible(question.text), columns).map((row) => theme.paint("warn", row));
  // A command and a diff need no row about the call.
  const bare = call && question.intent?.command === undefined && hunks.length === 0;
  const named = bare ? [callRow(call, { theme, columns, height: 1 })] : [];
  // The hunks of an edit say more than its arguments.
  const plain = hunks.length > 0 && call ? { ...question, call: { ...call, arguments: {} } } : question;
  const command = intent?.command === undefined ? [] : commandRows(intent.command, theme, columns);
  return {
    head: around === "tight" ? [...command, ...head, ...named] : [...head, ...named, ...command],
    hunks: hunks.map((hunk, at) => hunkRows(hunk, at, hunks.length, { picked, theme, columns, code, around })),
    tail: [
      ...factRows(plain, theme, columns),
      ...(body === undefined ? [] : visibleLines(body).flatMap((line) => quoted(line, theme, columns))),
    ],
  };
}

/** The list of answers. */
export function wayRows(body: Body): string[] {
  const { question, picked, theme, columns } = body;
  const isNumbered = hunksToTick(body).length === 0;
  return waysLeft(body).flatMap(({ label, about, key, answer }, at) => {
    const isPointed = at === picked.at;
    const pointer = isPointed ? theme.paint("accent", theme.glyph.pointer) : " ";
    const id = answer === "words" ? undefined : answer.option;
    const isTicked = id !== undefined && picked.ticked.has(id);
    const box = question.multi ? `${isTicked ? theme.glyph.checked : theme.glyph.unchecked} ` : "";
    const best = id !== undefined && id === question.recommended ? " (recommended)" : "";
    const number = isNumbered ? `${at + 1}. ` : "";
    const [first = "", ...rest] = wrap(`${number}${visible(label)}`, columns - 8);
    const shortcut = key === undefined ? best : ` (${key})`;
    const row = `${pointer} ${box}${isPointed ? theme.paint("accent", first) : first}${theme.paint("dim", shortcut)}`;
    const more = about === undefined ? [] : wrap(visible(about), columns - 7).map((line) => theme.paint("dim", line));
    return [row, ...[...rest, ...more].map((line) => `     ${line}`)];
  });
}

/** Puts a bar before a line, so that it cannot be taken for an option. */
const quoted = (line: string, theme: Theme, columns: number): string[] =>
  wrap(line, Math.max(1, columns - 2)).map((row) => `${theme.paint("dim", theme.glyph.box.v)} ${row}`.trimEnd());

/** The lines around changes; where it is tight, they are hidden and a command is above the words about it. */
type Around = "shown" | "hidden" | "tight";

function hunkRows(
  { name, title, path, patch }: EditHunk,
  at: number,
  all: number,
  { picked, theme, columns, code, around }: Omit<Body, "question" | "hunks"> & { around: Around },
): string[] {
  const out = picked.ticked.has(name);
  const place = all > 1 ? `${out ? theme.glyph.unchecked : theme.glyph.checked} ${at + 1}. ` : "";
  const end = out ? " (left out)" : "";
  const named = fit(`${place}${visible(title)}${end}`, columns - 2, theme.glyph.ellipsis);
  const pointer = at - all === picked.at ? theme.paint("accent", theme.glyph.pointer) : " ";
  const head = `${all > 1 ? `${pointer} ` : ""}${theme.paint(out ? "dim" : "strong", named)}`;
  if (out) return [head];
  // Invisible characters are drawn as escapes.
  const lines = parsePatch(patch.split("\n").map(visible).join("\n")).filter(
    ({ kind, text }) => (kind !== "gap" || text !== "") && (kind !== "same" || around === "shown"),
  );
  const look = codeIn(path, code);
  if (all === 1) return [head, ...diffRows(lines, columns, theme, "inline", look)];
  return [head, ...diffRows(lines, columns - 2, theme, "inline", look).map((row) => `  ${row}`)];
}

const tightRows = 6;

/**
 * Fits a question into its room and counts the rows that are left out: first those around changes, then those in the
 * middle. The hunk that is pointed at stays.
 */
export function fitBody(body: Body, room: number): string[] {
  const { theme, columns, picked } = body;
  const whole = bodyRows(body);
  if (whole.length <= room) return whole;
  const parts = partsOf(body, room < tightRows ? "tight" : "hidden");
  const rows = [...parts.head, ...parts.hunks.flat(), ...parts.tail];
  const tail = rows.length < room ? 0 : Math.floor((room - 1) / 3);
  const head = Math.max(1, Math.min(rows.length, room - 1 - tail));
  const place = parts.hunks.length + Math.min(0, picked.at);
  const before = parts.head.length + parts.hunks.slice(0, place).flat().length;
  const pointed = parts.hunks[place]?.length ?? 0;
  const isSeen = pointed === 0 || before + pointed <= head;
  const top = isSeen ? head : Math.min(parts.head.length, tail + 1);
  const end = isSeen ? rows.length : Math.min(rows.length, Math.max(before, top) + room - 1 - top);
  const from = isSeen ? end - tail : Math.max(top, end - (room - 1 - top));
  const text = `${theme.glyph.ellipsis} ${plural(whole.length - top - (end - from), "line")} hidden: Ctrl+O shows all`;
  return [...rows.slice(0, top), theme.paint("warn", fit(text, columns)), ...rows.slice(from, end)];
}
