import { openArtifacts } from "@pith/agent";
import { plainText, readEnd } from "@pith/kit";
import {
  createScrollPane,
  cursorMark,
  fit,
  graphemes,
  type KeyEvent,
  printable,
  strip,
  type Theme,
  wrap,
} from "@pith/tui";
import type { Dialog, MakeDialog } from "../context.ts";

/** Bytes of an output that are shown. */
const most = 4 * 1024 * 1024;

/** Opens a text in a pager; from its artifact, where the record has only a part. */
export function openWhole(
  theme: Theme,
  whole: { title: string; text: string; artifact?: string | undefined; from?: "top" | "end" },
): MakeDialog {
  return ({ coder }) => {
    const file = whole.artifact === undefined ? undefined : openArtifacts(coder?.file).resolve(whole.artifact);
    const read = file?.ok ? readEnd(file.value, most) : undefined;
    const note = file && !read ? `(all of it was in artifact://${whole.artifact}, which cannot be read)\n` : "";
    return pagerOf(theme, whole.title, note + (read ?? whole.text), whole.from);
  };
}

function pagerOf(theme: Theme, title: string, text: string, from: "top" | "end" = "top"): Dialog {
  const clean = printable(plainText(text)).replace(/\n+$/, "");
  const rows = drawnOnce((columns) => wrap(clean, columns).map((row) => row.trimEnd()));
  return pager(theme, title, rows, from);
}

/** Draws rows once, and again for another width. */
export function drawnOnce(draw: (columns: number) => readonly string[]): typeof draw {
  let drawn: { columns: number; rows: readonly string[] } | undefined;
  return (columns) => {
    if (drawn?.columns !== columns) drawn = { columns, rows: draw(columns) };
    return drawn.rows;
  };
}

/** Shows rows page by page; `/` searches in them. */
export function pager(
  theme: Theme,
  title: string,
  rows: (columns: number) => readonly string[],
  from: "top" | "end" = "top",
): Dialog {
  let room = 10;
  let shown: readonly string[] = [];
  const drawn = (columns: number) => {
    shown = rows(columns);
    return found === undefined
      ? shown
      : shown.map((row, at) => (at === found ? theme.paint("selected", strip(row)) : row));
  };
  const pane = createScrollPane(theme, drawn, () => Math.max(1, room - 1 - search().length));
  pane.end = from === "end";
  let query: string | undefined;
  let isTyping = false;
  /** The row that was found last. */
  let found: number | undefined;
  const search = () => {
    if (query === undefined) return [];
    const none = !isTyping && found === undefined ? "  not found" : "";
    return [theme.paint("dim", fit(`/${printable(query)}${isTyping ? cursorMark : ""}${none}`, 200))];
  };
  const find = (by: 1 | -1) => {
    const words = query?.toLowerCase() ?? "";
    const start = found ?? (by > 0 ? pane.top - 1 : pane.top);
    const order = shown.map((_, at) => (start + by * (at + 1) + 2 * shown.length) % shown.length);
    found =
      words === ""
        ? undefined
        : order.find((at) =>
            strip(shown[at] ?? "")
              .toLowerCase()
              .includes(words),
          );
    if (found === undefined) return;
    pane.end = false;
    pane.top = Math.max(0, found - Math.floor(room / 3));
  };
  const type = ({ combo, text }: KeyEvent) => {
    if (combo === "enter") {
      isTyping = false;
      find(1);
    } else if (combo === "escape") {
      isTyping = false;
      query = undefined;
    } else if (combo === "backspace")
      query = graphemes(query ?? "")
        .slice(0, -1)
        .join("");
    else if (text === "") return "passed";
    else query += text;
    return "used";
  };
  return {
    title,
    hint: "up/down  page up/down  home/end  / searches  n next  Esc closes",
    input(event) {
      if (event.type !== "key") return "passed";
      if (isTyping) return type(event);
      if (event.combo === "q") return "passed";
      if (event.text === "/") {
        isTyping = true;
        query = "";
        found = undefined;
      } else if (query !== undefined && /^(?:shift\+)?n$/.test(event.combo)) find(event.combo === "n" ? 1 : -1);
      else return pane.input?.(event) ?? "passed";
      return "used";
    },
    render(columns, height) {
      room = height;
      return [...pane.render(columns, height), ...search().map((row) => fit(row, columns))];
    },
  };
}
