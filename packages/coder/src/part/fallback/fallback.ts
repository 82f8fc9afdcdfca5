import type { EntryDraft, Hook, Notice } from "@pith/agent";
import { ok, type Result } from "@pith/kit";
import { type FailureKind, type Model, modelName } from "@pith/llm";
import type { MakePart } from "../../hall/part.ts";
import { affordable } from "../../model/choice.ts";

export interface FallbackOptions {
  /** Names, in the order in which they are tried. */
  chain: readonly string[];
  resolve(name: string): Promise<Result<{ model: Model }, string>>;
  record(draft: EntryDraft): void;
  tell(notice: Notice): void;
}

/** Other models that stand in, where somebody named some. */
export const fallback: MakePart<"settings" | "models" | "choice" | "channel"> = ({
  settings,
  models,
  choice,
  channel,
}) => {
  const names = (settings.get("fallback.models") ?? "").split(",").map((name) => name.trim());
  const chain = names.filter((name) => name !== "");
  if (chain.length === 0) return undefined;
  const resolve = async (name: string) => {
    const next = await models.resolve(name);
    const model = next.ok ? affordable(choice.wanted, next.value) : next;
    return model.ok ? ok({ model: model.value }) : model;
  };
  const record = (draft: EntryDraft) => void channel.record(draft);
  return {
    name: "fallback",
    hooks: [fallbackHook({ chain, resolve, record, tell: (notice) => channel.notify(notice) })],
  };
};

/** Goes on with another model when the present one does not answer; the next prompt begins with the first one again. */
export function fallbackHook({ chain, resolve, record, tell }: FallbackOptions): Hook {
  const names = new Map<string, number>();
  let stoodIn: string | undefined;
  return {
    name: "fallback",
    step({ model, step }) {
      // The record says who is asked; a resume goes by it.
      if (step === 0 && stoodIn !== undefined && stoodIn !== modelName(model))
        record({ type: "model_change", provider: model.vendor, modelId: model.id });
      if (step === 0) stoodIn = undefined;
      return { do: "go" };
    },
    async fail(failure, { model }) {
      if (!helps.has(failure.kind)) return { do: "give up" };
      for (let at = (names.get(modelName(model)) ?? -1) + 1; at < chain.length; at++) {
        const next = await resolve(chain[at] ?? "");
        if (!next.ok) tell({ level: "warn", text: `The fallback ${chain[at]} cannot be used: ${next.message}` });
        else if (modelName(next.value.model) !== modelName(model) && fits(failure.kind, next.value.model, model)) {
          stoodIn = modelName(next.value.model);
          names.set(stoodIn, at);
          return { do: "switch", model: next.value.model };
        }
      }
      return { do: "give up" };
    },
  };
}

/** A history that is too long for one model helps nobody at one with the same window. */
const fits = (kind: FailureKind, next: Model, model: Model): boolean =>
  kind !== "overflow" || next.contextWindow > model.contextWindow;

const helps: ReadonlySet<FailureKind> = new Set([
  "auth",
  "missing",
  "rate",
  "overload",
  "server",
  "network",
  "timeout",
  "cut",
  "overflow",
  "rejected",
  "malformed",
  "flood",
]);
