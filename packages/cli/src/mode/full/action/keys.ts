import { join } from "node:path";
import { readPlain } from "@pith/kit";
import { defaultKeymap, type Keymap, type Action as Stroke } from "@pith/tui";
import type { Action } from "./action.ts";

/** What pi calls the keys of its editor, and what they do in ours. */
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

/** Which key does what: actions of the face by key, and what the editor does with the others. */
export interface Keys {
  actions: ReadonlyMap<string, string>;
  editor: Keymap;
  /** For `/hotkeys`: the keys of every name, an editor's too. */
  of(name: string): readonly string[];
  readonly editing: readonly string[];
  /** What is odd about the file, each with its line. */
  warnings: readonly string[];
}

const keysFile = (home: string): string => join(home, "keybindings.yml");

/** The keys as they stand: the table's own, and over them what the person's file says. */
export function readKeys(home: string, actions: readonly Action[]): Keys {
  const file = keysFile(home);
  const text = readPlain(file, { maxBytes: 256 * 1024 });
  if (text.ok) return keysFrom(text.value, file, actions);
  const warnings = text.kind === "missing" ? [] : [`${file} is not read: ${text.message}`];
  return { ...keysFrom("", file, actions), warnings };
}

export function keysFrom(text: string, file: string, actions: readonly Action[]): Keys {
  const known = new Map(actions.map(({ name, keys }) => [name, keys] as const));
  const { wanted, warnings } = readWishes(text, file, (name) => known.has(name) || Object.hasOwn(strokes, name));
  const taken = new Map<string, { name: string; line: number }>();
  for (const { name, key, line } of wanted) {
    if (key === "") continue;
    const other = taken.get(key);
    if (other) warnings.push(`${file}, line ${line}: ${key} is taken by ${other.name} (line ${other.line})`);
    else taken.set(key, { name, line });
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
  return { actions: map, editor, of, editing: Object.keys(strokes), warnings };
}

interface Wish {
  name: string;
  /** Empty: none at all. */
  key: string;
  line: number;
}

/** What the file asks for, one row per key; an action without a key has none. */
function readWishes(text: string, file: string, isKnown: (name: string) => boolean) {
  const warnings: string[] = [];
  const wanted: Wish[] = [];
  for (const { name, keys, line, fault } of rowsOf(text)) {
    if (fault !== undefined) warnings.push(`${file}, line ${line}: ${fault}`);
    else if (!isKnown(name)) warnings.push(`${file}, line ${line}: there is no action ${name}`);
    else {
      const odd = keys.filter((key) => !isKey(key));
      for (const key of odd) warnings.push(`${file}, line ${line}: ${JSON.stringify(key)} is no key`);
      const sound = keys.filter(isKey);
      // Whose keys are all wrong keeps the ones it has.
      if (odd.length > 0 && sound.length === 0) continue;
      for (const key of sound.length > 0 ? sound : [""]) wanted.push({ name, key: comboOf(key), line });
    }
  }
  return {
    wanted: wanted.filter(({ key, name }, at) => key !== "" || wanted.findIndex((each) => each.name === name) === at),
    warnings,
  };
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
    if (!pair) rows.push({ name: "", keys: [], line, fault: `"${said.trim()}" is no name: key` });
    else rows.push({ name: unquoted(pair[1] ?? ""), keys: listed(pair[2] ?? ""), line });
  }
  return rows;
}

const unquoted = (text: string): string => text.replace(/^(["'])(.*)\1$/, "$2");
const listed = (value: string): string[] =>
  (/^\[.*\]$/.test(value) ? value.slice(1, -1).split(",") : [value]).map((key) => unquoted(key.trim())).filter(Boolean);

const order = ["ctrl", "alt", "shift", "super"];
const held = new Set([...order, "control", "option", "meta", "cmd"]);

/** One sign or the name of one, behind keys that are held. */
function isKey(key: string): boolean {
  const [name = "", ...holding] = key
    .toLowerCase()
    .split(/\+(?=.)/)
    .reverse();
  return (/^[a-z]+\d{0,2}$/.test(name) || [...name].length === 1) && holding.every((each) => held.has(each));
}

/** `Shift+Ctrl+P` as the engine spells it. */
function comboOf(key: string): string {
  const [name = "", ...held] = key
    .toLowerCase()
    .split(/\+(?=.)/)
    .reverse();
  const said = held.map((each) => ({ control: "ctrl", option: "alt", meta: "alt", cmd: "super" })[each] ?? each);
  const base = { esc: "escape", return: "enter", del: "delete", " ": "space" }[name] ?? name;
  return [...order.filter((each) => said.includes(each)), base].join("+");
}
