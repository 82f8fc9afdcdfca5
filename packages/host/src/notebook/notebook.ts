import { cleanText, fail, ok, type Result, shortId } from "@pith/kit";
import { type Span, spansOf } from "./json-span.ts";

interface Cell {
  cell_type: string;
  source?: string | string[];
  /** The source of code before version 4. */
  input?: string | string[];
  id?: unknown;
  outputs?: unknown;
}
/** Before version 4, cells stood in worksheets. */
interface Book {
  cells?: Cell[];
  worksheets?: { cells: Cell[] }[];
}

/** A notebook that can be edited as the text that is shown of it. All that an edit leaves alone keeps its bytes. */
export interface Notebook {
  text: string;
  /** The file with its cells as this text has them. */
  apply(text: string): Result<string, "notebook">;
}

/** A notebook as text: each cell below a line `# %% [code] cell:0`. */
export function notebookText(json: string): Result<string, "notebook"> {
  const cells = readCells(json);
  return cells.ok ? ok(textOf(cells.value)) : cells;
}

/** An output of a cell, counted from 0. */
export interface CellOutput {
  cell: number;
  failed: boolean;
  text: string;
}

interface Output {
  text?: string | string[];
  data?: Record<string, unknown>;
  ename?: string;
  evalue?: string;
  traceback?: string[];
}

/** The outputs of the cells as text, errors first, without what only colours it. */
export function notebookOutputs(json: string): CellOutput[] {
  const cells = readCells(json);
  const all = (cells.ok ? cells.value : []).flatMap(({ outputs }, cell) =>
    (Array.isArray(outputs) ? outputs : []).flatMap((output: Output | null): CellOutput[] => {
      const { text, data, ename, evalue = "", traceback } = output ?? {};
      const plain = data?.["text/plain"];
      const kinds = Object.keys(data ?? {}).join(", ");
      const said = ename === undefined ? joinedText(text ?? plain) || (kinds && `(${kinds})`) : `${ename}: ${evalue}`;
      const trace = (Array.isArray(traceback) ? traceback : []).join("\n");
      const whole = cleanText([said, trace].filter(Boolean).join("\n")).trimEnd();
      return whole === "" ? [] : [{ cell, failed: ename !== undefined, text: whole }];
    }),
  );
  return all.toSorted((a, b) => Number(b.failed) - Number(a.failed));
}

const joinedText = (text: unknown): string =>
  typeof text === "string" ? text : Array.isArray(text) ? text.map(String).join("") : "";

/** Undefined for a text that is no notebook, or one whose cells do not stand in one list. */
export function openNotebook(json: string): Notebook | undefined {
  const cells = readCells(json);
  const list = cells.ok ? listOf(json) : undefined;
  if (!cells.ok || !list || list.items?.length !== cells.value.length) return undefined;
  const placed = list.items.map((span, i) => ({ cell: cells.value[i] as Cell, span }));
  return { text: textOf(cells.value), apply: (text) => applyText({ json, list, placed }, text) };
}

/** The notebook with the cells of this text, an old one as far as its cells are kept, else a new one. */
export function notebookJson(text: string, old = blank): Result<string, "notebook"> {
  const book = openNotebook(old);
  if (!book) return fail("notebook", "the notebook has no list of cells, or several; change its JSON");
  return book.apply(text.trimStart().replace(/\n$/, ""));
}

const blank = `{
 "cells": [],
 "metadata": {},
 "nbformat": 4,
 "nbformat_minor": 5
}
`;

/** True for a text that is written in cells. */
export const isCellText = (text: string): boolean => /^# %% \[\w+\]/.test(text.trimStart());

const textOf = (cells: readonly Cell[]): string =>
  cells.map((cell, i) => `# %% [${cell.cell_type}] cell:${i}\n${shownSource(cell)}`).join("\n\n");

