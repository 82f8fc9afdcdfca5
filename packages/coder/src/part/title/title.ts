import { type AskModel, type SessionTree, schema as s, textOf } from "@pith/agent";
import { clampEffort, type Model, type ToolSpec } from "@pith/llm";
import type { MakePart } from "../../hall/part.ts";
import { cleanTitle, firstWords } from "./name.ts";
import prose from "./title.md" with { type: "text" };

/** Timeout for making a title. */
const timeoutMs = 10_000;
/** Characters of a message that a title is made of. */
const enough = 2000;

const tool: ToolSpec = {
  name: "set_title",
  description: "Sets the title of the conversation.",
  parameters: { ...s.object({ title: s.string().describe("Three to seven words") }).json },
};

/**
 * Names a conversation after its first answer, in the background. A name given by a person stays. A session that nobody
 * watches gets none.
 */
export const title: MakePart<
  "asks" | "after" | "env" | "journal" | "tree" | "channel" | "choice" | "aside" | "capabilities"
> = (hall) => {
  const { asks, after, env, journal, tree, channel, choice, aside, capabilities } = hall;
  if (!asks || after === "end" || env.PITH_NO_TITLE || journal.file === undefined) return undefined;
  const leaving = new AbortController();
  let making: Promise<void> | undefined;
  let made: string | undefined;
  const isNamed = () => tree.last("session_info") !== undefined || journal.header.title !== undefined;
  // Written between turns only.
  const write = () => {
    if (made === undefined || channel.running || leaving.signal.aborted) return;
    if (!isNamed()) channel.record({ type: "session_info", name: made });
    made = undefined;
  };
  const make = async () => {
    const said = exchange(tree);
    if (said === undefined) return;
    const words = capabilities.of("system").winners.find(({ data }) => data.part === "title")?.data.text;
    const signal = AbortSignal.any([leaving.signal, AbortSignal.timeout(timeoutMs)]);
    const model = await choice.small();
    made =
      (await asked({ aside, model, system: words?.trim() || prose.trim(), said }, signal)) ?? firstWords(said.asked);
    write();
  };
  return {
    name: "title",
    idle(end) {
      write();
      if (end.reason === "done" && !making && !isNamed()) making = make().catch(() => {});
    },
    async [Symbol.asyncDispose]() {
      leaving.abort();
      await making;
    },
  };
};

interface Exchange {
  asked: string;
  answered: string;
}

async function asked(
  { aside, model, system, said }: { aside: AskModel; model: Model; system: string; said: Exchange },
  signal: AbortSignal,
): Promise<string | undefined> {
  const part = (name: string, text: string) => `<${name}>\n${text.slice(0, enough)}\n</${name}>`;
  const content = `${part("request", said.asked)}\n${part("answer", said.answered)}`;
  const { message, failure } = await aside(
    {
      model,
      purpose: "title",
      system: [system],
      messages: [{ role: "user", content: content.toWellFormed(), timestamp: 0 }],
      tools: [tool],
      demand: tool.name,
      effort: clampEffort(model, "off"),
      maxOutput: Math.min(1024, model.maxOutput),
    },
    signal,
  );
  if (failure) return undefined;
  const call = message.content.find((part) => part.type === "toolCall" && part.name === tool.name);
  const given = call?.type === "toolCall" ? call.arguments.title : undefined;
  return typeof given === "string" ? cleanTitle(given) : undefined;
}

/** Returns the first prompt and the last answer to it. */
function exchange(tree: SessionTree): Exchange | undefined {
  let first: string | undefined;
  let answered = "";
  for (const entry of tree.recent()) {
    if (entry.type !== "message") continue;
    const { role, content } = entry.message;
    if (role === "user") {
      if (first !== undefined) break;
      first = textOf(content);
    } else if (role === "assistant" && first !== undefined) answered = textOf(content) || answered;
  }
  return first === undefined ? undefined : { asked: first, answered };
}
