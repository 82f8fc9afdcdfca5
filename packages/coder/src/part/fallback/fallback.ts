import { type FailureKind, type Model, modelName } from "@pith/llm";
import type { MakePart } from "../../hall/part.ts";
import { affordable } from "../../model/choice.ts";

/** Goes on with another model when the present one does not answer. The next prompt begins with the first one again. */
export const fallback: MakePart<"settings" | "models" | "choice" | "channel"> = (hall) => {
  const { settings, models, choice, channel } = hall;
  const chain = (settings.get("fallback.models") ?? "").split(",").flatMap((name) => name.trim() || []);
  if (chain.length === 0) return undefined;
  const resolve = async (name: string) => {
    const next = await models.resolve(name);
    return next.ok ? affordable(choice.wanted, next.value) : next;
  };
  const places = new Map<string, number>();
  let stoodIn: string | undefined;
  return {
    name: "fallback",
    step({ model, step }) {
      // A resume goes on with the recorded model.
      if (step === 0 && stoodIn !== undefined && stoodIn !== modelName(model))
        channel.record({ type: "model_change", provider: model.vendor, modelId: model.id });
      if (step === 0) stoodIn = undefined;
    },
    async fail(failure, { model }) {
      if (!helps.has(failure.kind)) return { do: "give up" };
      for (let at = (places.get(modelName(model)) ?? -1) + 1; at < chain.length; at++) {
        const next = await resolve(chain[at] ?? "");
        if (!next.ok)
          channel.notify({ level: "warn", text: `The fallback ${chain[at]} cannot be used: ${next.message}` });
        else if (modelName(next.value) !== modelName(model) && fits(failure.kind, next.value, model)) {
          stoodIn = modelName(next.value);
          places.set(stoodIn, at);
          return { do: "switch", model: next.value };
        }
      }
      return { do: "give up" };
    },
  };
};

/** True when a model may help. Against a conversation that is too long, only a larger window does. */
const fits = (kind: FailureKind, next: Model, model: Model): boolean =>
  kind !== "overflow" || next.contextWindow > model.contextWindow;

const helps: ReadonlySet<FailureKind> = new Set([
  ...(["auth", "missing", "rate", "overload", "server", "network", "timeout", "cut"] as const),
  ...(["overflow", "rejected", "malformed", "flood"] as const),
]);
