import { closeSync, fstatSync, readSync } from "node:fs";
import { openArtifacts } from "@pith/agent";
import { formatBytes, openPlain, plainText } from "@pith/kit";
import { createScrollPane, type Look, shown, wrap } from "@pith/tui";
import type { Dialog, MakeDialog } from "../seat.ts";

/** More of an output than this is not looked at on a screen. */
const most = 4 * 1024 * 1024;

/** A text in a window of its own, from its artifact where the record has only a part of it. */
export function openWhole(
  look: Look,
  whole: { title: string; text: string; artifact?: string | undefined },
): MakeDialog {
  return ({ coder }) => {
    const file = whole.artifact === undefined ? undefined : openArtifacts(coder?.file).resolve(whole.artifact);
    const read = file?.ok ? endOf(file.value) : undefined;
    const note = file && !read ? `(all of it was in artifact://${whole.artifact}, which cannot be read)\n` : "";
    return pagerOf(look, whole.title, note + (read ?? whole.text));
  };
}

function pagerOf(look: Look, title: string, text: string): Dialog {
  const clean = shown(plainText(text)).replace(/\n+$/, "");
  let drawn: { columns: number; rows: string[] } | undefined;
  return pager(look, title, (columns) => {
    if (drawn?.columns !== columns) drawn = { columns, rows: wrap(clean, columns).map((row) => row.trimEnd()) };
    return drawn.rows;
  });
}

/** Rows, page by page. */
export function pager(
  look: Look,
  title: string,
  rows: (columns: number) => readonly string[],
  from: "top" | "end" = "top",
): Dialog {
  let room = 10;
  const pane = createScrollPane(look, rows, () => Math.max(1, room - 1));
  let placed = from === "top";
  return {
    title,
    hint: "up, down, page up, page down, home, end  Escape closes",
    input: (event) => {
      if (event.type === "key" && event.combo === "q") return "passed";
      return pane.input?.(event) ?? "passed";
    },
    render(columns, height) {
      room = height;
      if (!placed) pane.top = Number.MAX_SAFE_INTEGER;
      placed = true;
      return pane.render(columns, height);
    },
  };
}

function endOf(file: string): string | undefined {
  try {
    const fd = openPlain(file, "refused");
    try {
      const { size } = fstatSync(fd);
      const bytes = Buffer.alloc(Math.min(size, most));
      readSync(fd, bytes, 0, bytes.length, size - bytes.length);
      const before = size > most ? `… ${formatBytes(size - most)} before, in ${file}\n` : "";
      return before + bytes.toString("utf8", size > most ? bytes.indexOf(10) + 1 : 0);
    } finally {
      closeSync(fd);
    }
  } catch {
    return undefined;
  }
}
