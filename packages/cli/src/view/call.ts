import type { ToolCall } from "@pith/llm";
import { type Draw, fit, linesOf } from "./draw.ts";

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
