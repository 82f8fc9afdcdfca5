import { escapes } from "./width.ts";

/** The same rows, each with all of its colours and its link: rows are drawn one by one and in any order. */
export function carried(rows: readonly string[]): string[] {
  const on = new Map<string, string>();
  let link = "";
  return rows.map((row) => {
    const before = opening(on, link);
    for (const sequence of row.match(escapes) ?? []) {
      if (sequence.endsWith("m") && sequence.startsWith("\x1b[")) switchTo(on, sequence.slice(2, -1));
      else if (sequence.startsWith("\x1b]8;")) link = target.test(sequence) ? sequence : "";
    }
    return before + row + (on.size > 0 ? "\x1b[0m" : "") + (link === "" ? "" : "\x1b]8;;\x1b\\");
  });
}

/** The sequence that switches on again what a text of plain letters and colours leaves on. */
export function leftOn(text: string): string {
  if (!text.includes("\x1b")) return "";
  const on = new Map<string, string>();
  for (const sequence of text.match(escapes) ?? []) switchTo(on, sequence.slice(2, -1));
  return opening(on, "");
}

const opening = (on: ReadonlyMap<string, string>, link: string) =>
  (on.size > 0 ? `\x1b[${[...on.values()].join(";")}m` : "") + link;

// biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences are the subject
const target = /^\x1b\]8;[^;]*;[^\x07\x1b]/;

/** Codes that a code switches off; a colour stands under the code that begins it. */
const ends: Record<string, readonly string[]> = {
  22: ["1", "2"], 23: ["3"], 24: ["4"], 25: ["5"], 27: ["7"], 28: ["8"], 29: ["9"], 39: ["38"], 49: ["48"], 55: ["53"],
  59: ["58"],
}; // biome-ignore format: a table

function switchTo(on: Map<string, string>, codes: string) {
  const list = codes.split(";");
  for (let at = 0; at < list.length; at++) {
    const [first = ""] = (list[at] ?? "").split(":");
    if (first === "" || first === "0") on.clear();
    else if (ends[first]) for (const slot of ends[first]) on.delete(slot);
    else {
      // A colour is several numbers, with colons between them or in fields of their own.
      const more = list[at] === first && /^[345]8$/.test(first) ? (list[at + 1] === "2" ? 4 : 2) : 0;
      on.set(slotOf(Number(first)), list.slice(at, at + more + 1).join(";"));
      at += more;
    }
  }
}

function slotOf(code: number): string {
  if ((code >= 30 && code <= 38) || (code >= 90 && code <= 97)) return "38";
  if ((code >= 40 && code <= 48) || (code >= 100 && code <= 107)) return "48";
  return code === 21 ? "4" : code === 6 ? "5" : String(code);
}
