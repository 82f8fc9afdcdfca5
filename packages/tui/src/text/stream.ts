import { lexer } from "marked";
import { blocks, type MarkdownSetting } from "./markdown.ts";
import { createOpenParagraph } from "./open-paragraph.ts";

/** Markdown that is still being written. Finished blocks are lexed and drawn once; a frame costs what the last block costs. */
export interface MarkdownStream {
  append(text: string): void;
  /** Nothing more will come. */
  finish(): void;
  /** The whole text so far. */
  readonly source: string;
  rows(columns: number): readonly string[];
  /** How many of the rows last drawn will not change any more. */
  readonly settled: number;
}

export function createMarkdownStream(setting: MarkdownSetting): MarkdownStream {
  const paragraph = createOpenParagraph(setting);
  const parts: string[] = [];
  let tail = "";
  let finished = false;
  let done: string[] = [];
  let drawn = 0;
  let settled = 0;
  let rows: readonly string[] | undefined;

  // Everything before the last block cannot change: what follows only ever joins the last one.
  function settle(columns: number): string[] {
    const quick = finished ? undefined : paragraph.rows(tail, columns);
    if (quick) return quick;
    const tokens = lexer(tail);
    let last = tokens.length - 1;
    while (last > 0 && tokens[last]?.type === "space") last--;
    const closed = finished ? tokens : tokens.slice(0, Math.max(0, last));
    const length = closed.reduce((sum, token) => sum + token.raw.length, 0);
    if (length > 0) {
      push(done, blocks(closed, columns, setting, "finished"));
      parts.push(tail.slice(0, length));
      tail = tail.slice(length);
    }
    return finished ? [] : blocks(tokens.slice(closed.length), columns, setting, "open");
  }

  return {
    append(text) {
      tail += text.replaceAll("\r", "");
      rows = undefined;
    },
    finish() {
      finished = true;
      rows = undefined;
    },
    get source() {
      return parts.join("") + tail;
    },
    rows(columns) {
      if (rows && drawn === columns) return rows;
      if (drawn !== columns) {
        tail = parts.splice(0).join("") + tail;
        done = [];
        drawn = columns;
      }
      const open = settle(columns);
      settled = done.length;
      rows = open.length === 0 ? done.slice() : done.length === 0 ? open : [...done, "", ...open];
      return rows;
    },
    get settled() {
      return settled;
    },
  };
}

function push(rows: string[], more: readonly string[]) {
  if (more.length === 0) return;
  if (rows.length > 0) rows.push("");
  for (const row of more) rows.push(row);
}
