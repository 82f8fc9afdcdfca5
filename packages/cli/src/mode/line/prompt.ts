import { type StyleName, type Theme, width, wrap } from "@pith/tui/theme";
import type { Out } from "../../io/out.ts";
import { type Laid, type Line, layout } from "./editor/layout.ts";

export interface FootOptions {
  theme: Theme;
  size(): { columns: number; rows: number };
  /**
   * `erase`: what is typed can be taken away and drawn anew; `backspace`: only the end of it can; `nothing`: somebody
   * else shows what is typed.
   */
  can: "erase" | "backspace" | "nothing";
  /** How long it is quiet before what was asked is said again below other lines, where nothing can be taken away. */
  againMs?: number;
}

/** What stands before what is typed. */
export interface Ask {
  text: string;
  token: StyleName;
}

const emptyLine: Line = { cells: [], cursor: 0 };
const nothingTyped: Laid = { rows: [], row: 0, column: 0, atEnd: true };
const usual: Ask = { text: ">", token: "accent" };

/**
 * The last rows of a conversation: what is asked, and what is being typed. Everything else is written above them and is
 * never touched again.
 */
export class Foot {
  readonly #out: Pick<Out, "write">;
  readonly #options: FootOptions;
  #ask: Ask | undefined;
  #sign: string | undefined;
  #line = emptyLine;
  /** What is on the screen: the widths of its rows, and the row of the cursor. */
  #drawn: { widths: number[]; row: number } | undefined;
  #again: ReturnType<typeof setTimeout> | undefined;
  /** Lines for the time when a program has given the screen back. */
  #lent: string | undefined;

  constructor(out: Pick<Out, "write">, options: FootOptions) {
    this.#out = out;
    this.#options = options;
  }

