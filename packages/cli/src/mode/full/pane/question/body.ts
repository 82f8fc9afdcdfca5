import type { FileChange, Question } from "@pith/agent";
import { plural } from "@pith/kit";
import { diffRows, fit, parsePatch, type Theme, wrap } from "@pith/tui";
import { callRow } from "../../../../view/call.ts";
import { visible, visibleLines } from "../../../../view/question/ask.ts";
import { commandRows, factRows } from "./fact.ts";
import type { Picked } from "./pick.ts";

/** A hunk of an edit, with the name by which an answer refuses it. */
export interface EditHunk {
  name: string;
  title: string;
  patch: string;
}

/** Names hunks by their file and their number in its diff. */
export function hunksOf(changes: readonly FileChange[]): EditHunk[] {
  return changes.flatMap(({ path, change, patch }) => {
    const parts = patch.split(/^(?=@@ )/m);
    const hunks = parts.filter((part) => part.startsWith("@@ "));
    const title = `${change} ${path}`;
    if (hunks.length === 0) return [{ name: `${path}:1`, title, patch }];
    return hunks.map((hunk, at) => ({ name: `${path}:${at + 1}`, title, patch: hunk }));
  });
}

export interface Body {
  question: Question;
  hunks: readonly EditHunk[];
  picked: Picked;
  theme: Theme;
  columns: number;
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

function partsOf({ question, hunks, picked, theme, columns }: Body, around: Around): Parts {
  const { call, intent, body, options = [] } = question;
  const head = wrap(visible(question.text), columns).map((row) => theme.paint("warn", row));
  // A command and a diff need no row about the call.
  const bare = call && question.intent?.command === undefined && hunks.length === 0;
  const named = bare ? [callRow(call, { theme, columns, height: 1 })] : [];
  // The hunks of an edit say more than its arguments.
  const plain = hunks.length > 0 && call ? { ...question, call: { ...call, arguments: {} } } : question;
  const part = hunks.some(({ name }) => picked.ticked.has(name));
  const command = intent?.command === undefined ? [] : commandRows(intent.command, theme, columns);
  return {
    head: around === "tight" ? [...command, ...head, ...named] : [...head, ...named, ...command],
    hunks: hunks.map((hunk, at) => hunkRows(hunk, at, hunks.length, { picked, theme, columns, around })),
    tail: [
      ...factRows(plain, part ? "a part" : "all", theme, columns),
      ...(body === undefined ? [] : visibleLines(body).flatMap((line) => quoted(line, theme, columns))),
      ...choices(),
    ],
  };

  function choices(): string[] {
    return options.flatMap(({ id, label, about }, at) => {
      const pointer = at === picked.at ? theme.paint("accent", theme.glyph.pointer) : " ";
      const box = question.multi ? `${picked.ticked.has(id) ? theme.glyph.checked : theme.glyph.unchecked} ` : "";
      const best = id === question.recommended ? theme.paint("dim", " (recommended)") : "";
      const [first = "", ...rest] = wrap(`${at + 1}. ${visible(label)}`, columns - 4);
      const row = `${pointer} ${box}${at === picked.at ? theme.paint("accent", first) : first}${best}`;
      const more = about === undefined ? [] : wrap(visible(about), columns - 7).map((line) => theme.paint("dim", line));
      return [row, ...[...rest, ...more].map((line) => `     ${line}`)];
    });
  }
}

/** Puts a bar before a line, so that it cannot be taken for an option. */
const quoted = (line: string, theme: Theme, columns: number): string[] =>
  wrap(line, Math.max(1, columns - 2)).map((row) => `${theme.paint("dim", theme.glyph.box.v)} ${row}`.trimEnd());

/** The lines around changes; where it is tight, they are hidden and a command is above the words about it. */
type Around = "shown" | "hidden" | "tight";

function hunkRows(
  { name, title, patch }: EditHunk,
  at: number,
  all: number,
  { picked, theme, columns, around }: Omit<Body, "question" | "hunks"> & { around: Around },
): string[] {
  const out = picked.ticked.has(name);
  const place = all > 1 ? `${out ? theme.glyph.unchecked : theme.glyph.checked} ${at + 1}. ` : "";
  const end = out ? " (left out)" : "";
  const named = fit(`${place}${visible(title)}${end}`, columns - 2, theme.glyph.ellipsis);
  const pointer = at === picked.at ? theme.paint("accent", theme.glyph.pointer) : " ";
  const head = `${all > 1 ? `${pointer} ` : ""}${theme.paint(out ? "dim" : "strong", named)}`;
  if (out) return [head];
  // Invisible characters are drawn as escapes.
  const lines = parsePatch(patch.split("\n").map(visible).join("\n")).filter(
    ({ kind, text }) => (kind !== "gap" || text !== "") && (kind !== "same" || around === "shown"),
  );
  if (all === 1) return [head, ...diffRows(lines, columns, theme, "inline")];
  return [head, ...diffRows(lines, columns - 2, theme, "inline").map((row) => `  ${row}`)];
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
  const before = parts.head.length + parts.hunks.slice(0, picked.at).flat().length;
  const pointed = parts.hunks[picked.at]?.length ?? 0;
  const isSeen = picked.at === 0 || pointed === 0 || before + pointed <= head;
  const top = isSeen ? head : Math.min(parts.head.length, tail + 1);
  const end = isSeen ? rows.length : Math.min(rows.length, Math.max(before, top) + room - 1 - top);
  const from = isSeen ? end - tail : Math.max(top, end - (room - 1 - top));
  const text = `${theme.glyph.ellipsis} ${plural(whole.length - top - (end - from), "line")} hidden: Ctrl+O shows all`;
  return [...rows.slice(0, top), theme.paint("warn", fit(text, columns)), ...rows.slice(from, end)];
}
