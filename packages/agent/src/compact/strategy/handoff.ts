import { fail, fill, ok, type Result } from "@pith/kit";
import { textOf } from "../../session/text.ts";
import { withTrueNames } from "../summary/names.ts";
import { saidIn } from "../summary/said.ts";
import prose from "./handoff.md" with { type: "text" };
import { answerTimeoutMs, type CompactionTask, type Strategy } from "./strategy.ts";

export type Handoff = Pick<CompactionTask, "nextRequest" | "aside" | "instructions" | "signal">;

/** Asks the model, which knows the whole session, for the document that the next session begins with. */
export async function handoffDocument(handoff: Handoff): Promise<Result<string, "aborted" | "unable">> {
  const { nextRequest, aside, instructions, signal } = handoff;
  const request = await nextRequest();
  const wish = instructions ? `\n\nLook after this in particular: ${instructions}` : "";
  const asked = { role: "user" as const, content: fill(prose, { instructions: wish }).trim(), timestamp: 0 };
  // The conversation's own request comes first, so that the server's cache is used.
  const messages = [...request.messages, asked];
  const { message, failure } = await aside(
    { ...request, messages, purpose: "handoff", calls: "none" },
    AbortSignal.any([signal, AbortSignal.timeout(answerTimeoutMs)]),
  );
  if (signal.aborted) return fail("aborted", "interrupted");
  if (failure) return fail("unable", failure.message);
  if (message.content.some((part) => part.type === "toolCall"))
    return fail("unable", "the model called a tool instead");
  if (message.stopReason === "length") return fail("unable", "the document was cut off");
  const document = textOf(message.content).trim();
  return document === "" ? fail("unable", "the model wrote no document") : ok(document);
}

/** Hands the session off to a new one instead of summing it up. */
export const handoff: Strategy = async (task) => {
  if (task.cause === "overflow") return fail("unable", "what does not fit cannot be handed off either");
  const document = await handoffDocument(task);
  if (!document.ok) return document;
  const { path, sizes, tokens } = task;
  const more = [task.instructions ?? ""];
  const { summary } = withTrueNames(document.value, saidIn(path, { more, earlier: task.earlier }));
  // A session that begins with so long a document would be handed off again.
  const length = tokens({ role: "user", content: summary, timestamp: 0 });
  if (length > sizes.goal - sizes.fixed - sizes.words) return fail("unable", "the document is too long");
  return ok({ kind: "document", document: summary });
};
