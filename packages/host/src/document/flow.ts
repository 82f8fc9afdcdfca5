/** The marks of a piece of text. */
export interface Style {
  bold?: boolean;
  italic?: boolean;
  href?: string | undefined;
}

export type Paragraph =
  | { is: "text" }
  | { is: "heading"; level: number }
  | { is: "item"; level: number; order: "numbered" | "bulleted" };

/** Collects the text of a document in order, and writes it as Markdown. */
export class Flow {
  #blocks: { text: string; tight: boolean }[] = [];
  #runs: { text: string; style: Style }[] = [];
  /** Rows of the tables that are open; a table in a cell becomes text of the cell. */
  #tables: string[][][] = [];

  say(text: string, style: Style = {}): void {
    const last = this.#runs.at(-1);
    if (last && same(last.style, style)) last.text += text;
    else this.#runs.push({ text, style: { ...style } });
  }

  /** Takes this text back where it is all of the paragraph so far. */
  drop(text: string): void {
    if (this.#runs.length === 1 && this.#runs[0]?.text === text) this.#runs = [];
  }

  end(paragraph: Paragraph = { is: "text" }): void {
    const text = this.#runs.map(setRun).join("").trim();
    this.#runs = [];
    const cells = this.#tables.at(-1)?.at(-1);
    if (cells) {
      if (cells.length > 0 && text !== "") cells[cells.length - 1] += `${cells.at(-1) === "" ? "" : " "}${text}`;
      return;
    }
    if (text === "") return;
    if (paragraph.is === "heading") this.#add(`${"#".repeat(Math.min(6, paragraph.level))} ${text}`);
    else if (paragraph.is === "item")
      this.#add(`${"  ".repeat(paragraph.level)}${paragraph.order === "numbered" ? "1." : "-"} ${text}`, "tight");
    else this.#add(text);
  }

  openTable(): void {
    this.#tables.push([]);
  }
  openRow(): void {
    this.#tables.at(-1)?.push([]);
  }
  openCell(): void {
    this.#tables.at(-1)?.at(-1)?.push("");
  }
  closeTable(): void {
    // Some formats say where a cell ends, not where it begins: what was opened last and never filled is none.
    const rows = trimmed(this.#tables.pop() ?? []);
    const outer = this.#tables.at(-1)?.at(-1);
    if (outer && outer.length > 0) outer[outer.length - 1] += rows.flat().join(" ");
    else this.#add(markdownTable(rows));
  }

  /** The elements of tables in Office Open XML, for `walkXml`. */
  readonly tables = {
    open: { tbl: () => this.openTable(), tr: () => this.openRow(), tc: () => this.openCell() },
    close: { tbl: () => this.closeTable() },
  };

  toString(): string {
    return this.#blocks
      .map(({ text, tight }, i) => (i === 0 ? text : `${tight && this.#blocks[i - 1]?.tight ? "\n" : "\n\n"}${text}`))
      .join("");
  }

  #add(text: string, tight?: "tight"): void {
    if (text !== "") this.#blocks.push({ text, tight: tight === "tight" });
  }
}

function markdownTable(rows: readonly (readonly string[])[]): string {
  const width = rows.reduce((most, row) => Math.max(most, row.length), 0);
  if (width === 0) return "";
  const line = (row: readonly string[]) =>
    `| ${Array.from({ length: width }, (_, i) => (row[i] ?? "").replaceAll("|", "\\|").replace(/\s*\n\s*/g, " ")).join(" | ")} |`;
  return [line(rows[0] ?? []), `|${" --- |".repeat(width)}`, ...rows.slice(1).map(line)].join("\n");
}

/** The rows of a sheet as a table; where the first columns are empty all the way down, they are left out and named. */
export function sheetText(rows: readonly (readonly string[])[], most: number): string {
  if (rows.length === 0) return "(empty)";
  const first = rows.reduce(
    (least, row) => Math.min(least, row.findIndex((cell) => cell !== "") >>> 0),
    Number.POSITIVE_INFINITY,
  );
  const skip = first > 8 ? first : 0;
  const shown = rows.slice(0, most).map((row) => row.slice(skip));
  const notes = [
    ...(skip > 0 ? [`(the first ${skip} columns are empty)`] : []),
    ...(rows.length > most ? [`(only the first ${most} of ${rows.length} rows are shown)`] : []),
  ];
  return [markdownTable(shown), ...notes].join("\n\n");
}

/** The rows without the columns at the end that no row fills. */
function trimmed(rows: readonly (readonly string[])[]): string[][] {
  const width = rows.reduce((most, row) => Math.max(most, row.findLastIndex((cell) => cell !== "") + 1), 0);
  return rows.map((row) => row.slice(0, width));
}

const same = (a: Style, b: Style): boolean => !a.bold === !b.bold && !a.italic === !b.italic && a.href === b.href;

/** A piece of text in its marks, the spaces around it outside of them, as Markdown wants it. */
function setRun({ text, style }: { text: string; style: Style }): string {
  const inner = text.trim();
  if (inner === "") return text;
  const [before, after] = [text.slice(0, text.length - text.trimStart().length), text.slice(text.trimEnd().length)];
  const mark = `${style.bold ? "**" : ""}${style.italic ? "*" : ""}`;
  const set = `${mark}${inner}${[...mark].reverse().join("")}`;
  return `${before}${style.href ? `[${set}](${style.href})` : set}${after}`;
}
