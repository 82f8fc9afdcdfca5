import { join } from "node:path";
import { readPlain } from "@pith/kit";
import { defaultKeymap, type EditorAction as Stroke } from "@pith/tui";
import type { Keys } from "../context.ts";
import type { Action } from "./action.ts";

/** The commands of the editor under the names that pi has for them. */
const strokes: Readonly<Record<string, Stroke>> = {
  "tui.editor.cursorUp": { move: "up" },
  "tui.editor.cursorDown": { move: "down" },
  "tui.editor.cursorLeft": { move: "left" },
  "tui.editor.cursorRight": { move: "right" },
  "tui.editor.cursorWordLeft": { move: "wordLeft" },
  "tui.editor.cursorWordRight": { move: "wordRight" },
  "tui.editor.cursorLineStart": { move: "lineStart" },
  "tui.editor.cursorLineEnd": { move: "lineEnd" },
  "tui.editor.pageUp": { move: "pageUp" },
  "tui.editor.pageDown": { move: "pageDown" },
  "tui.editor.deleteCharBackward": { cut: "left", keep: "drop" },
  "tui.editor.deleteCharForward": { cut: "right", keep: "drop" },
  "tui.editor.deleteWordBackward": { cut: "wordLeft", keep: "ring" },
  "tui.editor.deleteWordForward": { cut: "wordRight", keep: "ring" },
  "tui.editor.deleteToLineStart": { cut: "lineStart", keep: "ring" },
  "tui.editor.deleteToLineEnd": { cut: "lineEnd", keep: "ring" },
  "tui.editor.yank": { do: "yank" },
  "tui.editor.yankPop": { do: "yankOlder" },
  "tui.editor.undo": { do: "undo" },
  "tui.editor.redo": { do: "redo" },
  "tui.editor.selectAll": { do: "selectAll" },
  "tui.editor.transpose": { do: "transpose" },
  "tui.input.newLine": { do: "newline" },
  "tui.input.submit": { do: "submit" },
  "tui.input.tab": { do: "complete" },
};

const keysFile = (home: string): string => join(home, "keybindings.yml");

/** Reads keybindings.yml over the keys of the actions. */
export function readKeys(home: string, actions: readonly Action[]): Keys {
  const file = keysFile(home);
  const text = readPlain(file, { maxBytes: 256 * 1024 });
  if (text.ok) return keysFrom(text.value, file, actions);
  const warnings = text.kind === "missing" ? [] : [`${file} is not read: ${text.message}`];
  return { ...keysFrom("", file, actions), warnings };
}

export function keysFrom(text: string, file: string, actions: readonly Action[]): Keys {
  const known = new Map(actions.map(({ name, keys = [] }) => [name, keys] as const));
  const { wanted, faults } = readWishes(text, (name) => known.has(name) || Object.hasOwn(strokes, name));
  const taken = new Map<string, { name: string; line: number }>();
  for (const { name, key, line } of wanted) {
    if (key === "") continue;
    const other = taken.get(key);
    if (!other) taken.set(key, { name, line });
    else if (other.name !== name) faults.push({ line, text: `${key} is taken by ${other.name} (line ${other.line})` });
  }
  const changed = new Set(wanted.map(({ name }) => name));
  const map = new Map<string, string>();
  for (const [name, keys] of known)
    for (const key of changed.has(name) ? [] : keys) if (!taken.has(key)) map.set(key, name);
  const editor: Record<string, Stroke | "none"> = { ...defaultKeymap };
  for (const key of [...changed].flatMap(strokeKeys)) delete editor[key];
  for (const [key, { name }] of taken) {
    const stroke = strokes[name];
    if (stroke) editor[key] = stroke;
    else map.set(key, name);
  }
  const of = (name: string) =>
    known.has(name)
      ? [...map].flatMap(([key, each]) => (each === name ? [key] : []))
      : Object.entries(editor).flatMap(([key, each]) => (same(each, strokes[name]) && !map.has(key) ? [key] : []));
  return { actions: map, editor, of, editing: Object.keys(strokes), warnings: told(faults, file) };
}

interface Wish {
  name: string;
  /** Empty when the action shall have no key. */
  key: string;
  line: number;
}

