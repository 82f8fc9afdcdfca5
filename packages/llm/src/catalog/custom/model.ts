import { defined } from "@pith/kit";
import { anyNumber, choice, choices, filledText, group, price, texts, toggle, wholeNumber } from "../../field.ts";
import type { Compat } from "../../model/compat.ts";
import { type Effort, efforts, profileNames } from "../../model/model.ts";
import type { Price, Rates } from "../../model/price.ts";
import { apiNamed } from "../../vendor/api.ts";
import type { ModelFacts } from "../catalog.ts";
import { address, protocol } from "./address.ts";
import { readCompat } from "./compat.ts";
import type { FieldGroup } from "./schema.ts";

/** A model in `models.yml`. Figures left out come from the catalog, or are guessed. */
export interface CustomModel {
  id: string;
  facts: Partial<Omit<ModelFacts, "cost">> & { cost?: Partial<Price> };
  headers?: Readonly<Record<string, string>>;
  /** The model's own server, if it is not its vendor's. */
  baseUrl?: string;
}

/** Keys of related programs that pith has no use for, or finds out by itself. */
const relatives = [
  "id inputLimits promptCache imageInputDecoder tokenizer premiumMultiplier omitMaxOutputTokens preferWebsockets",
  "contextPromotionTarget compactionModel remoteCompaction",
].flatMap((names) => names.split(" "));

export function readModel(group: FieldGroup): CustomModel[] {
  const id = group.read("id", filledText("the model's name at its server"));
  if (id === undefined && group.fields.id === undefined) group.problem("a model needs an id");
  const said = readFacts(group);
  return id === undefined || group.lacks("api", said.facts.api) ? [] : [{ id, ...said }];
}

/** Reads the fields other than the id. */
export function readFacts(from: FieldGroup): Omit<CustomModel, "id"> {
  const api = from.read("api", protocol);
  const extra = from.read("samplingParams", group("fields with their values"));
  const compat = readCompat(from);
  const thinking = readThinking(from);
  const all: Compat = { ...thinking.compat, ...compat };
  if (extra) all.extraBody = { ...all.extraBody, ...extra };
  const [tools, supportsTools] = [from.read("tools", toggle), from.read("supportsTools", toggle)];
  const facts = {
    name: from.read("name", filledText()),
    api: api && apiNamed(api),
    contextWindow: from.read("contextWindow", tokens),
    maxOutput: from.read("maxTokens", tokens),
    reasoning: from.read("reasoning", toggle),
    tools: tools ?? supportsTools,
    input: from.read("input", choices(["text", "image"])),
    cost: readCost(from),
    compat: Object.keys(all).length > 0 ? all : undefined,
    thinkingLevelMap: thinking.levels,
    profile: from.read("profile", choice(profileNames)),
  };
  const headers = from.read("headers", texts("header names with texts"));
  const baseUrl = from.read("baseUrl", address);
  from.end(relatives);
  return { facts: defined(facts), ...defined({ headers, baseUrl }) };
}

const tokens = wholeNumber("a whole number of tokens", 1);
const rates = ["input", "output", "cacheRead", "cacheWrite"] as const;

function readCost(of: FieldGroup): Partial<Price> | undefined {
  const group = of.group("cost");
  if (!group) return undefined;
  const tiers = group.list("tiers", "prices").map((tier) => {
    const inputTokensAbove = tier.read("inputTokensAbove", anyNumber) ?? 0;
    const own = readRates(tier);
    tier.end();
    return { inputTokensAbove, input: 0, output: 0, cacheRead: 0, cacheWrite: 0, ...own };
  });
  const own = readRates(group);
  group.end();
  return { ...own, ...(tiers.length > 0 && { tiers }) };
}

const readRates = (group: FieldGroup): Partial<Rates> =>
  defined(Object.fromEntries(rates.map((name) => [name, group.read(name, price)])));

type Levels = Partial<Record<Effort, string | null>>;

/** Thinking levels with the server's words for them, and how thinking is requested. */
function readThinking(of: FieldGroup): { levels: Levels | undefined; compat: Compat } {
  const [map, list] = [of.group("thinkingLevelMap"), of.group("thinking")];
  const mode = list?.read(
    "mode",
    choice(["effort", "budget", "google-level", "anthropic-adaptive", "anthropic-budget-effort"]),
  );
  const levels = map || list ? { ...(list && listed(list)), ...(map && mapped(map)) } : undefined;
  return { levels, compat: mode === "anthropic-adaptive" ? { forceAdaptiveThinking: true } : {} };
}

function mapped(group: FieldGroup): Levels {
  const levels: Levels = {};
  for (const level of [...efforts, "max"] as const) {
    const word = group.read(level, filledText("the server's word for the level, or null"));
    const said = group.fields[level] === null ? null : word;
    // A related program has `max`, a level above our highest.
    if (said !== undefined) levels[level === "max" ? "xhigh" : level] ??= said;
  }
  group.end();
  return levels;
}

/** Reads `thinking`, a related program's form: the list of levels, and the server's words for some. */
function listed(group: FieldGroup): Levels {
  const known = [...efforts.slice(1), "max" as const];
  const has = group.read("efforts", choices(known)) ?? group.read("levels", choices(known)) ?? [];
  const words = group.read("effortMap", texts("levels with texts")) ?? {};
  if (has.length === 0) return {};
  const word = (level: string) => words[level] ?? level;
  const highest = (["xhigh", "max"] as const).find((level) => has.includes(level));
  const usual = efforts.slice(1, -1).map((level) => [level, has.includes(level) ? word(level) : null]);
  return { ...Object.fromEntries(usual), ...(highest ? { xhigh: word(highest) } : {}) };
}
