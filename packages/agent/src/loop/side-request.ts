import { noUsage, type Purpose, type Request, type Stream, type StreamEvent } from "@pith/llm";
import type { EntryDraft } from "../session/entry.ts";
import type { Reply } from "./fold.ts";
import { costDraft } from "./spent.ts";
import { runStep } from "./step.ts";

/** A request beside the conversation, such as a title or a summary. Its answer is not a message. */
export interface SideRequest extends Request {
  purpose: Exclude<Purpose, "main">;
}

/** Never throws; failures are in the reply. */
export type AskModel = (
  request: SideRequest,
  signal: AbortSignal,
  /** Sees the events of the answer. */
  watch?: (events: readonly StreamEvent[]) => void,
) => Promise<Reply>;

export interface AskModelOptions {
  stream: Stream;
  now(): number;
  /** Records the cost of the answer, even of a failed one. */
  record(draft: EntryDraft): void;
  /** Reason to refuse requests, such as an exhausted budget. */
  spentUp?(): string | undefined;
}

/** Makes a side request. Its cost is recorded like that of any answer. */
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