/** Reads the wanted keys, one row each; an action without a key has an empty one. */
function readWishes(text: string, isKnown: (name: string) => boolean) {
  const faults: Fault[] = [];
  const wanted: Wish[] = [];
  for (const { name, keys, line, fault } of rowsOf(text)) {
    if (fault !== undefined) faults.push({ line, text: fault });
    else if (!isKnown(name)) faults.push({ line, text: `there is no action ${name}` });
    else {
      const odd = keys.filter((key) => wrong(key) !== undefined);
      for (const key of odd) faults.push({ line, text: `${JSON.stringify(key.slice(0, 60))} ${wrong(key)}` });
      const sound = keys.filter((key) => !odd.includes(key));
      // An action whose wanted keys are all wrong keeps its own.
      if (odd.length > 0 && sound.length === 0) continue;
      for (const key of sound.length > 0 ? sound : [""]) wanted.push({ name, key: comboOf(key), line });
    }
  }
  return {
    wanted: wanted.filter(({ key, name }, at) => key !== "" || wanted.findIndex((each) => each.name === name) === at),
    faults,
  };
}

interface Fault {
  line: number;
  text: string;
}

/** Faults that are named; a file with more is hardly one of keys. */
const mostFaults = 8;

function told(faults: readonly Fault[], file: string): string[] {
  const sorted = faults.toSorted((a, b) => a.line - b.line);
  const rest = sorted.length - mostFaults;
  const lines = sorted.slice(0, mostFaults).map(({ line, text }) => `${file}, line ${line}: ${text}`);
  return rest > 0 ? [...lines, `${file}: ${rest} more lines of it are not understood`] : lines;
}

const same = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

const strokeKeys = (name: string): string[] =>
  Object.entries(defaultKeymap).flatMap(([key, stroke]) => (same(stroke, strokes[name]) ? [key] : []));

interface Row {
  name: string;
  keys: readonly string[];
  line: number;
  fault?: string;
}

/** `name: key`, `name: [key, key]`, or `name:` with a list below it: all that a table of keys needs of YAML. */
function rowsOf(text: string): Row[] {
  const rows: Row[] = [];
  for (const [at, raw] of text.split(/\r?\n/).entries()) {
    const line = at + 1;
    const said = raw.replace(/(^|\s)#.*$/, "").trimEnd();
    if (said.trim() === "" || said.trim() === "{" || said.trim() === "}") continue;
    const item = /^\s+-\s+(\S+)$/.exec(said);
    const last = rows.at(-1);
    if (item && last && last.fault === undefined) {
      rows[rows.length - 1] = { ...last, keys: [...last.keys, unquoted(item[1] ?? "")] };
      continue;
    }
    const pair = /^\s*("[^"]+"|'[^']+'|[\w.-]+)\s*:\s*(.*?),?$/.exec(said);
    if (!pair) rows.push({ name: "", keys: [], line, fault: `"${said.trim().slice(0, 60)}" is no name: key` });
    else rows.push({ name: unquoted(pair[1] ?? ""), keys: listed(pair[2] ?? ""), line });
  }
  return rows;
}

const unquoted = (text: string): string => text.replace(/^(["'])(.*)\1$/, "$2");
const listed = (value: string): string[] =>
  (/^\[.*\]$/.test(value) ? value.slice(1, -1).split(",") : [value]).map((key) => unquoted(key.trim())).filter(Boolean);

const order = ["ctrl", "alt", "shift", "super"];
const held = new Set([...order, "control", "option", "meta", "cmd"]);

const named = new Set([
  "up", "down", "left", "right", "home", "end", "pageup", "pagedown", "insert", "delete", "backspace", "enter", "tab",
  "escape", "space", "clear", "menu", ...Array.from({ length: 35 }, (_, at) => `f${at + 1}`),
]); // biome-ignore format: a table
const nicknames: Readonly<Record<string, string>> = { esc: "escape", return: "enter", del: "delete", " ": "space" };

/** Says why a text is no key for an action; undefined if it is one. */
function wrong(key: string): string | undefined {
  const [name = "", ...holding] = partsOf(key);
  const sign = [...name].length === 1 || name === "space";
  if (!(sign || named.has(name)) || !holding.every((each) => held.has(each))) return "is no key";
  const types = sign && holding.every((each) => each === "shift");
  return types ? "is text that is typed: it needs ctrl, alt or super" : undefined;
}

/** The key itself, then the keys held with it. */
function partsOf(key: string): string[] {
  const [name = "", ...holding] = key
    .toLowerCase()
    .split(/\+(?=.)/)
    .reverse();
  return [nicknames[name] ?? name, ...holding];
}

/** Spells a key as the engine does: `Shift+Ctrl+P` becomes `ctrl+shift+p`. */
function comboOf(key: string): string {
  const [name = "", ...holding] = partsOf(key);
  const said = holding.map((each) => ({ control: "ctrl", option: "alt", meta: "alt", cmd: "super" })[each] ?? each);
  return [...order.filter((each) => said.includes(each)), name].join("+");
}
