import { openArtifacts } from "@pith/agent";
import { plainText, readEnd } from "@pith/kit";
import { createScrollPane, printable, type Theme, wrap } from "@pith/tui";
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

/** Shows rows page by page. */
export function pager(
  theme: Theme,
  title: string,
  rows: (columns: number) => readonly string[],
  from: "top" | "end" = "top",
): Dialog {
  let room = 10;
  const pane = createScrollPane(theme, rows, () => Math.max(1, room - 1));
  pane.end = from === "end";
  return {
    title,
    hint: "up/down  page up/down  home/end  Esc closes",
    input: (event) => {
      if (event.type === "key" && event.combo === "q") return "passed";
      return pane.input?.(event) ?? "passed";
    },
    render(columns, height) {
      room = height;
      return pane.render(columns, height);
    },
  };
}
