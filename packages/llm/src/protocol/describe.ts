import { shorten } from "@pith/kit";
import type { AssistantMessage, ToolCall } from "../message/message.ts";
import { taskComplete } from "../message/stream.ts";

/** Text of a reply. A reply without words gets some, because small models copy silence. */
export function replyText({ content, rawStopReason }: AssistantMessage): string {
  const said = content.flatMap((part) => (part.type === "text" && part.text.trim() !== "" ? [part.text] : []));
  if (said.length > 0) return said.join("\n");
  const calls = content.filter((part) => part.type === "toolCall");
  if (calls.length > 0) return describeCalls(calls);
  if (rawStopReason === taskComplete) return "(done)";
  return content.some((part) => part.type === "thinking") ? "[Reasoning completed]" : "";
}

/** Describes calls in words: "I listed lib and ran 'make'". Equal calls give equal words. */
export function describeCalls(calls: readonly ToolCall[]): string {
  const actions = calls.map(phraseOf);
  const last = actions.at(-1) ?? "";
  return actions.length < 2 ? `I ${last}` : `I ${actions.slice(0, -1).join(", ")} and ${last}`;
}

function phraseOf(call: ToolCall): string {
  const row = phrases.find(([names]) => names.includes(call.name));
  const object = row && arg(call, row[2]);
  return row && object ? row[1].replace("{}", short(object)) : `called ${call.name}`;
}

const phrases: readonly (readonly [names: readonly string[], words: string, args: readonly string[]])[] = [
  [["read"], "read {}", ["path", "file", "file_path"]],
  [["write"], "wrote {}", ["path", "file", "file_path"]],
  [["edit"], "edited {}", ["path", "file", "file_path"]],
  [["grep", "search"], "searched for '{}'", ["pattern", "query"]],
  [["find", "glob"], "looked for {}", ["pattern", "glob"]],
  [["ls"], "listed {}", ["path"]],
  [["bash", "shell"], "ran {}", ["command"]],
  [["fetch"], "fetched {}", ["url"]],
];

const arg = (call: ToolCall, names: readonly string[]) =>
  names.map((name) => call.arguments[name]).find((value) => typeof value === "string" && value !== "");
function short(value: unknown): string {
  const line = String(value).split("\n", 1)[0] ?? "";
  return shorten(line, 80);
}
