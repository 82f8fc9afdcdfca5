import { noUsage, type Purpose, type Request, type Stream, type StreamEvent } from "@pith/llm";
import type { EntryDraft } from "../session/entry.ts";
import type { Reply } from "./fold.ts";
import { costDraft } from "./spent.ts";
import { runStep } from "./step.ts";

/** A request beside the conversation: a title, a summary. Its answer is nobody's message. */
export interface SideRequest extends Request {
  purpose: Exclude<Purpose, "main">;
}

/** Never throws; a failure is in the reply. */
export type AskModel = (
  request: SideRequest,
  signal: AbortSignal,
  /** What has come of the answer since. */
  watch?: (events: readonly StreamEvent[]) => void,
) => Promise<Reply>;

export interface AskModelOptions {
  stream: Stream;
  now(): number;
  /** Takes what the answer has cost, whatever came of it. */
  record(draft: EntryDraft): void;
  /** Why nothing more may be asked: a budget is used up. */
  spentUp?(): string | undefined;
}

/** Asks beside the conversation. What it costs is a fact of the record like the cost of any answer. */
export const createAskModel =
  ({ stream, now, record, spentUp }: AskModelOptions): AskModel =>
  async (request, signal, watch = () => {}) => {
    const seen = (events: readonly StreamEvent[]) => {
      watch(events);
      return undefined;
    };
    const over = spentUp?.();
    const { message, failure } =
      over === undefined
        ? await runStep({ request, model: request.model, stream, signal, now: now(), watch: seen })
        : notAsked(request, over, now());
    if (message.usage.totalTokens > 0) record(costDraft(message, request.purpose));
    return { message, failure };
  };

function notAsked({ model }: Request, message: string, timestamp: number): Reply {
  return {
    message: {
      role: "assistant",
      content: [],
      api: model.api,
      provider: model.vendor,
      model: model.id,
      usage: noUsage(),
      stopReason: "aborted",
      errorMessage: message,
      timestamp,
    },
    failure: { kind: "aborted", message },
  };
}
