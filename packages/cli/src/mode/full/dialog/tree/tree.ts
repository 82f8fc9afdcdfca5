import type { OutlineFilter, OutlineRow } from "@pith/agent";
import type { Coder } from "@pith/coder";
import { plural } from "@pith/kit";
import { cursorMark, fit, graphemes, type InputEvent, type KeyEvent, oneLine, printable, type Theme } from "@pith/tui";
import { unmarked } from "../../../../view/canvas.ts";
import { resultBrief } from "../../../../view/view.ts";
import type { Dialog, MakeDialog, ScreenContext } from "../../context.ts";
import { go } from "./go.ts";
import { type TreeChoice, TreeRows } from "./rows.ts";

/** The tree of the session, to go to another place of it. */
export const treeDialog = (context: ScreenContext, close: () => void): Dialog =>
  openTree(context, close, { filter: "default", query: "" });

function openTree(context: ScreenContext, close: () => void, choice: TreeChoice): Dialog {
  if (!context.coder) throw new Error("There is no session yet.");
  return new TreeDialog(context, context.coder, close, choice);
}

class TreeDialog implements Dialog {
  readonly #context: ScreenContext;
  readonly #coder: Coder;
  readonly #close: () => void;
  readonly #tree: TreeRows;
  readonly #keys: Readonly<Record<string, (() => void) | undefined>>;
  /** The label that is being typed. */
  #label: string | undefined;
  #height = 10;

  constructor(context: ScreenContext, coder: Coder, close: () => void, choice: TreeChoice) {
    this.#context = context;
    this.#coder = coder;
    this.#close = close;
    this.#tree = new TreeRows(coder, context.timers, choice, () => context.screen.request());
    this.#keys = this.#keymap();
  }

  get title(): string {
    const { reading, partial, rows, filter } = this.#tree;
    const whole = partial ? "the path of a long session" : plural(rows.length, "entry", "entries");
    return `tree (${filter}, ${reading === undefined ? whole : `reading ${reading} entries`})`;
  }

