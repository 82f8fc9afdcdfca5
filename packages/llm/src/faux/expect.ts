import type { Message } from "../message/message.ts";
import type { Request } from "../message/stream.ts";
import type { Expectation, Pattern } from "./script.ts";

/** The parts of a request that a script can test. */
export interface RequestView {
  /** The last message of the user. */
  user: string;
  /** Tool results since the last reply, joined. */
  result: string;
  system: string;
  tools: readonly string[];
}

export function viewRequest({ system, messages, tools }: Request): RequestView {
  const replied = messages.findLastIndex((message) => message.role === "assistant");
  return {
    user: textOf(messages.findLast((message) => message.role === "user")),
    result: messages
      .slice(replied + 1)
      .filter((message) => message.role === "toolResult")
      .map(textOf)
      .join("\n"),
    system: system.join("\n\n"),
    tools: tools.map((tool) => tool.name),
  };
}

/** Describes the first expectation that is not met; undefined when all are. */
export function unmet(expected: Expectation, seen: RequestView): string | undefined {
  for (const key of ["user", "result", "system"] as const) {
    const patterns = expected[key] ?? [];
    for (const pattern of Array.isArray(patterns) ? patterns : [patterns])
      if (!occurs(pattern, seen[key]))
        return `expected ${titles[key]} to ${describe(pattern)}, but it is ${excerpt(seen[key])}`;
  }
  const missing = expected.tools?.find((name) => !seen.tools.includes(name));
  return missing === undefined
    ? undefined
    : `expected the tool "${missing}", but the tools are ${seen.tools.join(", ") || "none"}`;
}

const titles = { user: "the last user message", result: "the last tool results", system: "the system prompt" };

const occurs = (pattern: Pattern, text: string) =>
  typeof pattern === "string" ? text.includes(pattern) : new RegExp(pattern.matches, pattern.flags).test(text);
const describe = (pattern: Pattern) =>
  typeof pattern === "string"
    ? `contain ${JSON.stringify(pattern)}`
    : `match /${pattern.matches}/${pattern.flags ?? ""}`;
const excerpt = (text: string) =>
  text === "" ? "empty" : JSON.stringify(text.length > 300 ? `${text.slice(0, 300).toWellFormed()}…` : text);

function textOf(message: Message | undefined): string {
  if (message === undefined) return "";
  if (typeof message.content === "string") return message.content;
  return message.content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n");
}
