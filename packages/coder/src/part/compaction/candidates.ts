import {
  type AskModel,
  type CompactionCause,
  loadCompaction,
  type Summarizer,
  type SummaryRetry,
  textOf,
} from "@pith/agent";
import { fail, ok, type Result, recordOf, sleep, tryOr } from "@pith/kit";
import { clampEffort, type Failure, type FailureKind, loadPost, type Model, modelName } from "@pith/llm";
import type { Hall } from "../../hall/hall.ts";
import { affordable } from "../../model/choice.ts";

/** Attempts with the last candidate, and the longest wait between two. */
const attempts = 3;
const longestMs = 15_000;

type Purpose = CompactionCause | "branch";

/**
 * Candidates to ask for a summary, in this order: the configured endpoint and model, the present model, the small one,
 * the fallbacks. The user is told of each that fails.
 */
export async function candidatesFor(
  { settings, choice, models, secrets, channel }: Pick<Hall, "settings" | "choice" | "models" | "secrets" | "channel">,
  of: Purpose,
  aside: AskModel,
): Promise<Summarizer[]> {
  const tell = (text: string) => channel.notify({ level: "warn", text });
  const named = async (name: string | undefined, setting?: string): Promise<Model[]> => {
    if (!name) return [];
    const found = await models.resolve(name);
    const model = found.ok ? affordable(choice.wanted, found.value) : found;
    if (!model.ok && setting) tell(`${setting} is not asked: ${model.message}`);
    return model.ok ? [model.value] : [];
  };
  const fallbacks = (settings.get("fallback.models") ?? "").split(",").map((name) => named(name.trim()));
  const all = [
    ...(await named(settings.get("compaction.model"), "compaction.model")),
    choice.model,
    ...(await named(settings.get("roles.smol"))),
    ...(await Promise.all(fallbacks)).flat(),
  ];
  const once = [...new Map(all.map((model) => [modelName(model), model])).values()];
  const url = settings.get("compaction.remoteEnabled") ? settings.get("compaction.remoteEndpoint") : undefined;
  const again = (now: SummaryRetry) => channel.announce({ type: "summing", of, now });
  const candidates: Summarizer[] = [
    ...(url ? [remoteCandidate({ url, mask: (text) => secrets.mask(text) })] : []),
    ...once.map((model, at) => candidateOf(model, { aside, again, of }, at === once.length - 1 ? attempts : 1)),
  ];
  return candidates.map((candidate) => ({
    ...candidate,
    gaveNone: (why) => tell(`${candidate.name} gave no summary: ${why}`),
  }));
}

function candidateOf(
  model: Model,
  { aside, again, of }: { aside: AskModel; again(now: SummaryRetry): void; of: Purpose },
  times: number,
): Summarizer {
  return {
    name: modelName(model),
    window: model.contextWindow || Number.POSITIVE_INFINITY,
    async ask(question, signal) {
      const request = requestOf(model, of, question);
      const { answerTimeoutMs } = await loadCompaction();
      for (let attempt = 1; ; attempt++) {
        if (attempt > 1) again({ is: "asking" });
        const limited = AbortSignal.any([signal, AbortSignal.timeout(answerTimeoutMs)]);
        const { message, failure } = await aside(request, limited);
        const isLast = !failure || signal.aborted || attempt >= times || !passes(failure);
        if (isLast && attempt > 1) again({ is: "over" });
        if (signal.aborted) return fail("aborted", "it was stopped");
        if (!failure) return accepted(message);
        if (isLast) return fail("failed", failure.message);
        const delayMs = Math.min(longestMs, failure.retryAfterMs ?? 1000 * 2 ** (attempt - 1));
        again({ is: "waiting", attempt, most: times - 1, delayMs, message: failure.message });
        await sleep(delayMs, signal);
      }
    },
  };
}

function requestOf(
  model: Model,
  of: Purpose,
  { system, prompt, maxOutput }: Parameters<Summarizer["ask"]>[0],
): Parameters<AskModel>[0] {
  const effort = clampEffort(model, "off");
  return {
    model,
    purpose: of === "branch" ? "branch" : "summary",
    system: [system],
    messages: [{ role: "user", content: prompt.toWellFormed(), timestamp: 0 }],
    tools: [],
    effort,
    // A model that always thinks needs room for that, too.
    maxOutput: Math.min(model.maxOutput || maxOutput, maxOutput + (effort === "off" ? 0 : 4096)),
  };
}

/** The text of an answer that is whole and nothing but text. */
function accepted(message: Awaited<ReturnType<AskModel>>["message"]): Result<string, "refused" | "long"> {
  if (message.content.some((part) => part.type === "toolCall")) return fail("refused", "it called a tool instead");
  if (message.stopReason === "length") return fail("long", "its summary was cut off");
  const text = textOf(message.content).trim();
  return text === "" ? fail("refused", "it said nothing") : ok(text);
}

const passing: ReadonlySet<FailureKind> = new Set(["rate", "overload", "server", "network", "timeout", "cut"]);
/** True for a failure that may pass soon. */
const passes = ({ kind, retryAfterMs = 0 }: Failure): boolean => passing.has(kind) && retryAfterMs <= longestMs;

const maxBytes = 1024 * 1024;

interface RemoteOptions {
  url: string;
  /** Masks secrets, as in every request. */
  mask(text: string): string;
  timeoutMs?: number;
}

/** A server of the user that summarizes: it gets `{systemPrompt, prompt}` and answers with `{summary}`. */
export function remoteCandidate({ url, mask, timeoutMs = 120_000 }: RemoteOptions): Summarizer {
  return {
    // The rest of the address may hold a key.
    name: tryOr(() => new URL(url).host, "") || "compaction.remoteEndpoint",
    window: Number.POSITIVE_INFINITY,
    async ask({ system, prompt }, signal) {
      const post = await loadPost();
      const body = { systemPrompt: mask(system), prompt: mask(prompt.toWellFormed()) };
      const answer = await post({ url, body, maxBytes, timeoutMs, signal });
      if (signal.aborted) return fail("aborted", "it was stopped");
      if (!answer.ok) return fail("failed", answer.message);
      const { summary } = recordOf(answer.value);
      if (typeof summary !== "string" || summary.trim() === "") return fail("refused", "it gave no summary");
      return ok(summary.trim());
    },
  };
}
