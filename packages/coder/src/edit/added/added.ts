import type { ArrivingText, ArrivingTextReader } from "@pith/agent";
import { JsonTexts, type Piece } from "./json.ts";
import { AddedRows } from "./rows.ts";

/** What a text of some arguments is: the name of the file, all that it adds, or rows that say so. */
type Meaning = "path" | "text" | "diff" | "sections";

const path = ["path", "file_path", "filePath", "filepath", "file", "filename", "target_file", "absolute_path"];

const words = (meaning: Meaning, names: readonly string[]): [string, Meaning][] => names.map((name) => [name, meaning]);

export const writeWords: ReadonlyMap<string, Meaning> = new Map([
  ...words("path", path),
  ...words("text", ["content", "contents", "text", "file_text", "code", "data"]),
]);

export const editWords: ReadonlyMap<string, Meaning> = new Map([
  ...words("path", path),
  ...words("text", ["newText", "new_text", "new_string", "newString", "new_str", "insert_text", "file_text"]),
  ...words("diff", ["diff"]),
  ...words("sections", ["input", "patch", "patchText"]),
]);

/** Reads what a call adds, whichever of its words it is said in. What comes before the name of its file waits for it. */
export function adding(meanings: ReadonlyMap<string, Meaning>): ArrivingTextReader {
  const json = new JsonTexts();
  const rows = new Map<string, AddedRows>();
  let name: string | undefined;
  let naming = "";
  const waiting: ArrivingText[] = [];
  const named = ({ path: own = name, text }: ArrivingText): ArrivingText => ({ path: own, text });
  const rowsOf = (key: string, kind: "diff" | "sections") => {
    const reader = rows.get(key) ?? new AddedRows(kind);
    rows.set(key, reader);
    return reader;
  };
  const read = ({ key, text, over }: Piece): ArrivingText[] => {
    const meaning = meanings.get(key);
    if (meaning === undefined) return [];
    if (meaning === "text") return [{ path: name, text: over ? "\n" : text }];
    if (meaning !== "path") return rowsOf(key, meaning).take(over ? "\n" : text);
    naming += text;
    if (over) [name, naming] = [naming, ""];
    return [];
  };
  return {
    take(delta) {
      const added = [...waiting.splice(0), ...json.take(delta).flatMap(read)].map(named);
      waiting.push(...added.filter((one) => one.path === undefined));
      return added.filter((one) => one.path !== undefined);
    },
    end: () => waiting.splice(0),
  };
}

/** All that the arguments of any call say, text by text. */
export function saying(): ArrivingTextReader {
  const json = new JsonTexts();
  return {
    take: (delta) => json.take(delta).map(({ text, over }) => ({ text: over ? "\n" : text })),
    end: () => [],
  };
}
