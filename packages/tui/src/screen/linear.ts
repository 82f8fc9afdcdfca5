import { guardRow } from "../text/clean.ts";
import { strip, width } from "../text/width.ts";
import { Screen, type ScreenBaseOptions } from "./base.ts";
import { cursorMark, rowsOf, type ScreenFrame } from "./frame.ts";
import type { HistoryState } from "./history.ts";

/** Wide enough that paragraphs are lines: a screen reader has no use for breaks. */
const usualColumns = 1000;
const prompt = "> ";

/**
 * The same application for a screen reader: final rows are said once, in order, as plain lines; nothing is ever drawn
 * again. Typed text is echoed letter by letter, and an open overlay says what changed in it.
 */
export const createLinearScreen = (options: LinearOptions): LinearScreen => new LinearScreen(options);

interface LinearOptions extends ScreenBaseOptions {
  /** Breaks rows at the width of the window, for a terminal that can move nothing and is seen. */
  breaks?: "rows" | undefined;
}

class LinearScreen extends Screen {
  history: HistoryState = { committed: 0, top: 0 };
  readonly #breaks: LinearOptions["breaks"];
  /** The text on the line of input. */
  #echoed: string | undefined;
  /** Lines of the overlay that were said. */
  #said = new Set<string>();

  constructor({ breaks, ...options }: LinearOptions) {
    super(options);
    this.#breaks = breaks;
  }

  get #columns(): number {
    return this.#breaks ? this.tty.columns : usualColumns;
  }

  override announce(text: string): void {
    this.#say(text.split("\n"));
    this.#echo();
  }

  replace(): void {
    for (const pane of this.panes) pane.restart?.(this.#columns);
    this.history = { committed: 0, top: 0 };
    this.now();
  }

  start(): void {
    this.isRunning = true;
    this.now();
  }

  stop(why: "exit" | "suspend"): void {
    if (!this.isRunning) return;
    this.frame();
    if (why === "exit") {
      // Text that was still being written is said as far as it came.
      const rest = this.#compose("lasting");
      this.#say(rest.rows.slice(Math.max(0, this.history.committed - rest.base)));
    }
    this.#breakLine();
    this.scheduler.stop();
    this.isRunning = false;
  }

  protected override answer(): void {
    this.now();
  }

  protected override overlayChanged(): void {
    this.#said.clear();
  }

  protected frame(): void {
    if (!this.isRunning) return;
    const { base, rows, boundary, more } = this.#compose("all");
    const from = Math.max(this.history.committed, base);
    const end = Math.max(from, boundary);
    this.history = { committed: end, top: end };
    this.panes[0]?.committed?.(end);
    this.#say(rows.slice(from - base, Math.max(0, boundary - base)));
    this.#sayOverlay();
    this.#echo();
    if (more) this.scheduler.soon();
  }

  #compose(scope: "all" | "lasting"): ScreenFrame {
    return this.composer.compose(this.#columns, this.tty.rows, scope);
  }

  #say(rows: readonly string[]): void {
    const lines = rows.map(plain).filter((line) => line !== undefined);
    if (lines.length === 0) return;
    this.#breakLine();
    this.tty.write(`${lines.join("\r\n")}\r\n`);
  }

  // Only lines that were not said before, and of those the line the pointer is on, if there is one.
  #sayOverlay(): void {
    const view = this.focus.overlays.at(-1)?.view;
    const rows = view ? rowsOf(() => view.render(this.#columns, this.tty.rows), this.#columns) : [];
    const lines = rows.map(plain).filter((line): line is string => Boolean(line));
    const news = lines.filter((line) => !this.#said.has(line));
    const pointed = this.#said.size > 0 ? news.filter((line) => /^[❯>] /.test(line)) : [];
    this.#say(pointed.length > 0 ? pointed : news);
    this.#said = new Set(lines);
  }

  #echo(): void {
    const { tty } = this;
    const echoed = this.#echoed;
    const text = this.focus.current?.spoken?.().replaceAll("\n", " ");
    if (text === undefined || text === echoed) return;
    if (echoed === undefined) tty.write(prompt + guardRow(text));
    else if (text.startsWith(echoed)) tty.write(guardRow(text.slice(echoed.length)));
    else if (echoed.startsWith(text)) tty.write("\b \b".repeat(width(echoed.slice(text.length))));
    else tty.write(`\r\n${prompt}${guardRow(text)}`);
    this.#echoed = text;
  }

  #breakLine(): void {
    if (this.#echoed !== undefined) this.tty.write("\r\n");
    this.#echoed = undefined;
  }
}

// Frames and rules are for eyes: rows of nothing else are left out, bars at the sides go. A single sign is a word of
// the text.
function plain(row: string): string | undefined {
  const text = strip(guardRow(row.replaceAll(cursorMark, "")));
  if (text.trim() === "" || /^[\s─━│┃╭╮╰╯├┤┬┴┼]+$/u.test(text) || /^[\s=+|-]{3,}$/.test(text)) return undefined;
  return text
    .replace(/^\s*[╭┌╔][─━═]*(.*?)[─━═]*[╮┐╗]\s*$/u, "$1")
    .replace(/^\s*\+-(.*?)-*\+\s*$/u, "$1")
    .replace(/[─━═]{2,}/gu, " ")
    .replace(/^\s*\|\s(.*)\s\|\s*$/u, "$1")
    .replace(/^\s*[│┃]\s?/u, "")
    .replace(/\s*[│┃]\s*$/u, "")
    .replace(/\s*[│┃]\s*/gu, ", ")
    .replace(/\s+/g, " ")
    .trim();
}
