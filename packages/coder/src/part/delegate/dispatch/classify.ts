import { type EntryDraft, type TurnView, textOf } from "@pith/agent";
import { fill } from "@pith/kit";
import type { Message, Request, UserMessage } from "@pith/llm";
import type { Hall } from "../../../hall/hall.ts";
import { reportNote, sendBeside } from "../beside.ts";
import analyze from "./analyze.md" with { type: "text" };
import analyzeWrite from "./analyze-write.md" with { type: "text" };
import create from "./create.md" with { type: "text" };
import { answerSchema, type Intent, intentIn, unclear } from "./intent.ts";
import looked from "./looked.md" with { type: "text" };
import mixed from "./mixed.md" with { type: "text" };
import modify from "./modify.md" with { type: "text" };
import question from "./question.md" with { type: "text" };

export { reportNote };

export type Needs = "aside" | "call" | "channel" | "clock" | "settings" | "standing" | "tools";

/** The request is the conversation's own and a question more, so that a server with one cache keeps it. */
export async function classified(
  { aside, channel, settings, clock }: Pick<Hall, Needs>,
  request: Request,
  last: UserMessage,
  { signal }: TurnView,
): Promise<Intent> {
  const { content: said } = last;
  const asks = question.trim();
  const content = typeof said === "string" ? `${said}\n\n${asks}` : [...said, { type: "text", text: asks } as const];
  const messages: Message[] = [...request.messages.slice(0, -1), { ...last, content, timestamp: clock.now() }];
  const within = AbortSignal.any([signal, AbortSignal.timeout(settings.get("dispatch.timeout") * 1000)]);
  channel.announce({ type: "status", key: "dispatch", text: "reads the task" });
  try {
    const beside = { ...request, messages, purpose: "classify", calls: "none", answer: answerSchema } as const;
    const { message, failure } = await aside(beside, within);
    return failure ? unclear : intentIn(textOf(message.content));
  } finally {
    channel.announce({ type: "status", key: "dispatch" });
  }
}

/** What a sub-agent found out about a question; undefined where none was sent, or it brought nothing. */
export async function explored(
  hall: Pick<Hall, Needs>,
  task: string,
  { needsWrite }: Intent,
  { signal }: TurnView,
): Promise<EntryDraft | undefined> {
  if (!hall.settings.get("dispatch.routes") || !hall.tools.get("run_subagent")) return undefined;
  const [line = ""] = task.trim().split("\n");
  const title = line.slice(0, 60).toWellFormed();
  const outcome = await sendBeside(hall, "dispatch", { task, title, mode: "deep-explore" }, signal);
  if (outcome.failed || outcome.text.trim() === "") return undefined;
  const write = needsWrite ? ", and write it where the user wants it" : "";
  return reportNote(fill(looked, { report: outcome.text, write }), outcome);
}

export function guidance({ intent, needsWrite }: Intent): string {
  if (intent === "analyze") return needsWrite ? analyzeWrite : analyze;
  return { modify, create, mixed }[intent];
}
