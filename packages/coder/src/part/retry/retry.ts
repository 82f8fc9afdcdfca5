import { type FailureKind, modelName } from "@pith/llm";
import type { Hall } from "../../hall/hall.ts";
import type { MadePart } from "../../hall/part.ts";

type Needs = "settings" | "models" | "channel" | "choice";

/**
 * Tries a failed request again when waiting may help, after the time that the server asks for, or after ever longer
 * ones. `random` spreads programs that failed together.
 */
export const retry = (hall: Pick<Hall, Needs>, random = Math.random): MadePart<never> => {
  const { settings, models, channel, choice } = hall;
  const baseDelayMs = settings.get("retry.baseDelayMs");
  const maxDelayMs = settings.get("retry.maxDelayMs");
  /** Models that have answered. One that then cannot be reached is starting again. */
  const running = new Set<string>();
  return {
    name: "retry",
    fail(failure, { attempt, model, reply }) {
      if (reply || failure.kind !== "network") running.add(modelName(model));
      // A server on this machine or its network that cannot be reached is not running.
      const isAbsent = failure.kind === "network" && models.near(model) && !running.has(modelName(model));
      const max = choice.retry === "on" ? settings.get("retry.max") : 0;
      const tries = Math.min(max, isAbsent ? 1 : (mostTries[failure.kind] ?? 0));
      if (attempt > tries) return { do: "give up" };
      const jitter = 1 + (random() - 0.5) / 2;
      // A wait of 0 says nothing.
      const wait =
        failure.retryAfterMs || Math.min(maxDelayMs, Math.min(longestMs, baseDelayMs * 2 ** (attempt - 1)) * jitter);
      if (wait <= maxDelayMs) return { do: "retry", delayMs: Math.round(wait), most: tries };
      const text = `The server asks to wait ${lengthOf(wait)}; retry.maxDelayMs allows ${lengthOf(maxDelayMs)}.`;
      channel.notify({ level: "warn", text });
      return { do: "give up" };
    },
  };
};

/** Further tries per kind of failure. Waiting does not help against other kinds. */
const mostTries: Partial<Record<FailureKind, number>> = {
  rate: Number.POSITIVE_INFINITY,
  overload: Number.POSITIVE_INFINITY,
  server: Number.POSITIVE_INFINITY,
  network: Number.POSITIVE_INFINITY,
  cut: Number.POSITIVE_INFINITY,
  malformed: Number.POSITIVE_INFINITY,
  // Each takes minutes.
  timeout: 2,
};
const longestMs = 60_000;

function lengthOf(ms: number): string {
  if (ms < 60_000) return `${Math.ceil(ms / 1000)} s`;
  return ms < 3_600_000 ? `${Math.ceil(ms / 60_000)} min` : `${Math.round(ms / 360_000) / 10} h`;
}
