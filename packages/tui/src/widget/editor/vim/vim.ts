import type { KeyEvent } from "../../../input/event.ts";
import { insert, lineEnd, lineStart, moveTo, selection, step, type TextBuffer } from "../buffer.ts";
import type { EditorState } from "../state.ts";
import { forward, joinLines, pasteText, replaceChars, switchCase } from "./change.ts";
import { firstLetter, type MotionInput, motionEnd } from "./motion.ts";
import { type ObjectSide, type TextRange, textObject } from "./object.ts";
import { applyOperator, operatorRange, operators, widenRange } from "./operate.ts";
import { createRegisters } from "./register.ts";
import { createChanges } from "./repeat.ts";

export interface Vim {
  readonly mode: "insert" | "normal" | "visual" | "visual-line";
  key(event: KeyEvent): "used" | "passed";
  reset(): void;
}

/** What has been typed of a command: `"a2d3w` is a register, a count, an operator, a count and a motion. */
interface Pending {
  register?: string;
  count: string;
  operator?: string;
  operatorCount?: string;
  /** A key that waits for the next one. */
  waits?: string;
}

const aliases: Record<string, readonly [operator: string, motion: string]> = {
  x: ["d", "l"],
  delete: ["d", "l"],
  X: ["d", "h"],
  D: ["d", "$"],
  C: ["c", "$"],
  s: ["c", "l"],
  S: ["c", "line"],
  Y: ["y", "line"],
};
const visualAliases: Record<string, string> = { x: "d", delete: "d", s: "c", "~": "g~", u: "gu", U: "gU" };
/** In visual mode these take whole lines, wherever the selection ends. */
const visualLines: Record<string, string> = { X: "d", D: "d", C: "c", S: "c", R: "c", Y: "y" };

