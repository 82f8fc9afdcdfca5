import { fail, ok, type Result, shortId } from "@pith/kit";

interface Cell {
  cell_type: string;
  [other: string]: unknown;
}
/** Before version 4, cells stood in worksheets, and code was called input. */
interface Notebook {
  cells?: Cell[];
  worksheets?: { cells: Cell[]; [other: string]: unknown }[];
  [other: string]: unknown;
}

/** A notebook as text: each cell below a line `# %% [code] cell:0`. */
export function notebookText(json: string): Result<string, "notebook"> {
  const book = parse(json);
  if (!book.ok) return book;
  return ok(
    cellsOf(book.value)
      .map((cell, i) => `${marker(cell.cell_type, i)}\n${guardCell(sourceOf(cell))}`)
      .join("\n\n"),
  );
}

/**
 * The notebook with its cells replaced by those of the text. A cell that keeps its number keeps everything but its
 * source:
 * outputs, metadata, id. `old` is undefined for a new notebook.
 */
export function notebookJson(text: string, old: string | undefined): Result<string, "notebook"> {
  const book =
    old === undefined ? ok<Notebook>({ cells: [], metadata: {}, nbformat: 4, nbformat_minor: 5 }) : parse(old);
  if (!book.ok) return book;
  const blocks = splitCells(text);
  if (blocks.length === 0)
    return fail("notebook", "the text has no cell: each begins with a line like # %% [code] cell:0");
  const before = cellsOf(book.value);
  const { worksheets } = book.value;
  if (worksheets && worksheets.length > 1)
    return fail("notebook", "the notebook has several worksheets; change its JSON");
  const cells = blocks.map(({ type, number, source }) => {
    const kept = number === undefined ? undefined : before[number];
    if (kept?.cell_type !== type) return fresh(type, source, kept, worksheets ? "input" : "source");
    const key = sourceKey(kept);
    return { ...kept, [key]: typeof kept[key] === "string" ? source : linesOf(source) };
  });
  const whole = worksheets ? { ...book.value, worksheets: [{ ...worksheets[0], cells }] } : { ...book.value, cells };
  const indent =
    /^\s*\{\r?\n([ \t]+)"/.exec(old ?? "")?.[1] ?? (old?.trimEnd().includes("\n") === false ? undefined : " ");
  return ok(`${JSON.stringify(whole, null, indent)}${old?.endsWith("\n") === false ? "" : "\n"}`);
}

/** True for a text that is written in cells. */
export const isCellText = (text: string): boolean => /^# %% \[\w+\]/.test(text.trimStart());

const marker = (type: string, number: number): string => `# %% [${type}] cell:${number}`;
/** A line of a cell that looks like a marker gets one more percent sign, which is taken away again. */
export const guardCell = (source: string): string => source.replace(/^# %%(?=%* \[)/gm, "# %%%");
export const unguardCell = (source: string): string => source.replace(/^# %%%(?=%* \[)/gm, "# %%");

const cellsOf = ({ cells, worksheets = [] }: Notebook): Cell[] => cells ?? worksheets.flatMap((sheet) => sheet.cells);
const sourceKey = (cell: Cell): "source" | "input" =>
  cell.source === undefined && cell.input !== undefined ? "input" : "source";
const sourceOf = (cell: Cell): string => {
  const source = cell[sourceKey(cell)];
  return Array.isArray(source) ? source.join("") : String(source);
};
const linesOf = (source: string): string[] => source.match(/[^\n]*\n|[^\n]+$/g) ?? [];

function fresh(type: string, source: string, kept: Cell | undefined, code: "source" | "input"): Cell {
  const lines = linesOf(source);
  if (code === "input")
    return type === "code"
      ? { cell_type: type, input: lines, language: "python", metadata: {}, outputs: [] }
      : { cell_type: type, metadata: {}, source: lines };
  const cell: Cell = { cell_type: type, id: kept?.id ?? shortId(() => false), metadata: {}, source: lines };
  return type === "code" ? { ...cell, execution_count: null, outputs: [] } : cell;
}

function splitCells(text: string): { type: string; number: number | undefined; source: string }[] {
  const marks = [...text.matchAll(/^# %% \[(\w+)\](?: cell:(\d+))?[ \t]*(?:\r?\n|$)/gm)];
  return marks.map((mark, i) => {
    const source = text.slice(mark.index + mark[0].length, marks[i + 1]?.index ?? text.length);
    // The empty line before the next marker belongs to the text, not to the cell.
    return {
      type: mark[1] ?? "code",
      number: mark[2] === undefined ? undefined : Number(mark[2]),
      source: unguardCell(source.replace(marks[i + 1] ? /\r?\n\r?\n$/ : /\n$/, "")),
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
  const book = value as Notebook | null;
  const lists =
    book?.worksheets === undefined
      ? [book?.cells]
      : Array.isArray(book.worksheets)
        ? book.worksheets.map((sheet) => sheet?.cells)
        : [];
  const whole = lists.length > 0 && lists.every((cells) => Array.isArray(cells) && cells.every(isCell));
  return book && whole ? ok(book) : fail("notebook", "is not a notebook: it has no list of cells");
}

const isCell = (cell: Partial<Cell> | null): boolean => {
  const source = cell?.source ?? cell?.input;
  return typeof cell?.cell_type === "string" && (typeof source === "string" || Array.isArray(source));
};
