import { sheetText } from "../flow.ts";
import { openPackage } from "../package.ts";
import { type Attributes, walkXml } from "../xml.ts";

const maxRows = 100_000;
const maxColumns = 1000;

/** A table for each sheet, cells as they are shown. */
export async function readOds(path: string): Promise<string> {
  const pack = await openPackage(path);
  const texts: string[] = [];
  let [name, rows, row, cell] = ["", [] as string[][], [] as string[], ""];
  let [depth, inText, times] = [0, false, 1];
  const count = (value: string | undefined): number => Math.max(1, Number(value) || 1);
  const openCell = ({ "number-columns-repeated": repeated }: Attributes) => ([cell, times] = ["", count(repeated)]);
  walkXml(await pack.text("content.xml"), {
    skip: new Set(["automatic-styles", "annotation", "tracked-changes", "shapes"]),
    open: {
      table({ name: title = "" }) {
        // A table in a cell belongs to the cell.
        if (depth++ === 0) [name, rows] = [title, []];
      },
      "table-row": () => (row = []),
      "table-cell": openCell,
      "covered-table-cell": openCell,
      p() {
        if (cell !== "") cell += " ";
        inText = true;
      },
      s: ({ c }) => (cell += " ".repeat(Math.min(200, count(c)))),
      tab: () => (cell += "\t"),
    },
    close: {
      p: () => (inText = false),
      "table-cell": () => fill(row, cell, times),
      "covered-table-cell": () => fill(row, "", times),
      "table-row"() {
        // A sheet is filled up with rows and cells that hold nothing, a million times over: what repeats is written
        // once.
        while (row.at(-1) === "") row.pop();
        if (row.length > 0) rows.push(row);
      },
      table() {
        if (--depth === 0) texts.push(`## ${name}\n\n${sheetText(rows, maxRows)}`);
      },
    },
    text(text) {
      if (inText) cell += text.replace(/\s+/g, " ");
    },
  });
  return texts.join("\n\n");
}

function fill(row: string[], cell: string, times: number): void {
  for (let left = Math.min(times, maxColumns - row.length); left > 0; left--) row.push(cell);
}
