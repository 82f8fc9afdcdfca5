import { sumOf } from "@pith/kit";
import type { Theme } from "../theme/theme.ts";
import { pad, width } from "./width.ts";
import { wrap } from "./wrap.ts";

export type Align = "left" | "right" | "center";
export interface Table {
  readonly header: readonly string[];
  readonly rows: readonly (readonly string[])[];
  readonly align?: readonly (Align | null)[];
}

const minimum = 5;

/** A table in rows of at most `columns` cells; where its columns do not fit, each record is a list of its fields. */
export function tableRows(table: Table, columns: number, theme: Theme): string[] {
  const count = Math.max(table.header.length, ...table.rows.map((row) => row.length));
  if (count === 0) return [];
  const measure = (of: (cell: string) => number) =>
    Array.from({ length: count }, (_, at) =>
      Math.max(1, ...[table.header, ...table.rows].map((row) => of(row[at] ?? ""))),
    );
  const widths = shares(measure(width), measure(longestWord), columns - (3 * count + 1));
  return widths ? grid(table, widths, theme) : records(table, columns, theme);
}

const longestWord = (cell: string) => Math.max(...cell.split(" ").map(width));
const sum = (list: readonly number[]) => sumOf(list, (each) => each);

/** Widths of the columns: room for their longest words if they fit, the rest for the narrowest that wants more. */
function shares(natural: readonly number[], words: readonly number[], room: number): number[] | undefined {
  if (sum(natural) <= room) return [...natural];
  const widths = sum(words) <= room ? [...words] : natural.map((each) => Math.min(each, minimum));
  if (sum(widths) > room) return undefined;
  for (let left = room - sum(widths); left > 0; left--) {
    const open = widths.filter((each, at) => each < (natural[at] ?? 0));
    const next = widths.findIndex((each, at) => each < (natural[at] ?? 0) && each === Math.min(...open));
    widths[next] = (widths[next] ?? 0) + 1;
  }
  return widths;
}

function grid(table: Table, widths: readonly number[], theme: Theme): string[] {
  const { box } = theme.glyph;
  const rule = (left: string, middle: string, right: string) =>
    theme.paint("border", left + widths.map((each) => box.h.repeat(each + 2)).join(middle) + right);
  const bar = theme.paint("border", box.v);
  const line = (cells: readonly string[], style: (text: string) => string) => {
    const wrapped = widths.map((each, at) => wrap(cells[at] ?? "", each));
    const height = Math.max(1, ...wrapped.map((rows) => rows.length));
    return Array.from({ length: height }, (_, row) => {
      const cells = widths.map(
        (each, at) => ` ${style(pad(wrapped[at]?.[row] ?? "", each, side(table.align?.[at])))} `,
      );
      return bar + cells.join(bar) + bar;
    });
  };
  return [
    rule(box.tl, box.top, box.tr),
    ...line(table.header, (text) => theme.paint("strong", text)),
    rule(box.left, box.cross, box.right),
    ...table.rows.flatMap((cells) => line(cells, (text) => text)),
    rule(box.bl, box.bottom, box.br),
  ];
}

function records(table: Table, columns: number, theme: Theme): string[] {
  return table.rows.flatMap((cells, index) => [
    ...(index > 0 ? [theme.paint("border", theme.glyph.box.h.repeat(Math.max(1, Math.min(columns, 20))))] : []),
    ...cells.flatMap((cell, at) => wrap(`${theme.paint("strong", `${table.header[at] ?? at + 1}:`)} ${cell}`, columns)),
  ]);
}

const side = (align: Align | null | undefined) => (align === "right" ? "start" : align === "center" ? "both" : "end");
