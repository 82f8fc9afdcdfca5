import { type EntryDraft, type TurnView, textOf } from "@pith/agent";
import { fill, parseJson, recordOf } from "@pith/kit";
import type { Message, Request, UserMessage } from "@pith/llm";
import type { Hall } from "../../../hall/hall.ts";
import { reportNote, runUnasked } from "../unasked.ts";
import analyze from "./analyze.md" with { type: "text" };
import analyzeWrite from "./analyze-write.md" with { type: "text" };
import create from "./create.md" with { type: "text" };
import looked from "./looked.md" with { type: "text" };
import mixed from "./mixed.md" with { type: "text" };
import modify from "./modify.md" with { type: "text" };
import questionProse from "./question.md" with { type: "text" };

export { reportNote };

export type Needs = "aside" | "call" | "channel" | "clock" | "settings" | "standing" | "tools";

/** Asks the model for the intent; the request begins like the next one, so that a server with one cache keeps it. */
export async function classify(
  { aside, channel, settings, clock }: Pick<Hall, Needs>,
  request: Request,
  last: UserMessage,
  { signal }: TurnView,
): Promise<Intent> {
  const { content: input } = last;
  const asks = questionProse.trim();
  const content = typeof input === "string" ? `${input}\n\n${asks}` : [...input, { type: "text", text: asks } as const];
  const messages: Message[] = [...request.messages.slice(0, -1), { ...last, content, timestamp: clock.now() }];
  const within = AbortSignal.any([signal, AbortSignal.timeout(settings.get("dispatch.timeout") * 1000)]);
  channel.announce({ type: "status", key: "dispatch", text: "reads the task" });
  try {
    const question = { ...request, messages, purpose: "classify", calls: "none", answer: answerSchema } as const;
    const { message, failure } = await aside(question, within);
    return failure ? unclear : intentIn(textOf(message.content));
  } finally {
    channel.announce({ type: "status", key: "dispatch" });
  }
}

/** Has a sub-agent answer a question; undefined if that is switched off, or it has failed. */
export async function explore(
  hall: Pick<Hall, Needs>,
  task: string,
  { needsWrite }: Intent,
  { signal }: TurnView,
): Promise<EntryDraft | undefined> {
  if (!hall.settings.get("dispatch.routes") || !hall.tools.get("run_subagent")) return undefined;
  const [line = ""] = task.trim().split("\n");
  const title = line.slice(0, 60).toWellFormed();
  const outcome = await runUnasked(hall, "dispatch", { task, title, mode: "deep-explore" }, signal);
  if (outcome.failed || outcome.text.trim() === "") return undefined;
  const write = needsWrite ? ", and write it where the user wants it" : "";
  return reportNote(fill(looked, { report: outcome.text, write }), outcome);
}

export function guidance({ intent, needsWrite }: Intent): string {
  if (intent === "analyze") return needsWrite ? analyzeWrite : analyze;
  return { modify, create, mixed }[intent];
}

const intents = ["analyze", "modify", "create", "mixed"] as const;

/** The intent of an input, as the model understands it. */
interface Intent {
  intent: (typeof intents)[number];
  needsWrite: boolean;
  /** 0 when the answer could not be read. */
  confidence: number;
}

const unclear: Intent = { intent: "mixed", needsWrite: true, confidence: 0 };

/** The schema of the answer, for servers that can enforce one. */
const answerSchema: Record<string, unknown> = {
  type: "object",
  properties: {
    intent: { type: "string", enum: intents },
    needsWrite: { type: "boolean" },
    reasoning: { type: "string" },
  },
  required: ["intent", "needsWrite", "reasoning"],
};

/** Reads the answer, which may have words around the JSON object. */
export function intentIn(text: string): Intent {
  const [object = ""] = /\{[^{}]*\}/.exec(text.slice(0, mostRead)) ?? [];
  const { intent, needsWrite } = recordOf(parseJson(object));
  const known = intents.find((one) => one === intent);
  return known && typeof needsWrite === "boolean" ? { intent: known, needsWrite, confidence: 0.85 } : unclear;
}

const mostRead = 10_000;
