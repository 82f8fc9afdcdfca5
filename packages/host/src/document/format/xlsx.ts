import { sheetText } from "../flow.ts";
import { openPackage, type Package } from "../package.ts";
import { walkXml } from "../xml.ts";

const maxRows = 100_000;
const maxColumns = 1000;

export async function readXlsx(path: string): Promise<string> {
  const pack = await openPackage(path);
  const main = "xl/workbook.xml";
  const links = await pack.links(main);
  const sheets: { name: string; part: string; hidden: string }[] = [];
  let since = Date.UTC(1899, 11, 30);
  walkXml(await pack.text(main), {
    open: {
      sheet({ name = "", id = "", state = "" }) {
        const part = links.get(id);
        if (part) sheets.push({ name, part, hidden: state.includes("idden") ? " (hidden)" : "" });
      },
      workbookPr({ date1904 = "" }) {
        if (/^(?:1|true)$/.test(date1904)) since = Date.UTC(1904, 0, 1);
      },
    },
  });
  const shared = await sharedStrings(pack);
  const dates = await dateStyles(pack);
  const texts: string[] = [];
  for (const { name, part, hidden } of sheets) {
    const rows = rowsOf(await pack.optional(part), { shared, dates, since });
    texts.push(`## ${name}${hidden}\n\n${sheetText(rows, maxRows)}`);
  }
  return texts.join("\n\n");
}

async function sharedStrings(pack: Package): Promise<string[]> {
  const strings: string[] = [];
  let text = "";
  walkXml(await pack.optional("xl/sharedStrings.xml"), {
    // Readings of Japanese words.
    skip: new Set(["rPh"]),
    open: { si: () => (text = "") },
    close: { si: () => strings.push(text) },
    text(part, element) {
      if (element === "t") text += part;
    },
  });
  return strings;
}

/** Numbers of the cell styles that show a date. */
async function dateStyles(pack: Package): Promise<Set<string>> {
  const formats = new Set(["14", "15", "16", "17", "18", "19", "20", "21", "22", "45", "46", "47"]);
  const styles = new Set<string>();
  let [at, inside] = [0, false];
  walkXml(await pack.optional("xl/styles.xml"), {
    open: {
      numFmt({ numFmtId, formatCode = "" }) {
        if (numFmtId && /[ymdhs]/i.test(formatCode.replace(/"[^"]*"|\[[^\]]*\]|\\./g, ""))) formats.add(numFmtId);
      },
      cellXfs: () => (inside = true),
      xf({ numFmtId = "" }) {
        if (inside && formats.has(numFmtId)) styles.add(String(at));
        if (inside) at++;
      },
    },
    close: { cellXfs: () => (inside = false) },
  });
  return styles;
}

interface Book {
  shared: readonly string[];
  /** Styles of cells that show a date. */
  dates: ReadonlySet<string>;
  since: number;
}

function rowsOf(xml: string, book: Book): string[][] {
  const rows: string[][] = [];
  let cell = { at: 0, type: "", style: "", value: "", formula: "" };
  walkXml(xml, {
    open: {
      row: () => rows.push([]),
      c: ({ r, t = "n", s = "" }) =>
        (cell = { at: r ? columnOf(r) : (rows.at(-1)?.length ?? 0), type: t, style: s, value: "", formula: "" }),
    },
    close: {
      c() {
        const row = rows.at(-1) ?? [];
        const shown = cellText(cell, book);
        if (shown === "" || cell.at >= maxColumns) return;
        while (row.length < cell.at) row.push("");
        row[cell.at] = shown;
      },
    },
    text(text, element) {
      if (element === "v" || element === "t") cell.value += text;
      if (element === "f") cell.formula += text;
    },
  });
  return rows.filter((row) => row.length > 0);
}

/** The value of a cell as it is shown; a formula that was never computed stands for itself. */
function cellText(
  { type, style, value, formula }: { type: string; style: string; value: string; formula: string },
  { shared, dates, since }: Book,
): string {
  if (value === "") return formula === "" ? "" : `=${formula}`;
  if (type === "s") return shared[Number(value)] ?? "";
  if (type === "b") return value === "1" ? "TRUE" : "FALSE";
  const number = Number(value);
  if (type !== "n" || !dates.has(style) || !Number.isFinite(number) || Math.abs(number) > 3_000_000) return value;
  const iso = new Date(since + Math.round(number * 86_400_000)).toISOString();
  // Less than a day is a time of day.
  if (number >= 0 && number < 1) return iso.slice(11, 19);
  return Number.isInteger(number) ? iso.slice(0, 10) : iso.slice(0, 19).replace("T", " ");
}

function columnOf(reference: string): number {
  let column = 0;
  for (const letter of reference.replace(/\d+$/, "")) column = column * 26 + letter.charCodeAt(0) - 64;
  return column - 1;
}
