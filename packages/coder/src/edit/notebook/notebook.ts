import { guardCell, notebookText, unguardCell } from "@pith/host";
import { type Span, spansOf } from "./json-span.ts";

/** One cell: what it is, what it says, and where that stands in the file. */
interface Cell {
  type: string;
  /** As it is shown. */
  source: string;
  /** What its source is called in the file: code was `input` before version 4. */
  key: "source" | "input";
  whole: Span;
  value: Span;
}

/** A notebook that can be edited as the text that is shown of it. Everything but what was changed keeps its bytes. */
export interface Notebook {
  text: string;
  /** The file with its cells as this text has them. */
  apply(text: string): { ok: true; json: string } | { ok: false; message: string };
}

/** Undefined when it is no notebook, or one whose cells do not stand in one list. */
export function openNotebook(json: string): Notebook | undefined {
  const cells = cellsOf(json);
  const text = notebookText(json);
  if (!cells || !text.ok) return undefined;
  return { text: text.value, apply: (changed) => applyText(json, cells, changed) };
}

function applyText(json: string, cells: readonly Cell[], text: string): ReturnType<Notebook["apply"]> {
  const wanted = split(text);
  if (!wanted) return { ok: false, message: "a notebook begins with a cell, like # %% [code] cell:0" };
  const known = wanted
    .filter((part) => part.number !== undefined && part.number < cells.length)
    .map((part) => part.number);
  if (new Set(known).size < known.length)
    return { ok: false, message: "a cell stands there twice; a new one begins with # %% [code] and no number" };
  const made = wanted.map((part) => {
    const cell = part.number === undefined ? undefined : cells[part.number];
    return cell ? cellText(json, cell, part) : newCell(json, cells, part);
  });
  const [first, last] = [cells[0], cells.at(-1)];
  if (!first || !last) return { ok: false, message: "the notebook has no cell to put this beside" };
  // What stands between two cells stands between any two.
  const second = cells[1];
  const between = second ? json.slice(first.whole.end, second.whole.start) : ",";
  return { ok: true, json: json.slice(0, first.whole.start) + made.join(between) + json.slice(last.whole.end) };
}

interface Part {
  type: string;
  number: number | undefined;
  body: string;
}

const marker = /^# %% \[(\w+)\](?: cell:(\d+))?[ \t]*\r?(?:\n|$)/m;

function split(text: string): Part[] | undefined {
  const heads = [...text.matchAll(new RegExp(marker, "gm"))];
  if (heads[0]?.index !== 0) return undefined;
  return heads.map((head, i) => {
    const body = text.slice(head.index + head[0].length, heads[i + 1]?.index);
    // An empty line before the next marker belongs to the text, not to the cell.
    return {
      type: head[1] ?? "code",
      number: head[2] === undefined ? undefined : Number(head[2]),
      body: heads[i + 1] ? body.replace(/(?:\r?\n){1,2}$/, "") : body,
    };
  });
}

/** A cell whose text is as it was keeps all its bytes. */
function cellText(json: string, cell: Cell, part: Part): string {
  const whole = json.slice(cell.whole.start, cell.whole.end);
  if (part.body === cell.source && part.type === cell.type) return whole;
  const [start, end] = [cell.value.start - cell.whole.start, cell.value.end - cell.whole.start];
  const changed =
    whole.slice(0, start) +
    sourceText(json.slice(cell.value.start, cell.value.end), unguardCell(part.body)) +
    whole.slice(end);
  return part.type === cell.type
    ? changed
    : changed.replace(/("cell_type"\s*:\s*)"\w+"/, (_, key: string) => `${key}${JSON.stringify(part.type)}`);
}

/** In the form of the old one: one text, or a list of lines. Lines that were there keep their bytes. */
function sourceText(old: string, source: string): string {
  if (!old.startsWith("[")) return JSON.stringify(source);
  const lines = source.split(/(?<=\n)/).filter((line) => line !== "");
  const items = spansOf(old, 0).items ?? [];
  const raw = new Map(
    items.map((item) => [JSON.parse(old.slice(item.start, item.end)) as unknown, old.slice(item.start, item.end)]),
  );
  const [first, last] = [items[0], items.at(-1)];
  const open = first ? old.slice(0, first.start) : "[";
  const second = items[1];
  const between = first && second ? old.slice(first.end, second.start) : `,${open.slice(1)}`;
  return lines.length === 0
    ? "[]"
    : open +
        lines.map((line) => raw.get(line) ?? JSON.stringify(line)).join(between) +
        (last ? old.slice(last.end) : "]");
}

/** Like a cell of its kind, without what running one left behind. */
function newCell(json: string, cells: readonly Cell[], { type, body }: Part): string {
  const like = cells.find((cell) => cell.type === type) ?? cells[0];
  const indent = like ? (/\n([ \t]*)$/.exec(json.slice(0, like.whole.start))?.[1] ?? "") : "";
  const source = unguardCell(body)
    .replace(/\n$/, "")
    .split(/(?<=\n)/)
    .filter((line) => line !== "");
  const cell = {
    cell_type: type,
    ...(type === "code" ? { execution_count: null } : {}),
    metadata: {},
    ...(type === "code" ? { outputs: [] } : {}),
    [(type === "code" && like?.key) || "source"]: source,
  };
  return JSON.stringify(cell, null, indent === "" ? 0 : 1).replaceAll("\n", `\n${indent}`);
}

interface Book {
  cells?: { cell_type?: unknown; source?: unknown; input?: unknown }[];
}

function cellsOf(json: string): Cell[] | undefined {
  try {
    const parsed = JSON.parse(json) as Book & { worksheets?: Book[] };
    const top = spansOf(json, skipSpace(json)).keys;
    const sheets = top?.get("worksheets");
    const [sheet, ...others] = sheets ? (spansOf(json, sheets.start).items ?? []) : [];
    const spans = (sheet && others.length === 0 ? spansOf(json, sheet.start).keys : top)?.get("cells");
    const cells = parsed.cells ?? parsed.worksheets?.[0]?.cells;
    const items = spans && spansOf(json, spans.start).items;
    if (!Array.isArray(cells) || !items || items.length !== cells.length) return undefined;
    return cells.map((cell, i): Cell => {
      const whole = items[i] as Span;
      const key = cell.source === undefined ? "input" : "source";
      const value = spansOf(json, whole.start).keys?.get(key);
      const source = Array.isArray(cell[key]) ? cell[key].join("") : cell[key];
      if (!value || typeof source !== "string" || typeof cell.cell_type !== "string") throw new Error("not a cell");
      return { type: cell.cell_type, source: guardCell(source), key, whole, value };
    });
  } catch {
    return undefined;
  }
}

const skipSpace = (json: string): number => /^\s*/.exec(json)?.[0].length ?? 0;
