import type { Hook, Notice } from "@pith/agent";
import { type FailureKind, type Model, modelName } from "@pith/llm";
import type { MakePart } from "../../hall/part.ts";

export interface RetryOptions {
  /** Tries after the first; zero never tries again. */
  max(): number;
  /** The first wait; each further one is twice as long. */
  baseDelayMs: number;
  /** A server that asks for more than this is not waited for. */
  maxDelayMs: number;
  /** Whether a model's server is on this machine or its network: one that cannot be reached there is not running. */
  near(model: Model): boolean;
  /** From 0 to 1: many programs that failed together must not come back together. */
  random: () => number;
  tell(notice: Notice): void;
}

/** How patiently a failing server is tried. */
export const retry: MakePart<"settings" | "models" | "channel" | "choice"> = ({
  settings,
  models,
  channel,
  choice,
}) => ({
  name: "retry",
  hooks: [
    retryHook({
      max: () => (choice.retry === "on" ? settings.get("retry.max") : 0),
      baseDelayMs: settings.get("retry.baseDelayMs"),
      maxDelayMs: settings.get("retry.maxDelayMs"),
      near: models.near,
      random: Math.random,
      tell: (notice) => channel.notify(notice),
    }),
  ],
});

/** Tries a failed request again where waiting may help, after the time the server asks for or ever longer ones. */
export function retryHook({ max, baseDelayMs, maxDelayMs, near, random, tell }: RetryOptions): Hook {
  /** Who has answered was running: one that cannot be reached then is starting again. */
  const running = new Set<string>();
  return {
    name: "retry",
    fail(failure, { attempt, model, reply }) {
      if (reply || failure.kind !== "network") running.add(modelName(model));
      const isAbsent = failure.kind === "network" && near(model) && !running.has(modelName(model));
      const tries = Math.min(max(), isAbsent ? 1 : (most[failure.kind] ?? 0));
      if (attempt > tries) return { do: "give up" };
      const jitter = 1 + (random() - 0.5) / 2;
      // A server that asks for no wait has said nothing of use.
      const wait =
        failure.retryAfterMs || Math.min(maxDelayMs, Math.min(longestMs, baseDelayMs * 2 ** (attempt - 1)) * jitter);
      if (wait <= maxDelayMs) return { do: "retry", delayMs: Math.round(wait), most: tries };
      tell({
        level: "warn",
        text: `The server asks to wait ${lengthOf(wait)}; retry.maxDelayMs allows ${lengthOf(maxDelayMs)}.`,
      });
      return { do: "give up" };
    },
  };
}

/** How often each trouble is worth another try at most. What is not here does not go away by waiting. */
const most: Partial<Record<FailureKind, number>> = {
  rate: Number.POSITIVE_INFINITY,
  overload: Number.POSITIVE_INFINITY,
  server: Number.POSITIVE_INFINITY,
  network: Number.POSITIVE_INFINITY,
  cut: Number.POSITIVE_INFINITY,
  malformed: Number.POSITIVE_INFINITY,
  // Each of these has taken minutes.
  timeout: 2,
};
const longestMs = 60_000;

function lengthOf(ms: number): string {
  if (ms < 60_000) return `${Math.ceil(ms / 1000)} s`;
  return ms < 3_600_000 ? `${Math.ceil(ms / 60_000)} min` : `${Math.round(ms / 360_000) / 10} h`;
}
