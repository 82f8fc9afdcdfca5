import { statSync } from "node:fs";
import { type Entry, type OutlineFilter, type OutlineRow, outlineFilters } from "@pith/agent";
import type { Coder } from "@pith/coder";
import { plural } from "@pith/kit";
import { cursorMark, fit, graphemes, type InputEvent, type KeyEvent, oneLine, printable, type Theme } from "@pith/tui";
import { resultBrief } from "../../../../view/view.ts";
import type { Dialog, MakeDialog, ScreenContext } from "../../context.ts";
import { go } from "./go.ts";
import { pathRows } from "./path.ts";

/** A longer record is shown from its end: its path alone, as far as somebody looks. */
const longBytes = 8 * 1024 * 1024;

/** So long a record is read at a time. */
const sliceMs = 12;

const jumps: Readonly<Record<string, OutlineFilter>> = {
  "alt+d": "default",
  "alt+t": "no-tools",
  "alt+u": "user-only",
  "alt+l": "labeled-only",
  "alt+a": "all",
};

/** How somebody looked at the tree: what they come back to when they do not go where they had chosen. */
interface Sight {
  filter: OutlineFilter;
  query: string;
  id?: string;
}

/** The tree of the session: where one stands, and a way to every other place. */
export const treeDialog = (context: ScreenContext, close: () => void): Dialog =>
  treeSeen(context, close, { filter: "default", query: "" });

function treeSeen(context: ScreenContext, close: () => void, sight: Sight): Dialog {
  const { coder, theme, timers } = context;
  if (!coder) throw new Error("There is no session yet.");
  const long = isLong(coder);
  let { filter, query } = sight;
  /** The label that is being written. */
  let naming: string | undefined;
  let height = 10;
  const path = long ? pathRows(coder.record) : undefined;
  let rows: readonly OutlineRow[] = path ? path.take(200) : coder.walk.outline(filter, query);
  /** Only the path is known. */
  let partial = path !== undefined;
  let at = indexOf(rows, sight.id) ?? placeOf(rows);
  /** How many entries of a long record were read so far. */
  let reading: number | undefined;
  let cancel = () => {};

  function put(next: readonly OutlineRow[]) {
    const was = rows[at]?.entry;
    partial = false;
    rows = next;
    at = indexOf(rows, was?.id) ?? placeOf(rows, was);
  }
  /** A long record is read in slices: keys are heard between them, and another wish begins anew. */
  function load() {
    cancel();
    if (!coder) return;
    if (!long) return put(coder.walk.outline(filter, query));
    const steps = coder.walk.outlined(filter, query);
    reading = 0;
    const slice = () => {
      const until = timers.now() + sliceMs;
      do {
        const step = steps.next();
        reading = step.done ? undefined : step.value;
        if (step.done) put(step.value);
      } while (reading !== undefined && timers.now() < until);
      if (reading !== undefined) cancel = timers.after(1, slice);
      context.screen.request();
    };
    cancel = timers.after(1, slice);
  }
  function search(next: string) {
    query = next;
    load();
  }
  function move(by: number, wraps = false) {
    if (partial && path && at + by < 0) {
      const more = path.take(500);
      rows = [...more, ...rows];
      at += more.length;
    }
    const last = rows.length - 1;
    const to = at + by;
    at = wraps && to < 0 ? last : wraps && to > last ? 0 : Math.max(0, Math.min(last, to));
  }
  // Of a long record only its path stands there at first.
  if (path && (query !== "" || filter !== "default")) load();
  const turn = (by: number) => {
    const next = (outlineFilters.indexOf(filter) + by + outlineFilters.length) % outlineFilters.length;
    filter = outlineFilters[next] ?? "default";
    load();
  };
  const keys: Record<string, () => void> = {
    up: () => move(-1, true),
    down: () => move(1, true),
    left: () => move(-height),
    right: () => move(height),
    pageup: () => move(-height),
    pagedown: () => move(height),
    home: () => move(-rows.length),
    end: () => move(rows.length),
    tab: () => partial && load(),
    "ctrl+o": () => turn(1),
    "ctrl+shift+o": () => turn(-1),
    backspace: () => search(graphemes(query).slice(0, -1).join("")),
    enter: () => {
      const row = rows[at];
      const tree: MakeDialog = (at, shut) => treeSeen(at, shut, { filter, query, id: row?.entry.id ?? "" });
      if (row) void go(context, { row, tree }, close);
    },
    "shift+l": () => {
      naming = rows[at]?.label ?? "";
    },
  };
  const nothing = () => (coder?.messageCount() === 0 ? "nothing was said yet" : "nothing is like that");
  function name(event: KeyEvent): "used" | "passed" {
    const row = rows[at];
    if (event.combo === "ctrl+c") return "passed";
    if (event.combo === "enter" && row) {
      coder?.walk.label(row.entry.id, (naming ?? "").trim());
      naming = undefined;
      load();
    } else if (event.combo === "escape") naming = undefined;
    else if (event.combo === "backspace")
      naming = graphemes(naming ?? "")
        .slice(0, -1)
        .join("");
    else if (event.text !== "") naming += event.text;
    return "used";
  }
  return {
    get title() {
      const some =
        reading !== undefined
          ? `, reading ${reading} entries`
          : partial
            ? ", the path of a long session"
            : `, ${plural(rows.length, "entry", "entries")}`;
      return `tree (${filter}${some})`;
    },
    get hint() {
      if (naming !== undefined) return "Enter keeps the label, empty takes it away  Esc goes back";
      const whole = partial ? "Tab reads all of it  " : "";
      return `Enter goes there  type to search  Ctrl+O filter  Shift+L label  ${whole}Esc closes`;
    },
    get rows() {
      return Math.max(5, Math.floor(context.terminal.rows / 2)) + 1;
    },
    input(event: InputEvent) {
      if (event.type === "paste" && naming === undefined) search(query + oneLine(event.text));
      else if (event.type === "paste") naming += oneLine(event.text);
      if (event.type !== "key") return "used";
      if (naming !== undefined) return name(event);
      const jump = jumps[event.combo];
      if (jump) {
        filter = jump;
        load();
      } else if (event.combo === "escape" && query !== "") search("");
      else if (keys[event.combo]) keys[event.combo]?.();
      else if (event.text !== "") search(query + event.text);
      else return "passed";
      return "used";
    },
    render(columns, room) {
      height = Math.max(1, room - 1);
      const typed =
        naming === undefined ? `${theme.paint("dim", "search:")} ${printable(query)}` : `label: ${printable(naming)}`;
      const head = fit(`${typed}${cursorMark}`, columns);
      if (rows.length === 0) return [head, theme.paint("dim", `  ${nothing()}`)];
      const first = Math.max(0, Math.min(at - Math.floor(height / 2), rows.length - height));
      return [
        head,
        ...rows.slice(first, first + height).map((row, index) => rowOf(row, first + index === at, theme, columns)),
      ];
    },
    closed: () => cancel(),
    spoken() {
      const row = rows[at];
      return row ? plainRow(row, theme) : nothing();
    },
  };
}