  /** Whole lines. */
  write(text: string): void {
    if (this.#lent !== undefined) {
      this.#lent += text;
      return;
    }
    this.#sign = undefined;
    this.#hide();
    this.#out.write(text);
    if (this.#ask === undefined && this.#line.cells.length === 0) return;
    if (this.#options.can === "erase") queueMicrotask(() => this.#show());
    else {
      clearTimeout(this.#again);
      this.#again = setTimeout(() => this.#show(), this.#options.againMs ?? 150);
      this.#again.unref();
    }
  }

  /** Whether a sign can be taken away again. */
  get erases(): boolean {
    return this.#options.can === "erase";
  }

  /** What is asked now; undefined when nothing is. */
  ask(ask: Ask | "usual" | undefined): void {
    const next = ask === "usual" ? usual : ask;
    if (next?.text !== this.#ask?.text) this.#hide();
    this.#ask = next;
    this.#show();
  }

  /** Something short above what is typed until the next line comes. */
  sign(text: string | undefined): void {
    if (text === this.#sign || this.#lent !== undefined) return;
    this.#hide();
    this.#sign = text;
    this.#show();
  }

  /** What is typed has changed. */
  type(line: Line): void {
    const before = this.#line;
    this.#line = line;
    if (this.#lent !== undefined) return;
    if (this.#drawn && (this.#options.can === "backspace" || this.#atEnd(before, line))) this.#patch(before, line);
    else {
      this.#hide();
      this.#show();
    }
  }

  /** It was entered: it stays where it stands. */
  entered(): void {
    if (this.#options.can !== "nothing") {
      if (this.#sign !== undefined) this.sign(undefined);
      if (this.#line.cells.length > 0) this.type({ cells: this.#line.cells, cursor: this.#line.cells.length });
      if (this.#drawn) this.#out.write("\n");
    }
    this.#drawn = undefined;
    this.#line = emptyLine;
    this.#ask = undefined;
    clearTimeout(this.#again);
  }

  /** The window has another size: what stood in it was broken anew by the terminal. */
  resized(): void {
    if (!this.#drawn || !this.erases) return;
    const { columns } = this.#options.size();
    const rows = this.#drawn.widths.map((each) => Math.max(1, Math.ceil(each / columns)));
    this.#drawn.row = rows.slice(0, this.#drawn.row).reduce((sum, each) => sum + each, 0);
    this.#hide();
    this.#show();
  }

  /** Draws it on an empty screen. */
  clear(): void {
    if (this.erases) {
      this.#out.write("\x1b[H\x1b[2J");
      this.#drawn = undefined;
    } else this.#hide();
    this.#show();
  }

  /** The screen belongs to a program until it is given back. */
  lend(): Disposable {
    this.#hide();
    this.#lent ??= "";
    return {
      [Symbol.dispose]: () => {
        const said = this.#lent ?? "";
        this.#lent = undefined;
        this.#drawn = undefined;
        if (said !== "") this.write(said);
        this.#show();
      },
    };
  }

  #show(): void {
    clearTimeout(this.#again);
    if (this.#drawn || this.#lent !== undefined) return;
    const typing = this.#line.cells.length > 0;
    const ask = this.#ask ?? (typing ? usual : undefined);
    if (!ask && this.#sign === undefined) return;
    if (this.erases) this.#draw(ask);
    else if (ask) {
      const text = this.#options.can === "nothing" ? "" : shownOf(this.#line);
      const prompt = this.#options.theme.paint(ask.token, `${ask.text} `);
      this.#drawn = { widths: [width(`${ask.text} ${text}`)], row: 0 };
      this.#out.write(prompt + text);
    }
  }

  #draw(ask: Ask | undefined): void {
    const { theme, size } = this.#options;
    const { columns, rows: height } = size();
    const sign = this.#sign === undefined ? [] : [theme.paint("dim", this.#sign)];
    const heads = ask ? wrap(ask.text, columns - 2) : [];
    const last = heads.pop() ?? "";
    const painted = heads.map((row) => theme.paint(ask?.token ?? "text", row));
    const room = Math.max(1, height - 2 - sign.length - painted.length);
    const typed = ask ? layout(`${last} `, this.#line, columns, room) : nothingTyped;
    const [first, ...more] = typed.rows;
    const input =
      first === undefined
        ? []
        : [theme.paint(ask?.token ?? "text", `${last} `) + first.slice(last.length + 1), ...more];
    const above = [...sign, ...painted];
    const rows = [...above, ...input];
    const end = rows.length - 1;
    const row = ask ? above.length + typed.row : end;
    const back = !typed.atEnd ? `${end > row ? `\x1b[${end - row}A` : ""}\x1b[${typed.column + 1}G` : "";
    this.#drawn = { widths: [...above.map(width), ...typed.rows.map(width)], row };
    this.#out.write(rows.join("\n") + back);
  }

  #hide(): void {
    if (!this.#drawn) return;
    const { row } = this.#drawn;
    this.#drawn = undefined;
    if (this.erases) this.#out.write(`${row > 0 ? `\x1b[${row}A` : ""}\r\x1b[J`);
    else this.#out.write("\n");
  }

  /** Whether there is only something new at the end, and room for it: nothing else has to be drawn. */
  #atEnd(before: Line, line: Line): boolean {
    const fresh = width(shownOf({ cells: line.cells.slice(before.cells.length), cursor: 0 }));
    const used = this.#drawn?.widths.at(-1) ?? 0;
    return (
      before.cells.length > 0 &&
      before.cursor === before.cells.length &&
      line.cursor === line.cells.length &&
      before.cells.every((cell, at) => cell === line.cells[at]) &&
      used + fresh < this.#options.size().columns
    );
  }

  /** The end of what was typed goes by backspaces; what cannot be reached by them is written once more. */
  #patch(before: Line, line: Line): void {
    let same = 0;
    while (same < line.cells.length && line.cells[same] === before.cells[same]) same++;
    const gone = width(shownOf({ cells: before.cells.slice(same), cursor: 0 }));
    const fresh = shownOf({ cells: line.cells.slice(same), cursor: 0 });
    const drawn = this.#drawn ?? { widths: [0], row: 0 };
    const used = drawn.widths.at(-1) ?? 0;
    if (gone > 0 && used >= this.#options.size().columns) {
      this.#hide();
      this.#show();
      return;
    }
    this.#out.write("\b".repeat(gone) + " ".repeat(gone) + "\b".repeat(gone) + fresh);
    drawn.widths.splice(-1, 1, used - gone + width(fresh));
  }
}

const shownOf = ({ cells }: Line): string => cells.map(({ shown }) => shown).join("");
