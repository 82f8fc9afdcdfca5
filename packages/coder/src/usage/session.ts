import { Context, type Entry, type Prompt, type SessionTree } from "@pith/agent";
import { type AssistantMessage, loadCounting, type Model } from "@pith/llm";
import { type Categories, Gauge } from "./gauge.ts";
import { addAnswer, type Billed, nothing, type Total } from "./total.ts";

/** Usage of a session up to its leaf. */
export interface SessionUsage {
  total: Total;
  /** By `vendor/id`. */
  models: Readonly<Record<string, Total>>;
  /** Tokens of the next request by category. */
  context: Categories;
}

function billedIn(entry: Entry): (Billed & Pick<AssistantMessage, "provider" | "model">) | undefined {
  if (entry.type === "message") return entry.message.role === "assistant" ? entry.message : undefined;
  return entry.type === "custom" && entry.customType === "pith.spent"
    ? { ...(entry.data as AssistantMessage), lost: true }
    : undefined;
}

export async function sessionUsage(tree: SessionTree): Promise<SessionUsage> {
  const total = nothing();
  const models: Record<string, Total> = {};
  for (const entry of tree.back()) {
    const billed = billedIn(entry);
    if (!billed) continue;
    const name = `${billed.provider}/${billed.model}`;
    models[name] ??= nothing();
    addAnswer(models[name], billed);
    addAnswer(total, billed);
  }
  return { total, models, context: await contextOf(tree) };
}

/** Estimates the next request of a recorded session from its own answers. */
async function contextOf(tree: SessionTree): Promise<Categories> {
  const counting = await loadCounting();
  const reply = tree.last("assistant");
  const { provider: vendor = "", model: id = "" } = (reply?.type === "message" ? reply.message : {}) as Named;
  const { system, tools } = (tree.lastCustom("pith.prompt")?.data ?? {}) as Partial<Prompt>;
  const prompt = { system: Array.isArray(system) ? system : [], tools: Array.isArray(tools) ? tools : [] };
  const context = new Context({ tree });
  const gauge = new Gauge({
    counting,
    calibrations: new counting.Calibrations(undefined),
    model: () => ({ vendor, id, contextWindow: 0 }) as Model,
    prompt: () => prompt,
    shown: () => context,
    now: () => 0,
  });
  return gauge.view().categories;
}

type Named = Partial<Pick<AssistantMessage, "provider" | "model">>;