function indexOf(rows: readonly OutlineRow[], id: string | undefined): number | undefined {
  const index = rows.findIndex(({ entry }) => entry.id === id);
  return index === -1 ? undefined : index;
}

/** Where one stands; where that is not shown, or from somewhere else, what was said last before it. */
function placeOf(rows: readonly OutlineRow[], from?: Entry): number {
  const leaf = rows.findLastIndex(({ leaf }) => leaf);
  const before = rows.findLastIndex(({ active, entry }) => active && (!from || entry.timestamp <= from.timestamp));
  return Math.max(0, leaf === -1 || from ? before : leaf);
}

function isLong({ file }: Coder): boolean {
  return (file === undefined ? 0 : (statSync(file, { throwIfNoEntry: false })?.size ?? 0)) > longBytes;
}

function plainRow(row: OutlineRow, theme: Theme): string {
  const { entry, label, leaf } = row;
  const name = label ? `[${oneLine(label)}] ` : "";
  const here = leaf ? ` ${theme.glyph.pointer} here` : "";
  return `${name}${oneLine(roleOf(entry))}: ${tellOf(row)}${here}`;
}

function rowOf(row: OutlineRow, current: boolean, theme: Theme, columns: number): string {
  const { entry, depth, active, label, leaf, text } = row;
  const role = entry.type === "message" ? entry.message.role : entry.type;
  const mark = active ? theme.glyph.bullet : " ";
  const lead = `${current ? theme.glyph.pointer : " "} ${mark} ${"  ".repeat(Math.min(depth, 12))}`;
  const name = label ? `[${oneLine(label)}] ` : "";
  const here = leaf ? "  (here)" : "";
  const said = role === "user" ? oneLine(text) : `${oneLine(roleOf(entry))}: ${tellOf(row)}`;
  if (current) return theme.paint("selected", fit(`${lead}${name}${said}${here}`, columns).padEnd(columns));
  const token = role === "user" ? "strong" : active ? "text" : "dim";
  const head = `${lead}${name === "" ? "" : theme.paint("accent", name)}`;
  return fit(`${head}${theme.paint(token, said)}${theme.paint("ok", here)}`, columns);
}

/** Who says it: of a result the tool. */
function roleOf(entry: OutlineRow["entry"]): string {
  if (entry.type === "message" && entry.message.role === "toolResult") return entry.message.toolName;
  const role = entry.type === "message" ? entry.message.role : entry.type;
  return Object.hasOwn(roles, role) ? (roles[role] ?? role) : role;
}

/** What it says, in a line for people: a result by its facts, a note without the marks around it. */
function tellOf({ entry, text }: OutlineRow): string {
  if (entry.type === "message" && entry.message.role === "toolResult")
    return oneLine(resultBrief(entry.message)) || "done";
  return oneLine(text.replace(/<\/?[a-z][\w-]*>/g, "").trim());
}

const roles: Readonly<Record<string, string>> = {
  user: "you",
  assistant: "answer",
  session_info: "session",
  bashExecution: "command",
  custom_message: "note",
  branch_summary: "summary",
};
