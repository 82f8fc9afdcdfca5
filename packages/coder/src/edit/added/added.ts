import type { ArrivingText, ArrivingTextReader } from "@pith/agent";
import { JsonTexts, type Piece } from "./json.ts";
import { AddedRows } from "./rows.ts";

/** The meaning of an argument: the name of the file, a text that it adds, or rows of which some add. */
type Meaning = "path" | "text" | "diff" | "sections";

/** Words of other agents for the path of a file. */
export const pathWords = ["file_path", "filePath", "filepath", "file", "filename", "target_file", "absolute_path"];

const wordsOf = (names: Partial<Record<Meaning, readonly string[]>>): ReadonlyMap<string, Meaning> =>
  new Map(Object.entries(names).flatMap(([meaning, words]) => words.map((word) => [word, meaning as Meaning])));

export const writeWords = wordsOf({
  path: ["path", ...pathWords],
  text: ["content", "contents", "text", "file_text", "code", "data"],
});

export const editWords = wordsOf({
  path: ["path", ...pathWords],
  text: ["newText", "new_text", "new_string", "newString", "new_str", "insert_text", "file_text"],
  diff: ["diff"],
  sections: ["input", "patch", "patchText"],
});

/** Reads the text that a call adds, whichever words it uses. Text before the name of its file waits for that. */
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

/** Reads all texts in the arguments of any call. */
export function saying(): ArrivingTextReader {
  const json = new JsonTexts();
  return {
    take: (delta) => json.take(delta).map(({ text, over }) => ({ text: over ? "\n" : text })),
    end: () => [],
  };
}
