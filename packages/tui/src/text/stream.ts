import type { Token, Tokens } from "marked";
import { draw, endsApart, firstNumber, type MarkdownSetting, readMarkdown } from "./markdown.ts";
import { createOpenParagraph } from "./open-paragraph.ts";

/**
 * Markdown that is still being written. Finished blocks are lexed and drawn once; a frame costs what the last block
 * costs.
 */
export interface MarkdownStream {
  append(text: string): void;
  /** Nothing more will come. */
  finish(): void;
  /** The whole text so far. */
  readonly source: string;
  rows(columns: number): readonly string[];
  /** How many of the rows last drawn will not change any more. */
  readonly settled: number;
  /**
   * The same for who never draws anything twice: also the full rows of a long line, which the line below it could still
   * make a heading.
   */
  readonly steady: number;
}

export function createMarkdownStream(setting: MarkdownSetting): MarkdownStream {
  const paragraph = createOpenParagraph(setting);
  const settledText: string[] = [];
  let tail = "";
  let finished = false;
  let done: string[] = [];
  /** The tail goes on with a list: the number of its first item, and whether it stands apart from the one before. */
  let rest: { number: number; apart: boolean } | undefined;
  let drawn = 0;
  let settled = 0;
  /** Of the open paragraph; with what stands before it. */
  let full = 0;
  let steady = 0;
  let rows: readonly string[] | undefined;
  let arrived = setting.highlighter?.arrived;

  // What follows only ever joins the last block, and of a list the last item: everything before it is drawn for the
  // last time.
  function open(columns: number): { rows: readonly string[]; settled: number } {
    closeParagraphs(columns);
    const quick = finished ? undefined : paragraph.rows(tail, columns);
    full = quick && !tail.includes("|") ? paragraph.full : 0;
    if (quick) return { rows: quick, settled: 0 };
    const tokens = readMarkdown(tail);
    const last = tokens.findLastIndex((token) => token.type !== "space" && !undecided.test(token.raw));
    if (finished || last > 0) close(tokens.splice(0, finished ? tokens.length : last), columns);
    const items = finished ? [] : closedItems(tokens[0]);
    if (items.length > 0) {
      const list = tokens[0] as Tokens.List;
      const number = rest?.number ?? firstNumber(list);
      close([{ ...list, items, raw: items.map((item) => item.raw).join("") }], columns);
      rest = { number: number + items.length, apart: endsApart(items.at(-1)?.raw ?? "") };
      tokens[0] = { ...list, items: list.items.slice(items.length) };
    }
    return draw(tokens, columns, setting, { end: "open", number: rest?.number });
  }

  function close(tokens: readonly Token[], columns: number) {
    keep(
      draw(tokens, columns, setting, { number: rest?.number }).rows,
      tokens.reduce((sum, token) => sum + token.raw.length, 0),
    );
  }
  // A line of prose with a blank one behind it is a paragraph: no block has to be looked for.
  function closeParagraphs(columns: number) {
    for (let end = tail.indexOf("\n\n"); end > 0 && !rest; end = tail.indexOf("\n\n")) {
      const fresh = paragraph.closed(tail.slice(0, end), columns);
      if (!fresh) return;
      keep(fresh, end + 2);
    }
  }
  /** So much of the tail is drawn for the last time. */
  function keep(fresh: readonly string[], length: number) {
    if (fresh.length > 0) {
      if (standsApart()) done.push("");
      for (const row of fresh) done.push(row);
      rest = undefined;
    }
    settledText.push(tail.slice(0, length));
    tail = tail.slice(length);
  }
  const standsApart = () => done.length > 0 && (rest?.apart ?? true);

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
      return settledText.join("") + tail;
    },
    rows(columns) {
      const coloured = arrived === setting.highlighter?.arrived;
      if (rows && drawn === columns && coloured) return rows;
      if (drawn !== columns || !coloured) {
        arrived = setting.highlighter?.arrived;
        tail = settledText.splice(0).join("") + tail;
        done = [];
        rest = undefined;
        drawn = columns;
      }
      const end = open(columns);
      const before = end.rows.length > 0 && standsApart() ? [...done, ""] : done;
      steady = before.length + full;
      settled = end.settled > 0 ? before.length + end.settled : done.length;
      rows = [...before, ...end.rows];
      return rows;
    },
    get settled() {
      return settled;
    },
    get steady() {
      return full > 0 ? steady : settled;
    },
  };
}

// The item after them has to be one for sure: a mark alone may still become a rule or a part of the item before.
function closedItems(token: Token | undefined): Tokens.ListItem[] {
  if (token?.type !== "list") return [];
  const { items } = token as Tokens.List;
  return surely.test(items.at(-1)?.raw ?? "") ? items.slice(0, -1) : [];
}
// The beginning of a mark: the list above it may go on.
const undecided = /^ {0,3}(?:[-*+]|\d{1,9}[.)]?)\s*$/;
const surely = /^ {0,3}(?:[-*+]|\d{1,9}[.)]) +[^\s*_+-]/;