/** The part of vi that fingers know by heart. What is not in here passes through. */
export function createVim(deck: EditorState, view: { vertical(by: number): "moved" | "edge" }): Vim {
  const registers = createRegisters();
  let mode: Vim["mode"] = "insert";
  let pending: Pending = { count: "" };
  let sought: { key: string; char: string } | undefined;
  const changes = createChanges(deck, {
    begun: () => mode === "insert",
    over() {
      mode = "normal";
    },
  });

  const text = () => deck.buffer.text;
  const here = () => deck.buffer.cursor;
  const isVisual = () => mode === "visual" || mode === "visual-line";
  const put = (next: string, cursor: number) => deck.change({ text: next, cursor }, "other");
  const clear = () => {
    pending = { count: "" };
  };
  function counted(): MotionInput {
    const counts = [pending.operatorCount, pending.count].filter(Boolean);
    const count =
      counts.length > 0 ? counts.reduce((product, each) => Math.min(9999, product * Number(each)), 1) : undefined;
    return { times: count ?? 1, count };
  }

  function change(run: (input: MotionInput) => void, how = counted(), lead?: string) {
    changes.make(run, how, lead);
    clear();
  }

  // --- operators

  function operate(operator: string, wanted: TextRange, cursor = wanted.from) {
    const range = widenRange(text(), wanted);
    const piece = text().slice(range.from, range.to);
    if (["d", "c", "y"].includes(operator) && (piece !== "" || range.lines)) {
      registers.keep(pending.register, { text: piece, lines: range.lines }, operator === "y" ? "yank" : "delete");
      deck.ring.kill(piece, "after");
      deck.ring.close();
    }
    deck.change(applyOperator(deck.buffer, operator, range, cursor), "other");
    if (operator === "c") mode = "insert";
  }
  function operateMotion(operator: string, key: string, how: MotionInput) {
    const range = operatorRange(deck.buffer, operator, key, how);
    if (range) operate(operator, range, key === "line" ? here() : undefined);
  }

  // --- visual mode

  function visualRange(): TextRange {
    const [from, end] = selection(deck.buffer) ?? [here(), here()];
    return mode === "visual-line" ? { from, to: end, lines: true } : { from, to: step(text(), end, 1), lines: false };
  }
  function leaveVisual() {
    mode = "normal";
    deck.move(here());
  }
  const selectedLines = () =>
    text()
      .slice(...(selection(deck.buffer) ?? [here(), here()]))
      .split("\n").length;
  // Again it takes as many lines, or as many characters.
  function operateVisual(operator: string, whole: boolean) {
    const { from, to, lines: wasLines } = visualRange();
    const byLines = whole || wasLines || text().slice(from, to).includes("\n");
    const count = byLines ? selectedLines() : to - from;
    leaveVisual();
    if (operator === "y") {
      operate("y", { from, to, lines: whole || wasLines });
      return clear();
    }
    let first = true;
    change(() => {
      if (first) operate(operator, { from, to, lines: whole || wasLines });
      else if (byLines) operateMotion(operator, "line", { times: count });
      else operate(operator, { from: here(), to: Math.min(lineEnd(text(), here()), here() + count), lines: false });
      first = false;
    });
  }
  const visualKeys: Record<string, () => void> = {
    o: () => deck.change({ ...deck.buffer, cursor: deck.buffer.anchor ?? here(), anchor: here() }, "other"),
    J() {
      const [from] = selection(deck.buffer) ?? [here()];
      const count = selectedLines();
      leaveVisual();
      deck.move(from);
      makes((buffer, how) => joinLines(buffer, how, " "), { times: count, count })();
    },
    p() {
      const range = visualRange();
      const held = registers.read(pending.register);
      leaveVisual();
      change(() => {
        registers.keep(undefined, { text: text().slice(range.from, range.to), lines: range.lines }, "delete");
        const [from, to] = range.lines
          ? [lineStart(text(), range.from), lineEnd(text(), range.to)]
          : [range.from, range.to];
        const body = held.lines && !range.lines ? `\n${held.text}\n` : held.text;
        put(
          text().slice(0, from) + body + text().slice(to),
          held.lines || range.lines ? from : Math.max(from, from + body.length - 1),
        );
      });
    },
  };

  // --- commands

  /** A command whose effect is one new buffer; undefined where it has none. */
  const makes = (effect: Effect, asked?: MotionInput) => () =>
    change((how) => {
      const next = effect(deck.buffer, how);
      if (next) deck.change(next, "other");
    }, asked);
  // With a count, what is typed stands there as often, each time behind its lead.
  const insertAt =
    (cursor: () => number, lead = "") =>
    () =>
      change(
        () => {
          deck.change(insert(moveTo(deck.buffer, cursor()), lead), "other");
          mode = "insert";
        },
        counted(),
        lead,
      );

  const commands: Record<string, () => void> = {
    i: insertAt(here),
    a: insertAt(() => forward(deck.buffer, 1)),
    I: insertAt(() => firstLetter(text(), here())),
    A: insertAt(() => lineEnd(text(), here())),
    o: insertAt(() => lineEnd(text(), here()), "\n"),
    O: () =>
      change(() => {
        const at = lineStart(text(), here());
        put(`${text().slice(0, at)}\n${text().slice(at)}`, at);
        mode = "insert";
      }),
    p: makes((buffer, { times }) => pasteText(buffer, registers.read(pending.register), "after", times)),
    P: makes((buffer, { times }) => pasteText(buffer, registers.read(pending.register), "before", times)),
    J: makes((buffer, how) => joinLines(buffer, how, " ")),
    gJ: makes((buffer, how) => joinLines(buffer, how, "")),
    "~": makes((buffer, { times }) => switchCase(buffer, times)),
    u: () => {
      for (let left = counted().times; left > 0; left--) deck.undo();
    },
    "ctrl+r": () => {
      for (let left = counted().times; left > 0; left--) deck.redo();
    },
    ".": () => changes.again(counted().count),
    v: () => enterVisual("visual"),
    V: () => enterVisual("visual-line"),
  };
  function enterVisual(next: "visual" | "visual-line") {
    if (mode === next) return leaveVisual();
    if (!isVisual()) deck.change({ ...deck.buffer, anchor: here() }, "other");
    mode = next;
  }

  // --- keys

  function execute(key: string): boolean {
    const { operator } = pending;
    if (isVisual() && visual(key)) return true;
    if (operators.has(key) || (operator && operator.length === 2 && operator[1] === key)) return operatorKey(key);
    if (operator) {
      changeBy(operator, key, counted());
      return true;
    }
    const alias = aliases[key];
    if (alias) changeBy(alias[0], alias[1], counted());
    else if (commands[key] && (!isVisual() || key === "v" || key === "V")) commands[key]();
    else if (!moved(key)) return false;
    clear();
    return true;
  }
  function operatorKey(key: string): boolean {
    const { operator } = pending;
    if (!operator) pending = { ...pending, operator: key, operatorCount: pending.count, count: "" };
    else if (operator === key || operator[1] === key) changeBy(operator, "line", counted());
    else clear();
    return true;
  }
  function changeBy(operator: string, key: string, how: MotionInput) {
    if (operator === "y") operateMotion("y", key, how);
    else if (operatorRange(deck.buffer, operator, key, how))
      change((again) => operateMotion(operator, key, again), how);
    clear();
  }
  function visual(key: string): boolean {
    const operator = visualAliases[key] ?? visualLines[key] ?? (operators.has(key) ? key : undefined);
    if (operator) operateVisual(operator, visualLines[key] !== undefined);
    else if (visualKeys[key]) {
      visualKeys[key]();
      clear();
    } else return false;
    return true;
  }
  function moved(key: string): boolean {
    const { times } = counted();
    if ((key === "j" || key === "k") && mode === "normal") {
      for (let left = times; left > 0; left--) view.vertical(key === "j" ? 1 : -1);
      return true;
    }
    const where = motionEnd(deck.buffer, key, counted());
    if (where) deck.move(where.to, mode === "normal" ? "move" : "select");
    return where !== undefined || isMotion(key);
  }

  function waited(char: string) {
    const { waits = "", operator } = pending;
    pending.waits = undefined;
    if (waits === '"') pending.register = char;
    else if (waits === "g") execute(`g${char}`) || clear();
    else if (waits === "r") replaceKey(char);
    else if (waits === "i" || waits === "a") object(waits, char);
    else {
      sought = { key: waits, char };
      seek(waits, char, operator, counted());
    }
  }
  function replaceKey(char: string) {
    if (!isVisual()) return makes((buffer, { times }) => replaceChars(buffer, char, times))();
    const { from, to } = visualRange();
    leaveVisual();
    change(() => put(text().slice(0, from) + text().slice(from, to).replace(/[^\n]/gu, char) + text().slice(to), from));
  }
  function object(side: ObjectSide, key: string) {
    const range = textObject(text(), here(), side, key);
    if (!range) return clear();
    const { operator } = pending;
    if (operator === "y") operate("y", range);
    else if (operator)
      return change(() => {
        const again = textObject(text(), here(), side, key);
        if (again) operate(operator, again);
      });
    else deck.change({ ...deck.buffer, anchor: range.from, cursor: step(text(), range.to, -1) }, "other");
    clear();
  }
  function seek(key: string, char: string, operator: string | undefined, how: MotionInput) {
    const where = motionEnd(deck.buffer, key, { ...how, char });
    if (where && operator && operator !== "y")
      return change((again) => {
        const to = motionEnd(deck.buffer, key, { ...again, char });
        if (to) operate(operator, span(to));
      });
    if (where && operator) operate("y", span(where));
    else if (where) deck.move(where.to, mode === "normal" ? "move" : "select");
    clear();
  }
  const span = ({ to, includes }: { to: number; includes?: boolean }): TextRange => {
    const [from, end] = to < here() ? [to, here()] : [here(), to];
    return { from, to: includes ? step(text(), end, 1) : end, lines: false };
  };
  // Again in the same or the other direction; a `t` that stands before its letter already goes on to the next.
  function again(direction: "same" | "other") {
    if (!sought) return clear();
    const { key, char } = sought;
    const turned = direction === "same" ? key : key === key.toLowerCase() ? key.toUpperCase() : key.toLowerCase();
    const how = counted();
    const stuck =
      turned.toLowerCase() === "t" &&
      how.times === 1 &&
      motionEnd(deck.buffer, turned, { ...how, char })?.to === here();
    seek(turned, char, pending.operator, stuck ? { times: 2 } : how);
  }

  function command(event: KeyEvent): "used" | "passed" {
    const char = event.text !== "" ? event.text : event.combo;
    const known = taken(char) || execute(char);
    if (!known) clear();
    if (mode === "normal") rest();
    return known || event.text !== "" ? "used" : "passed";
  }
  /** Parts of a command that are no command yet. */
  function taken(char: string): boolean {
    if (pending.waits) waited(char);
    else if (/^[1-9]$/.test(char) || (char === "0" && pending.count !== "")) pending.count += char;
    else if (char === ";" || char === ",") again(char === ";" ? "same" : "other");
    else if (waiting(char)) pending.waits = char;
    else return false;
    return true;
  }
  function waiting(char: string): boolean {
    if (char === "i" || char === "a") return pending.operator !== undefined || isVisual();
    return char === "r" ? !pending.operator : ['"', "g", "f", "F", "t", "T"].includes(char);
  }
  // In normal mode the cursor stands on a letter, not behind the last one.
  function rest() {
    const at = here();
    if (at > lineStart(text(), at) && at === lineEnd(text(), at) && !pending.operator) deck.move(step(text(), at, -1));
  }

  return {
    get mode() {
      return mode;
    },
    key(event) {
      if (mode === "insert") {
        if (event.combo !== "escape") {
          changes.typed(event);
          return "passed";
        }
        changes.settle();
        return "used";
      }
      const idle = pending.count === "" && !pending.operator && !pending.waits && !pending.register;
      if (event.combo === "escape") {
        if (idle && mode === "normal") return "passed";
        if (isVisual()) leaveVisual();
        clear();
        rest();
        return "used";
      }
      return idle && event.combo === "enter" ? "passed" : command(event);
    },
    reset() {
      mode = "insert";
      changes.drop();
      clear();
    },
  };
}

type Effect = (buffer: TextBuffer, input: MotionInput) => TextBuffer | undefined;
const isMotion = (key: string) => "fFtTjk%+-".includes(key);
