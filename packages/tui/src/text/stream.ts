import { sumOf } from "@pith/kit";
import type { Token, Tokens } from "marked";
import { draw, endsApart, firstNumber, type MarkdownSetting, readMarkdown } from "./markdown.ts";
import { OpenParagraph } from "./open-paragraph.ts";

export const createMarkdownStream = (setting: MarkdownSetting): MarkdownStream => new MarkdownStream(setting);

/** Markdown that is still being written: finished blocks are read and drawn once, a frame costs the last block. */
export class MarkdownStream {
  readonly #setting: MarkdownSetting;
  readonly #paragraph: OpenParagraph;
  readonly #closed: string[] = [];
  #finishedRows: string[] = [];
  /** The source behind them. */
  #tail = "";
  #isFinished = false;
  /** Set while the tail goes on with a list: its next number, and whether its items stand apart. */
  #list: { number: number; apart: boolean } | undefined;
  /** The rows last drawn, and how they were drawn. */
  #rows: readonly string[] | undefined;
  #columns = 0;
  #arrived: number | undefined;
  #settled = 0;

  constructor(setting: MarkdownSetting) {
    this.#setting = setting;
    this.#paragraph = new OpenParagraph(setting);
  }

  get source(): string {
    return this.#closed.join("") + this.#tail;
  }

  /** Number of the rows last drawn that will not change. */
  get settled(): number {
    return this.#settled;
  }

  append(text: string): void {
    this.#tail += text.replaceAll("\r", "");
    this.#rows = undefined;
  }

  finish(): void {
    this.#isFinished = true;
    this.#rows = undefined;
  }

  rows(columns: number): readonly string[] {
    const arrived = this.#setting.highlighter?.arrived;
    const isSame = this.#columns === columns && this.#arrived === arrived;
    if (this.#rows && isSame) return this.#rows;
    if (!isSame) {
      this.#arrived = arrived;
      this.#columns = columns;
      this.#tail = this.#closed.splice(0).join("") + this.#tail;
      this.#finishedRows = [];
      this.#list = undefined;
    }
    const { rows, settled } = this.#drawTail(columns);
    const before = rows.length > 0 && this.#standsApart ? [...this.#finishedRows, ""] : this.#finishedRows;
    this.#settled = settled > 0 ? before.length + settled : this.#finishedRows.length;
    this.#rows = [...before, ...rows];
    return this.#rows;
  }

  /** Finishes what nothing can join any more (all but the last block, of a list all but its last item), draws the rest. */
  #drawTail(columns: number): { rows: readonly string[]; settled: number } {
    this.#closeParagraphs(columns);
    const quick = this.#isFinished ? undefined : this.#paragraph.rows(this.#tail, columns);
    if (quick) return { rows: quick, settled: 0 };
    const tokens = readMarkdown(this.#tail);
    const last = tokens.findLastIndex((token) => token.type !== "space" && !undecided.test(token.raw));
    if (this.#isFinished || last > 0) this.#close(tokens.splice(0, this.#isFinished ? tokens.length : last), columns);
    const items = this.#isFinished ? [] : closedItems(tokens[0]);
    if (items.length > 0) {
      const list = tokens[0] as Tokens.List;
      const number = this.#list?.number ?? firstNumber(list);
      this.#close([{ ...list, items, raw: items.map((item) => item.raw).join("") }], columns);
      this.#list = { number: number + items.length, apart: endsApart(items.at(-1)?.raw ?? "") };
      tokens[0] = { ...list, items: list.items.slice(items.length) };
    }
    return draw(tokens, columns, this.#setting, { end: "open", number: this.#list?.number });
  }

  /** Finishes lines of prose that a blank line follows: they are paragraphs, no block has to be looked for. */
  #closeParagraphs(columns: number): void {
    for (let end = this.#tail.indexOf("\n\n"); end > 0 && !this.#list; end = this.#tail.indexOf("\n\n")) {
      const rows = this.#paragraph.closed(this.#tail.slice(0, end), columns);
      if (!rows) return;
      this.#keep(rows, end + 2);
    }
  }

  #close(tokens: readonly Token[], columns: number): void {
    const { rows } = draw(tokens, columns, this.#setting, { number: this.#list?.number });
    this.#keep(
      rows,
      sumOf(tokens, ({ raw }) => raw.length),
    );
  }

  /** Keeps rows as finished, for the first `length` characters of the tail. */
  #keep(rows: readonly string[], length: number): void {
    if (rows.length > 0) {
      if (this.#standsApart) this.#finishedRows.push("");
      for (const row of rows) this.#finishedRows.push(row);
      this.#list = undefined;
    }
    this.#closed.push(this.#tail.slice(0, length));
    this.#tail = this.#tail.slice(length);
  }

  get #standsApart(): boolean {
    return this.#finishedRows.length > 0 && (this.#list?.apart ?? true);
  }
}

/** Items of a list that are complete: a mark alone may still become a rule or a part of the item before it. */
function closedItems(token: Token | undefined): Tokens.ListItem[] {
  if (token?.type !== "list") return [];
  const { items } = token as Tokens.List;
  return surely.test(items.at(-1)?.raw ?? "") ? items.slice(0, -1) : [];
}
/** The beginning of a mark: the list above it may go on. */
const undecided = /^ {0,3}(?:[-*+]|\d{1,9}[.)]?)\s*$/;
const surely = /^ {0,3}(?:[-*+]|\d{1,9}[.)]) +[^\s*_+-]/;
