import { plainText } from "@pith/kit";
import type { ToolCall } from "@pith/llm";
import { type Draw, fit, head, linesOf } from "./draw.ts";

// What a call is about, most telling first.
const telling = ["command", "path", "pattern", "url", "query"];

/** A call in one line: the tool and what it is about. */
export function callLine({ name, arguments: input, rawArguments }: ToolCall, draw: Draw): string {
  const key = telling.find((one) => typeof input[one] === "string");
  const about = rawArguments ?? (key === undefined ? JSON.stringify(input) : String(input[key]));
  const [line = "", ...more] = linesOf(about, { ...draw, width: 10_000 });
  const [tool = ""] = linesOf(name, draw);
  const room = Math.max(10, draw.width - tool.length - 3);
  return `${draw.theme.accent("•")} ${draw.theme.strong(tool)} ${fit(more.length > 0 ? `${line} …` : line, room)}`;
}

/** Everything a call would do, for the one who has to allow it: no line is cut, nothing invisible stays invisible. */
export function callDetail({ arguments: input }: ToolCall, draw: Draw): string[] {
  const rows = Object.entries(input).flatMap(([key, value]) => {
    const [first = "", ...more] = visible(typeof value === "string" ? value : JSON.stringify(value)).split("\n");
    return more.length === 0
      ? [`${visible(key)}: ${first}`]
      : [`${visible(key)}:`, `  ${first}`, ...more.map((line) => `  ${line}`)];
  });
  return head(rows, { ...draw, lines: 100 });
}

// Marks that reorder or hide text could make a command look like another one.
const visible = (text: string) =>
  plainText(text).replace(
    /[\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g,
    (mark) => `\\u${mark.charCodeAt(0).toString(16)}`,
  );