  get hint(): string {
    if (this.#label !== undefined) return "Enter keeps the label, empty takes it away  Esc goes back";
    const whole = this.#tree.partial ? "Tab reads all of it  " : "";
    return `Enter goes there  type to search  Ctrl+O filter  Shift+L label  ${whole}Esc closes`;
  }

  get rows(): number {
    return Math.max(5, Math.floor(this.#context.terminal.rows / 2)) + 1;
  }

  input(event: InputEvent): "used" | "passed" {
    const tree = this.#tree;
    if (event.type === "paste" && this.#label === undefined) tree.search(tree.query + oneLine(event.text));
    else if (event.type === "paste") this.#label += oneLine(event.text);
    if (event.type !== "key") return "used";
    if (this.#label !== undefined) return this.#name(event, this.#label);
    const filter = filters[event.combo];
    if (filter) tree.show(filter);
    else if (event.combo === "escape" && tree.query !== "") tree.search("");
    else if (this.#keys[event.combo]) this.#keys[event.combo]?.();
    else if (event.text !== "") tree.search(tree.query + event.text);
    else return "passed";
    return "used";
  }

  render(columns: number, room: number): string[] {
    const { theme } = this.#context;
    const { rows, at, query } = this.#tree;
    const height = Math.max(1, room - 1);
    this.#height = height;
    const typed =
      this.#label === undefined
        ? `${theme.paint("dim", "search:")} ${printable(query)}`
        : `label: ${printable(this.#label)}`;
    const head = fit(`${typed}${cursorMark}`, columns);
    if (rows.length === 0) return [head, theme.paint("dim", `  ${this.#nothing}`)];
    const first = Math.max(0, Math.min(at - Math.floor(height / 2), rows.length - height));
    const seen = rows.slice(first, first + height);
    return [head, ...seen.map((row, index) => drawRow(row, first + index === at, theme, columns))];
  }

  closed(): void {
    this.#tree.close();
  }

  spoken(): string {
    const { current } = this.#tree;
    return current ? spokenRow(current, this.#context.theme) : this.#nothing;
  }

  get #nothing(): string {
    return this.#coder.messageCount() === 0 ? "nothing was said yet" : "nothing is like that";
  }

  #keymap(): Record<string, () => void> {
    const tree = this.#tree;
    return {
      up: () => tree.move(-1, "wrap"),
      down: () => tree.move(1, "wrap"),
      left: () => tree.move(-this.#height),
      right: () => tree.move(this.#height),
      pageup: () => tree.move(-this.#height),
      pagedown: () => tree.move(this.#height),
      home: () => tree.move(-tree.rows.length),
      end: () => tree.move(tree.rows.length),
      tab: () => tree.partial && tree.load(),
      "ctrl+o": () => tree.turn(1),
      "ctrl+shift+o": () => tree.turn(-1),
      backspace: () => tree.search(withoutLast(tree.query)),
      enter: () => this.#go(),
      "shift+l": () => {
        this.#label = tree.current?.label ?? "";
      },
    };
  }

  /** Goes to the chosen row; who comes back finds the tree as it was. */
  #go(): void {
    const { current: row, filter, query } = this.#tree;
    if (!row) return;
    const tree: MakeDialog = (context, close) => openTree(context, close, { filter, query, id: row.entry.id });
    void go(this.#context, { row, tree }, this.#close);
  }

  /** Takes a key of the label that is typed. */
  #name({ combo, text }: KeyEvent, label: string): "used" | "passed" {
    if (combo === "ctrl+c") return "passed";
    const { current } = this.#tree;
    if (combo === "enter" && current) {
      this.#coder.walk.label(current.entry.id, label.trim());
      this.#label = undefined;
      this.#tree.load();
    } else if (combo === "escape") this.#label = undefined;
    else this.#label = combo === "backspace" ? withoutLast(label) : label + text;
    return "used";
  }
}

const filters: Readonly<Record<string, OutlineFilter>> = {
  "alt+d": "default",
  "alt+t": "no-tools",
  "alt+u": "user-only",
  "alt+l": "labeled-only",
  "alt+a": "all",
};

const withoutLast = (text: string): string => graphemes(text).slice(0, -1).join("");

function spokenRow(row: OutlineRow, theme: Theme): string {
  const { entry, label, leaf } = row;
  const name = label ? `[${oneLine(label)}] ` : "";
  const here = leaf ? ` ${theme.glyph.pointer} here` : "";
  return `${name}${oneLine(roleOf(entry))}: ${briefOf(row)}${here}`;
}

function drawRow(row: OutlineRow, isCurrent: boolean, theme: Theme, columns: number): string {
  const { entry, depth, active, label, leaf, text } = row;
  const isUser = entry.type === "message" && entry.message.role === "user";
  const mark = active ? theme.glyph.bullet : " ";
  const lead = `${isCurrent ? theme.glyph.pointer : " "} ${mark} ${"  ".repeat(Math.min(depth, 12))}`;
  const name = label ? `[${oneLine(label)}] ` : "";
  const here = leaf ? "  (here)" : "";
  const words = isUser ? oneLine(text) : `${oneLine(roleOf(entry))}: ${briefOf(row)}`;
  if (isCurrent) return theme.paint("selected", fit(`${lead}${name}${words}${here}`, columns).padEnd(columns));
  const token = isUser ? "strong" : active ? "text" : "dim";
  const head = `${lead}${name === "" ? "" : theme.paint("accent", name)}`;
  return fit(`${head}${theme.paint(token, words)}${theme.paint("ok", here)}`, columns);
}

/** Names the author of an entry; for a result, the tool. */
function roleOf(entry: OutlineRow["entry"]): string {
  if (entry.type === "message" && entry.message.role === "toolResult") return entry.message.toolName;
  const role = entry.type === "message" ? entry.message.role : entry.type;
  return Object.hasOwn(roles, role) ? (roles[role] ?? role) : role;
}

/** An entry in a line: the call and the facts of a result, a note without the tags around it. */
function briefOf({ entry, text, call }: OutlineRow): string {
  if (entry.type === "message" && entry.message.role === "toolResult")
    return [call ?? "", oneLine(resultBrief(entry.message)) || "done"].filter(Boolean).join("  ");
  return oneLine(unmarked(text.replace(/<\/?[a-z][\w-]*>/g, "")).trim());
}

const roles: Readonly<Record<string, string>> = {
  user: "you",
  assistant: "answer",
  session_info: "session",
  bashExecution: "command",
  custom_message: "note",
  branch_summary: "summary",
};
