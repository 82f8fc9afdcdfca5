import { plainText } from "@pith/kit";
import type { ToolCall } from "@pith/llm";
import { width } from "@pith/tui/look";
import { type Canvas, head, linesOf, oneLine, rowOf } from "./canvas.ts";

// What a call is about, most telling first.
const telling = ["command", "path", "pattern", "url", "query"];

/** A call in one row: the tool and what it is about. */
export function callRow({ name, arguments: input, rawArguments }: ToolCall, canvas: Canvas): string {
  const { look, columns } = canvas;
  const key = telling.find((name) => typeof input[name] === "string");
  const [line = "", ...more] = linesOf(
    rawArguments ?? (key === undefined ? JSON.stringify(input) : String(input[key])),
  );
  const tool = oneLine(name);
  const room = Math.max(10, columns - width(`${look.glyph.bullet} ${tool} `));
  const about = rowOf(more.length > 0 ? `${line} ${look.glyph.ellipsis}` : line, { ...canvas, columns: room });
  return `${look.paint("accent", look.glyph.bullet)} ${look.paint("strong", tool)} ${about}`;
}

/** Everything a call would do, for the one who has to allow it: no line is cut, nothing invisible stays invisible. */
export function callDetail({ arguments: input }: ToolCall, canvas: Canvas): string[] {
  const lines = Object.entries(input).flatMap(([key, value]) => {
    const [first = "", ...more] = visible(typeof value === "string" ? value : JSON.stringify(value)).split("\n");
    return more.length === 0
      ? [`${visible(key)}: ${first}`]
      : [`${visible(key)}:`, `  ${first}`, ...more.map((line) => `  ${line}`)];
  });
  return head(lines, { ...canvas, columns: Number.POSITIVE_INFINITY, height: 100 });
}

// Marks that reorder or hide text could make a command look like another one.
const visible = (text: string) =>
  plainText(text).replace(
    /[\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g,
    (mark) => `\\u${mark.charCodeAt(0).toString(16)}`,
  );
