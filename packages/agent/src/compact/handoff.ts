import { fail, fill, ok, type Result } from "@pith/kit";
import type { Request } from "@pith/llm";
import type { Aside } from "../loop/aside.ts";
import { textOf } from "../session/text.ts";
import prose from "./handoff.md" with { type: "text" };
import type { Strategy } from "./strategy.ts";

export interface Handoff {
  /** What the model would be asked now. */
  standing(): Promise<Request>;
  aside: Aside;
  /** What a person asked to be looked after. */
  instructions?: string | undefined;
  signal: AbortSignal;
}

/** The document that another session begins with, written by the model that knows all of this one. */
export async function handoffDocument(handoff: Handoff): Promise<Result<string, "aborted" | "unable">> {
  const { standing, aside, instructions, signal } = handoff;
  const request = await standing();
  const wish = instructions ? `\n\nLook after this in particular: ${instructions}` : "";
  const asked = { role: "user" as const, content: fill(prose, { instructions: wish }).trim(), timestamp: 0 };
  // The same words, tools and messages before it, so that a server finds what it has cached.
  const messages = [...request.messages, asked];
  const { message, failure } = await aside({ ...request, messages, purpose: "handoff", calls: "none" }, signal);
  if (signal.aborted) return fail("aborted", "interrupted");
  if (failure) return fail("unable", failure.message);
  if (message.stopReason === "length") return fail("unable", "the document was cut off");
  const document = textOf(message.content).trim();
  return document === "" ? fail("unable", "the model wrote no document") : ok(document);
}

/** Another session goes on; nothing is summed up here. */
export const handoff: Strategy = async (task) => {
  if (task.cause === "overflow") return fail("unable", "what does not fit cannot be handed off either");
  const document = await handoffDocument(task);
  return document.ok ? ok({ kind: "document", document: document.value }) : document;
};
