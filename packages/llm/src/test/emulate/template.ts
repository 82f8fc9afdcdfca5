import type { Scene } from "../fake.ts";
import type { Seen, Told } from "./seen.ts";

/** A chat template, and the error for messages it refuses. */
export interface Template {
  about: string;
  refuses(messages: readonly Told[]): string | undefined;
}

const alternate = "Conversation roles must alternate user/assistant/user/assistant/...";

export const templates = {
  open: { about: "takes messages in any order", refuses: () => undefined },
  mistral: {
    about: "roles alternate; results stand between replies, and no user's message follows them",
    refuses: (messages) => misplaced(withoutSystem(messages)),
  },
  gemma: {
    about: "as Mistral's, and knows neither calls nor a role for results",
    refuses(messages) {
      const [said] = [withoutSystem(messages)];
      if (said.some(({ role, calls }) => role === "tool" || calls.length > 0)) return "Only user and model roles exist";
      return misplaced(said);
    },
  },
  "one system": {
    about: "a system message stands first or nowhere",
    refuses: (messages) =>
      messages.slice(1).some(({ role }) => role === "system") ? "System message must be at the beginning." : undefined,
  },
} as const satisfies Readonly<Record<string, Template>>;

export type TemplateName = keyof typeof templates;

const withoutSystem = (messages: readonly Told[]) => (messages[0]?.role === "system" ? messages.slice(1) : messages);

function misplaced(messages: readonly Told[]): string | undefined {
  if (messages[0]?.role !== "user") return alternate;
  for (const [at, { role }] of messages.entries()) {
    const before = messages[at - 1];
    if (role === "system")
      return "Only user, assistant and tool roles are supported, and a system message at the start";
    if (before === undefined) continue;
    if (role === "tool") {
      if (before.role !== "tool" && before.calls.length === 0) return "A tool message must follow a reply with calls";
    } else if (role === "user" ? before.role !== "assistant" : before.role === "assistant") return alternate;
  }
  return undefined;
}

/** The text that a model reads. Whatever is the same at the start of two requests is the same here. */
export const prompt = ({ messages, tools }: Seen): string =>
  `${tools.length > 0 ? `<tools>${JSON.stringify(tools)}</tools>` : ""}${messages.map(rendered).join("")}<assistant>`;

/** A reply in the server's cache: it is repeated in the next request, without its thinking. */
export const answered = ({ thinking, text = "", calls = [] }: Scene): string =>
  `${thinking ? `<think>${thinking}</think>` : ""}${text}${callsText(calls)}</>`;

const rendered = ({ role, text, calls, tool, images }: Told): string =>
  `<${role}${tool ? ` ${tool}` : ""}>${text}${"<image>".repeat(images)}${callsText(calls)}</>`;

const callsText = (calls: readonly { name: string; args: unknown }[]): string =>
  calls.map(({ name, args }) => `<call>${JSON.stringify({ name, args })}</call>`).join("");