/** A line of a cell that looks like a marker is shown with one more percent sign, which is taken away again. */
const shownSource = (cell: Cell): string => {
  const source = cell[keyOf(cell)];
  return (Array.isArray(source) ? source.join("") : String(source)).replace(/^# %%(?=%* \[)/gm, "# %%%");
};
const keyOf = ({ source, input }: Cell) => (source === undefined && input !== undefined ? "input" : "source");
const linesOf = (source: string): string[] => source.match(/[^\n]*\n|[^\n]+$/g) ?? [];

/** A notebook with its list of cells, and where each of them stands. */
interface Placed {
  json: string;
  list: Span;
  placed: readonly { cell: Cell; span: Span }[];
}

function applyText({ json, list, placed }: Placed, text: string): Result<string, "notebook"> {
  const wanted = splitCells(text);
  if (!wanted) return fail("notebook", "a notebook begins with a cell, like # %% [code] cell:0");
  const known = wanted.flatMap(({ number }) => (number !== undefined && number < placed.length ? [number] : []));
  if (new Set(known).size < known.length)
    return fail("notebook", "a cell stands there twice; a new one begins with # %% [code] and no number");
  const [first, second, last] = [placed[0]?.span, placed[1]?.span, placed.at(-1)?.span];
  // In an empty list, cells stand one further in than the line of the list.
  const line = /(?:^|\n)([ \t]*)[^\n]*$/.exec(json.slice(0, list.start))?.[1];
  const outer = json.includes("\n") && line !== undefined ? `\n${line}` : "";
  const open = first ? "" : outer && `${outer} `;
  const indent = first ? /\n[ \t]*$/.exec(json.slice(0, first.start))?.[0] : open;
  const made = wanted.map((part) => {
    const old = part.number === undefined ? undefined : placed[part.number];
    return old ? changedCell(json.slice(old.span.start, old.span.end), old.cell, part) : newCell(placed, part, indent);
  });
  // The text between two cells stands between any two.
  const between = first && second ? json.slice(first.end, second.start) : `,${open}`;
  const [from, to] = first && last ? [first.start, last.end] : [list.start + 1, list.end - 1];
  return ok(json.slice(0, from) + open + made.join(between) + (first ? "" : outer) + json.slice(to));
}

interface CellText {
  type: string;
  number: number | undefined;
  /** The source as it is shown. */
  body: string;
}

function splitCells(text: string): CellText[] | undefined {
  const heads = [...text.matchAll(/^# %% \[(\w+)\](?: cell:(\d+))?[ \t]*\r?(?:\n|$)/gm)];
  if (heads[0]?.index !== 0) return undefined;
  return heads.map((head, i) => {
    const next = heads[i + 1];
    const body = text.slice(head.index + head[0].length, next?.index);
    return {
      type: head[1] ?? "code",
      number: head[2] === undefined ? undefined : Number(head[2]),
      // An empty line before the next marker belongs to the text, not to the cell.
      body: next ? body.replace(/(?:\r?\n){1,2}$/, "") : body,
    };
  });
}

/** A cell whose text is as it was keeps all its bytes. */
function changedCell(json: string, cell: Cell, { type, body }: CellText): string {
  const value = spansOf(json, 0).keys?.get(keyOf(cell));
  if (!value || (body === shownSource(cell) && type === cell.cell_type)) return json;
  const source = sourceJson(json.slice(value.start, value.end), realSource(body));
  const changed = json.slice(0, value.start) + source + json.slice(value.end);
  return type === cell.cell_type ? changed : changed.replace(/("cell_type"\s*:\s*)"\w+"/, `$1"${type}"`);
}

const realSource = (body: string): string => body.replace(/^# %%%(?=%* \[)/gm, "# %%");

/** A source in the form of the old one: one text, or a list of lines. Lines that were there keep their bytes. */
function sourceJson(old: string, source: string): string {
  if (!old.startsWith("[")) return JSON.stringify(source);
  const lines = linesOf(source);
  const items = spansOf(old, 0).items ?? [];
  const written = items.map(({ start, end }) => old.slice(start, end));
  const known = new Map(written.map((item) => [JSON.parse(item) as unknown, item]));
  const [first, second, last] = [items[0], items[1], items.at(-1)];
  const open = first ? old.slice(0, first.start) : "[";
  const between = first && second ? old.slice(first.end, second.start) : `,${open.slice(1)}`;
  const made = lines.map((line) => known.get(line) ?? JSON.stringify(line));
  return lines.length === 0 ? "[]" : open + made.join(between) + (last ? old.slice(last.end) : "]");
}

/** A cell like those of its kind, without what running one left behind. */
function newCell(placed: Placed["placed"], { type, body }: CellText, indent: string | undefined): string {
  const like = (placed.find(({ cell }) => cell.cell_type === type) ?? placed[0])?.cell;
  const [isCode, hasId] = [type === "code", !like || like.id !== undefined];
  const cell = {
    cell_type: type,
    execution_count: isCode ? null : undefined,
    id: hasId ? shortId(() => false) : undefined,
    metadata: {},
    outputs: isCode ? [] : undefined,
    [isCode && like ? keyOf(like) : "source"]: linesOf(realSource(body).replace(/\n$/, "")),
  };
  return JSON.stringify(cell, null, indent ? 1 : 0).replaceAll("\n", indent ?? "");
}

function readCells(json: string): Result<Cell[], "notebook"> {
  let book: Book | null;
  try {
    book = JSON.parse(json) as Book | null;
  } catch {
    return fail("notebook", "is not valid JSON");
  }
  const sheets = Array.isArray(book?.worksheets) ? book.worksheets : [];
  const lists: unknown[] = book?.worksheets === undefined ? [book?.cells] : sheets.map((sheet) => sheet?.cells);
  const isWhole = lists.length > 0 && lists.every((cells) => Array.isArray(cells) && cells.every(isCell));
  return isWhole ? ok((lists as Cell[][]).flat()) : fail("notebook", "is not a notebook: it has no list of cells");
}

function isCell(cell: Partial<Cell> | null): boolean {
  const source = cell?.source ?? cell?.input;
  return typeof cell?.cell_type === "string" && (typeof source === "string" || Array.isArray(source));
}

/** Finds the list of cells, where there is only one. */
function listOf(json: string): ReturnType<typeof spansOf> | undefined {
  const top = spansOf(json, /^\s*/.exec(json)?.[0].length ?? 0).keys;
  const sheets = top?.get("worksheets");
  const [sheet, ...others] = sheets ? (spansOf(json, sheets.start).items ?? []) : [];
  if (others.length > 0) return undefined;
  const list = (sheet ? spansOf(json, sheet.start).keys : top)?.get("cells");
  return list && spansOf(json, list.start);
}
