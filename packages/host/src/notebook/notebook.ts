import { fail, ok, type Result, shortId } from "@pith/kit";

interface Cell {
  cell_type: string;
  source: string | string[];
  [other: string]: unknown;
}
interface Notebook {
  cells: Cell[];
  [other: string]: unknown;
}

/** A notebook as text: each cell below a line `# %% [code] cell:0`. */
export function notebookText(json: string): Result<string, "notebook"> {
  const book = parse(json);
  if (!book.ok) return book;
  return ok(book.value.cells.map((cell, i) => `${marker(cell.cell_type, i)}\n${sourceOf(cell)}`).join("\n\n"));
}

/**
 * The notebook with its cells replaced by those of the text. A cell that keeps its number keeps everything but its source:
 * outputs, metadata, id. `old` is undefined for a new notebook.
 */
export function notebookJson(text: string, old: string | undefined): Result<string, "notebook"> {
  const book = old === undefined ? ok<Notebook>({ cells: [], metadata: {}, nbformat: 4, nbformat_minor: 5 }) : parse(old);
  if (!book.ok) return book;
  const parts = splitCells(text);
  if (parts.length === 0) return fail("notebook", "the text has no cell: each begins with a line like # %% [code] cell:0");
  const before = book.value.cells;
  const cells = parts.map(({ type, number, source }) => {
    const kept = number === undefined ? undefined : before[number];
    return kept?.cell_type === type ? { ...kept, source: typeof kept.source === "string" ? source : linesOf(source) } : fresh(type, source, kept);
  });
  const indent = /^\s*\{\r?\n([ \t]+)"/.exec(old ?? "")?.[1] ?? " ";
  return ok(`${JSON.stringify({ ...book.value, cells }, null, indent)}${old?.endsWith("\n") === false ? "" : "\n"}`);
}

/** Whether a text is written in cells. */
export const isCellText = (text: string): boolean => /^# %% \[\w+\]/.test(text.trimStart());

const marker = (type: string, number: number): string => `# %% [${type}] cell:${number}`;
const sourceOf = ({ source }: Cell): string => (Array.isArray(source) ? source.join("") : source);
const linesOf = (source: string): string[] => source.match(/[^\n]*\n|[^\n]+$/g) ?? [];

function fresh(type: string, source: string, kept: Cell | undefined): Cell {
  const id = kept?.id ?? shortId(() => false);
  const own: Cell = { cell_type: type, id, metadata: {}, source: linesOf(source) };
  return type === "code" ? { ...own, execution_count: null, outputs: [] } : own;
}

function splitCells(text: string): { type: string; number: number | undefined; source: string }[] {
  const marks = [...text.matchAll(/^# %% \[(\w+)\](?: cell:(\d+))?[ \t]*\r?\n?/gm)];
  return marks.map((mark, i) => {
    const source = text.slice(mark.index + mark[0].length, marks[i + 1]?.index ?? text.length);
    // The empty line before the next marker belongs to the text, not to the cell.
    return {
      type: mark[1] ?? "code",
      number: mark[2] === undefined ? undefined : Number(mark[2]),
      source: source.replace(marks[i + 1] ? /\r?\n\r?\n$/ : /\n$/, ""),
    };
  });
}

function parse(json: string): Result<Notebook, "notebook"> {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    return fail("notebook", "is not valid JSON");
  }
  const cells = (value as Partial<Notebook> | null)?.cells;
  const whole =
    Array.isArray(cells) && cells.every((cell) => typeof cell?.cell_type === "string" && (typeof cell.source === "string" || Array.isArray(cell.source)));
  return whole ? ok(value as Notebook) : fail("notebook", "is not a notebook: it has no list of cells");
}
