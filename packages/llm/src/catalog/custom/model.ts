import type { Compat } from "../../model/compat.ts";
import { type Effort, efforts, profileNames } from "../../model/model.ts";
import type { Price, Rates } from "../../model/price.ts";
import { apiNamed } from "../../vendor/api.ts";
import type { ModelFacts } from "../catalog.ts";
import { address, protocol } from "./address.ts";
import { readCompat } from "./compat.ts";
import { choice, count, type FieldGroup, listOf, number, price, record, text, texts, toggle } from "./schema.ts";

/** A model in `models.yml`. Figures left out come from the catalog, or are guessed. */
export interface CustomModel {
  id: string;
  facts: Partial<Omit<ModelFacts, "cost">> & { cost?: Partial<Price> };
  headers?: Readonly<Record<string, string>>;
  /** The model's own server, if it is not its vendor's. */
  baseUrl?: string;
}

const keys = [
  ...[
    "id",
    "name",
    "api",
    "baseUrl",
    "contextWindow",
    "maxTokens",
    "cost",
    "reasoning",
    "tools",
    "supportsTools",
    "input",
    "compat",
    "headers",
    "profile",
  ],
  ...["thinkingLevelMap", "thinking", "samplingParams"],
];
/** Keys of related programs that pith has no use for, or finds out by itself. */
const relatives = [
  ...[
    "inputLimits",
    "promptCache",
    "imageInputDecoder",
    "tokenizer",
    "premiumMultiplier",
    "omitMaxOutputTokens",
    "preferWebsockets",
  ],
  ...["contextPromotionTarget", "compactionModel", "remoteCompaction"],
];

export function readModel(group: FieldGroup): CustomModel[] {
  const id = group.read("id", text("the model's name at its server"));
  if (id === undefined && group.fields.id === undefined) group.problem("a model needs an id");
  const said = readFacts(group);
  return id === undefined || group.lacks("api", said.facts.api) ? [] : [{ id, ...said }];
}

/** Reads the fields other than the id. */
export function readFacts(group: FieldGroup): Omit<CustomModel, "id"> {
  group.pass(keys, relatives);
  const api = group.read("api", protocol);
  const extra = group.read("samplingParams", record("fields with their values"));
  const compat = readCompat(group);
  const thinking = readThinking(group);
  const all: Compat = {
    ...thinking.compat,
    ...compat,
    ...(extra ? { extraBody: { ...compat?.extraBody, ...extra } } : {}),
  };
  const facts = {
    name: group.read("name", text()),
    api: api && apiNamed(api),
    contextWindow: group.read("contextWindow", count()),
    maxOutput: group.read("maxTokens", count()),
    reasoning: group.read("reasoning", toggle),
    tools: group.read("tools", toggle) ?? group.read("supportsTools", toggle),
    input: group.read("input", listOf(["text", "image"])),
    cost: readCost(group),
    compat: Object.keys(all).length > 0 ? all : undefined,
    thinkingLevelMap: thinking.levels,
    profile: group.read("profile", choice(profileNames)),
  };
  const headers = group.read("headers", texts("header names with texts"));
  const baseUrl = group.read("baseUrl", address);
  return { facts: present(facts), ...present({ headers, baseUrl }) };
}

const rates = ["input", "output", "cacheRead", "cacheWrite"] as const;

function readCost(of: FieldGroup): Partial<Price> | undefined {
  const group = of.group("cost");
  if (!group) return undefined;
  group.pass([...rates, "tiers"]);
  const tiers = group.list("tiers", "prices").map((tier) => {
    tier.pass([...rates, "inputTokensAbove"]);
    return {
      inputTokensAbove: tier.read("inputTokensAbove", number) ?? 0,
      input: 0,
      output: 0,
      cacheRead: 0,
      cacheWrite: 0,
      ...readRates(tier),
    };
  });
  return { ...readRates(group), ...(tiers.length > 0 ? { tiers } : {}) };
}

const readRates = (group: FieldGroup): Partial<Rates> =>
  present(Object.fromEntries(rates.map((name) => [name, group.read(name, price)])));

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
  group.pass([...efforts, "max"]);
  const levels: Levels = {};
  for (const level of [...efforts, "max"] as const) {
    const word =
      group.fields[level] === null ? null : group.read(level, text("the server's word for the level, or null"));
    // A related program has `max`, a level above our highest.
    if (word !== undefined) levels[level === "max" ? "xhigh" : level] ??= word;
  }
  return levels;
}

/** Reads `thinking`, a related program's form: the list of levels, and the server's words for some. */
function listed(group: FieldGroup): Levels {
  const known = [...efforts.slice(1), "max" as const];
  const has = group.read("efforts", listOf(known)) ?? group.read("levels", listOf(known)) ?? [];
  const words = group.read("effortMap", texts("levels with texts")) ?? {};
  if (has.length === 0) return {};
  const word = (level: string) => words[level] ?? level;
  const highest = (["xhigh", "max"] as const).find((level) => has.includes(level));
  const usual = efforts.slice(1, -1).map((level) => [level, has.includes(level) ? word(level) : null]);
  return { ...Object.fromEntries(usual), ...(highest ? { xhigh: word(highest) } : {}) };
}

/** The fields that are defined. */
function present<T extends object>(fields: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as never;
}
