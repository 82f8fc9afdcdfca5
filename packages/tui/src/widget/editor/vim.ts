import type { KeyEvent } from "../../input/event.ts";
import { type Buffer, insert, lineEnd, lineStart, moveTo, remove, selection, step } from "./buffer.ts";
import type { Deck } from "./deck.ts";
import { type Range, type Reach, reach, textObject } from "./vim-motion.ts";

export interface Vim {
  readonly mode: "insert" | "normal" | "visual" | "visual-line";
  key(event: KeyEvent): "used" | "passed";
  reset(): void;
}

type Operator = "d" | "c" | "y" | ">" | "<";
interface Pending {
  count: string;
  operator?: Operator;
  /** A key that waits for the next one: f, t, r, g, i, a. */
  waits?: string;
}

/** The part of vi that fingers know by heart. What is not in here passes through. */
export function createVim(deck: Deck, view: { vertical(by: number): "moved" | "edge" }): Vim {
  let mode: Vim["mode"] = "insert";
  let pending: Pending = { count: "" };
  let register: { text: string; lines: boolean } = { text: "", lines: false };
  let found: { key: string; char: string } | undefined;
  /** Keys of the last change, for `.`; keys being recorded for it. */
  let last: KeyEvent[] = [];
  let recording: KeyEvent[] = [];
  let replaying = false;

  const clear = () => {
    pending = { count: "" };
  };
  const count = () => Math.max(1, Math.min(999, Number(pending.count) || 1));
  function set(next: Vim["mode"]) {
    if (mode === "insert" && next === "normal" && deck.buffer.cursor > lineStart(deck.buffer.text, deck.buffer.cursor))
      deck.move(step(deck.buffer.text, deck.buffer.cursor, -1));
    if (next === "normal" && mode.startsWith("visual")) deck.move(deck.buffer.cursor);
    if (next.startsWith("visual")) deck.change({ ...deck.buffer, anchor: deck.buffer.cursor }, "other");
    mode = next;
    clear();
  }
  function finish() {
    if (!replaying) last = recording;
    clear();
  }

  function operate(operator: Operator, range: Range) {
    const { text } = deck.buffer;
    const from = range.lines ? lineStart(text, range.from) : range.from;
    const end = range.lines ? lineEnd(text, range.to) : range.to;
    register = { text: text.slice(from, end), lines: range.lines };
    deck.ring.kill(register.text, "after");
    deck.ring.close();
    if (operator === "y") {
      deck.move(from);
      return clear();
    }
    if (operator === ">" || operator === "<") {
      const body = text.slice(from, end).split("\n").map((line) => (operator === ">" ? `  ${line}` : line.replace(/^ {1,2}/, ""))); // biome-ignore format: one step
      deck.change({ text: text.slice(0, from) + body.join("\n") + text.slice(end), cursor: from }, "other");
      return finish();
    }
    const whole = range.lines && operator === "d";
    const low = whole && end === text.length && from > 0 ? from - 1 : from;
    const high = whole && end < text.length ? end + 1 : end;
    const left = remove(deck.buffer, low, high);
    deck.change(whole ? moveTo(left, lineStart(left.text, Math.min(left.cursor, left.text.length))) : left, "other");
    if (operator === "c") {
      set("insert");
      pending = { count: "" };
    } else finish();
  }

  function apply(where: Reach | undefined) {
    if (!where) return clear();
    const { operator } = pending;
    const { cursor, text } = deck.buffer;
    if (!operator) {
      deck.move(where.to, mode === "normal" ? "move" : "select");
      return clear();
    }
    const [from, to] = where.to < cursor ? [where.to, cursor] : [cursor, where.to];
    operate(operator, { from, to: where.includes && !where.lines ? step(text, to, 1) : to, lines: where.lines ?? false });
  }

  function visual(combo: string): boolean {
    const range = selection(deck.buffer) ?? [deck.buffer.cursor, deck.buffer.cursor];
    const operator = ({ d: "d", x: "d", y: "y", c: "c", s: "c", ">": ">", "<": "<" } as const)[combo as "d"];
    if (!operator) return false;
    const lines = mode === "visual-line";
    const to = lines ? range[1] : step(deck.buffer.text, range[1], 1);
    mode = "normal";
    operate(operator, { from: range[0], to, lines });
    return true;
  }

  function paste(side: "before" | "after") {
    const { text, cursor } = deck.buffer;
    const body = register.text.repeat(count());
    if (register.lines) {
      const at = side === "after" ? lineEnd(text, cursor) : lineStart(text, cursor);
      const put = side === "after" ? `\n${body}` : `${body}\n`;
      deck.change({ text: text.slice(0, at) + put + text.slice(at), cursor: side === "after" ? at + 1 : at }, "other");
    } else {
      const at = side === "after" && cursor < lineEnd(text, cursor) ? step(text, cursor, 1) : cursor;
      const next = insert({ text, cursor: at }, body);
      deck.change({ ...next, cursor: body === "" ? cursor : step(next.text, next.cursor, -1) }, "other");
    }
    finish();
  }

  const insertAt = (cursor: number, text = "") => {
    deck.change(insert(moveTo(deck.buffer, cursor), text), "other");
    set("insert");
  };
  const here = () => deck.buffer.cursor;
  const span = (to: number, lines = false): Range => ({ from: Math.min(here(), to), to: Math.max(here(), to), lines });
  const forward = (times: number) => {
    let at = here();
    for (let done = 0; done < times && at < lineEnd(deck.buffer.text, at); done++) at = step(deck.buffer.text, at, 1);
    return at;
  };
  const edit = (next: Buffer) => {
    deck.change(next, "other");
    finish();
  };

  const commands: Record<string, () => void> = {
    i: () => set("insert"),
    a: () => insertAt(here() < lineEnd(deck.buffer.text, here()) ? step(deck.buffer.text, here(), 1) : here()),
    I: () => insertAt(lineStart(deck.buffer.text, here()) + (/^[ \t]*/.exec(deck.buffer.text.slice(lineStart(deck.buffer.text, here())))?.[0].length ?? 0)),
    A: () => insertAt(lineEnd(deck.buffer.text, here())),
    o: () => insertAt(lineEnd(deck.buffer.text, here()), "\n"),
    O() {
      const at = lineStart(deck.buffer.text, here());
      insertAt(at, "\n");
      deck.move(at);
    },
    x: () => operate("d", span(forward(count()))),
    X: () => operate("d", span(Math.max(lineStart(deck.buffer.text, here()), here() - count()))),
    D: () => operate("d", span(lineEnd(deck.buffer.text, here()))),
    C: () => operate("c", span(lineEnd(deck.buffer.text, here()))),
    s: () => operate("c", span(forward(count()))),
    S: () => operate("c", span(here(), true)),
    Y: () => operate("y", span(here(), true)),
    p: () => paste("after"),
    P: () => paste("before"),
    u: () => {
      for (let times = count(); times > 0; times--) deck.undo();
      clear();
    },
    "ctrl+r": () => {
      deck.redo();
      clear();
    },
    J() {
      const { text, cursor } = deck.buffer;
      const end = lineEnd(text, cursor);
      if (end < text.length) edit({ text: `${text.slice(0, end)} ${text.slice(end + 1).replace(/^[ \t]+/, "")}`, cursor: end });
    },
    "~"() {
      const to = forward(count());
      const flipped = [...deck.buffer.text.slice(here(), to)].map((char) => (char === char.toLowerCase() ? char.toUpperCase() : char.toLowerCase())).join("");
      edit({ text: deck.buffer.text.slice(0, here()) + flipped + deck.buffer.text.slice(to), cursor: to });
    },
    v: () => set(mode === "visual" ? "normal" : "visual"),
    V: () => set(mode === "visual-line" ? "normal" : "visual-line"),
    "."() {
      replaying = true;
      for (const event of [...last]) vim.key(event);
      replaying = false;
      clear();
    },
  };

  function waited(char: string) {
    const { waits = "" } = pending;
    pending.waits = undefined;
    if (waits === "r") {
      const to = forward(count());
      if (char === "" || to === here()) return clear();
      return edit({ text: deck.buffer.text.slice(0, here()) + char.repeat(count()) + deck.buffer.text.slice(to), cursor: here() });
    }
    if (waits === "g") return char === "g" ? apply({ to: 0, lines: pending.operator !== undefined }) : clear();
    if (waits === "i" || waits === "a") {
      const range = textObject(deck.buffer.text, here(), waits, char);
      if (!range) return clear();
      if (pending.operator) return operate(pending.operator, range);
      deck.change({ ...deck.buffer, anchor: range.from, cursor: step(deck.buffer.text, range.to, -1) }, "other");
      return clear();
    }
    found = { key: waits, char };
    apply(reach(deck.buffer, waits, count(), char));
  }

  function again(reverse: boolean) {
    if (!found) return clear();
    const key = reverse ? (found.key === found.key.toLowerCase() ? found.key.toUpperCase() : found.key.toLowerCase()) : found.key;
    apply(reach(deck.buffer, key, count(), found.char));
  }

  function command(event: KeyEvent): "used" | "passed" {
    const char = event.text !== "" ? event.text : event.combo;
    for (const part of [waiting, counting, visualKey, operatorKey, prefixKey, verticalKey]) if (part(char)) return "used";
    return motionOrCommand(char, event);
  }
  function waiting(char: string): boolean {
    if (!pending.waits) return false;
    waited(char);
    return true;
  }
  function counting(char: string): boolean {
    if (!/^[1-9]$/.test(char) && !(char === "0" && pending.count !== "")) return false;
    pending.count += char;
    return true;
  }
  const visualKey = (char: string): boolean => mode !== "normal" && visual(char);
  function operatorKey(char: string): boolean {
    if (!["d", "c", "y", ">", "<"].includes(char)) return false;
    if (pending.operator === char) operate(pending.operator, { ...span(linesDown(deck.buffer, count() - 1)), lines: true });
    else if (pending.operator) clear();
    else pending.operator = char as Operator;
    return true;
  }
  function prefixKey(char: string): boolean {
    if (char === ";" || char === ",") {
      again(char === ",");
      return true;
    }
    const inside =
      char === "i" || char === "a"
        ? pending.operator !== undefined || mode !== "normal"
        : char === "r"
          ? !pending.operator
          : ["f", "F", "t", "T", "g"].includes(char);
    if (inside) pending.waits = char;
    return inside;
  }
  function verticalKey(char: string): boolean {
    if ((char !== "j" && char !== "k") || pending.operator || mode !== "normal") return false;
    for (let times = count(); times > 0; times--) view.vertical(char === "j" ? 1 : -1);
    clear();
    return true;
  }

  function motionOrCommand(char: string, event: KeyEvent): "used" | "passed" {
    // Changing a word leaves the space behind it.
    const onWord = pending.operator === "c" && /\S/.test(deck.buffer.text[here()] ?? "");
    const where = reach(deck.buffer, onWord && char === "w" ? "e" : onWord && char === "W" ? "E" : char, count());
    if (where) apply(where);
    else if (!pending.operator && commands[char]) commands[char]();
    else {
      clear();
      return event.text === "" && event.combo !== "escape" ? "passed" : "used";
    }
    return "used";
  }

  function insertKey(event: KeyEvent): "used" | "passed" {
    if (!replaying) recording.push(event);
    if (event.combo === "escape") {
      set("normal");
      if (!replaying) last = recording;
      return "used";
    }
    if (!replaying) return "passed";
    if (event.text !== "") deck.change(insert(deck.buffer, event.text), "type", event.text);
    return "used";
  }

  function commandKey(event: KeyEvent): "used" | "passed" {
    const idle = pending.count === "" && !pending.operator && !pending.waits;
    if (idle && !replaying) recording = [];
    if (!replaying && event.text !== ".") recording.push(event);
    if (event.combo === "escape") {
      if (idle && mode === "normal") return "passed";
      set("normal");
      return "used";
    }
    return idle && event.combo === "enter" ? "passed" : command(event);
  }

  const vim: Vim = {
    get mode() {
      return mode;
    },
    key: (event) => (mode === "insert" ? insertKey(event) : commandKey(event)),
    reset() {
      mode = "insert";
      clear();
    },
  };
  return vim;
}

function linesDown(buffer: Buffer, by: number): number {
  let at = buffer.cursor;
  for (let done = 0; done < by && lineEnd(buffer.text, at) < buffer.text.length; done++) at = lineEnd(buffer.text, at) + 1;
  return at;
}
