import { type ListedSession, type SearchHit, textOf } from "@pith/agent";
import { idStart, parseJson, plural, readEnd, recordOf } from "@pith/kit";
import { fit, oneLine, type Theme, wrap } from "@pith/tui";
import { dayAndMinute } from "../../../../view/clock.ts";
import { indented } from "../split.ts";

/** Bytes of the end of a record that are searched for the last answer. */
const endBytes = 64 * 1024;

/** Previews a session: time and place, its first prompt and its last answer. */
export function createPreview(theme: Theme) {
  const ends = new Map<string, string>();
  const endOf = (file: string): string => {
    const known = ends.get(file) ?? lastSaid(readEnd(file, endBytes) ?? "");
    ends.set(file, known);
    return known;
  };
  return (
    { file, modified, messages, id, cwd, first = "" }: ListedSession,
    hit: SearchHit | undefined,
    columns: number,
    most: number,
  ) =>
    indented(columns, (wide) => {
      const facts = [
        dayAndMinute(modified),
        messages === undefined ? "" : plural(messages, "message"),
        idStart(id),
        cwd,
      ];
      const told = (who: string, words: string, rows: number) => {
        const said = oneLine(words).slice(0, 600);
        if (said === "") return [];
        const lines = wrap(`${who}: ${said}`, wide);
        return lines.slice(0, rows).map((line, at) => {
          return at === rows - 1 && lines.length > rows
            ? fit(`${line}${theme.glyph.ellipsis}`, wide, theme.glyph.ellipsis)
            : line;
        });
      };
      const begun = hit ? told(hit.role, hit.excerpt, 3) : told("you", first, 2);
      return [
        "",
        theme.paint("dim", fit(oneLine(facts.filter(Boolean).join(", ")), wide, theme.glyph.ellipsis)),
        ...begun,
        ...(hit ? [] : told("answer", endOf(file), 2)),
      ].slice(0, Math.max(2, most));
    });
}

/** The newest answer in the end of a record. */
function lastSaid(text: string): string {
  for (const line of text.split("\n").toReversed()) {
    if (!line.includes('"assistant"')) continue;
    // A line may be another program's, or half of one.
    const { type, message } = recordOf(parseJson(line));
    const { role, content } = recordOf(message);
    const said = type === "message" && role === "assistant" && Array.isArray(content) ? textOf(content).trim() : "";
    if (said !== "") return beginning(said);
  }
  return "";
}

/** The first paragraph of an answer, without the signs of Markdown. */
const beginning = (said: string): string =>
  (said.split(/\n\s*\n|\n?```/).find((part) => part.trim() !== "") ?? said).replace(/[*`]+/g, "");
