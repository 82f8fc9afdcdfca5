// What of a coder is about the model it talks to: which one, how patiently, and what happens when it fails.
import type { Behaviour, Draft, Entry, Notice, Tree } from "@pith/agent";
import { type Clock, fail, ok, type Result } from "@pith/kit";
import { type Effort, type Models, modelName, openModels, type Resolved } from "@pith/llm";
import { affinity } from "./behaviour/affinity.ts";
import { budget } from "./behaviour/budget.ts";
import { cacheDebug } from "./behaviour/cache-debug.ts";
import { fallback } from "./behaviour/fallback.ts";
import { heal } from "./behaviour/heal.ts";
import { length } from "./behaviour/length.ts";
import { retry } from "./behaviour/retry.ts";
import { thinking } from "./behaviour/thinking.ts";
import { keyCommands } from "./key-command.ts";
import type { Approval } from "./policy/approval.ts";
import { recordedEffort } from "./recorded.ts";
import type { Settings } from "./setting/setting.ts";

export interface TalkOptions {
  cwd: string;
  home: string;
  env: Readonly<Record<string, string | undefined>>;
  settings: Settings;
  model: string | undefined;
  approval: Approval;
  maxCost?: number | undefined;
  maxTokens?: number | undefined;
}

export function modelsFor({ cwd, home, env, settings }: TalkOptions, clock: Clock): Models {
  const firstEventMs = settings.get("stream.firstEventTimeoutMs");
  const patience = {
    idleMs: settings.get("stream.idleTimeoutMs"),
    ...(firstEventMs === undefined ? {} : { firstEventMs }),
  };
  return openModels({ env, home, clock, patience, run: keyCommands(cwd, env) });
}

/**
 * The name to resolve: what was said, then the model of the role, the session, the settings. A role may stand for a
 * name.
 */
export function chosenModel(
  { model, approval, settings }: TalkOptions,
  recorded: string | undefined,
): string | undefined {
  const name =
    model ?? (approval === "plan" ? settings.get("roles.plan") : undefined) ?? recorded ?? settings.get("model");
  const role = (["smol", "slow", "plan"] as const).find((own) => own === name);
  if (role) return settings.get(`roles.${role}`) ?? recorded ?? settings.get("model");
  return name === "default" ? settings.get("model") : name;
}

/** How long the model thinks: by its name, by the option, as the session did so far, by the settings. */
export function chosenEffort({ settings }: TalkOptions, named: Effort | undefined, tree: Tree): Effort | undefined {
  const option = settings.origin("thinking").layer === "override" ? settings.get("thinking") : undefined;
  return named ?? option ?? recordedEffort(tree) ?? settings.get("thinking");
}

/** A budget in money holds only where prices are known: nothing unknown is taken for free. */
export function affordable({ maxCost }: TalkOptions, { model, near }: Resolved): Result<Resolved["model"], "model"> {
  if (maxCost === undefined || model.known || near) return ok(model);
  return fail(
    "model",
    `--max-cost cannot be held: the prices of ${modelName(model)} are not known. Set them in models.yml, or use --max-tokens.`,
  );
}

export interface TalkParts {
  models: Models;
  tree: Tree;
  session: string;
  effort(): Effort | undefined;
  record(draft: Draft): Entry;
  tell(notice: Notice): void;
}

/**
 * In the order of their say: a history is healed before anything is tried again, and again before another model is
 * asked.
 */
export function talkBehaviours(
  options: TalkOptions,
  { models, tree, session, effort, record, tell }: TalkParts,
): Behaviour[] {
  const { settings, env, maxCost, maxTokens } = options;
  const chain = settings
    .get("fallback.models")
    ?.split(",")
    .map((name) => name.trim())
    .filter(Boolean);
  const resolve = async (name: string) => {
    const next = await models.resolve(name);
    const model = next.ok ? affordable(options, next.value) : next;
    return model.ok ? ok({ model: model.value }) : model;
  };
  const waits = {
    max: settings.get("retry.max"),
    baseDelayMs: settings.get("retry.baseDelayMs"),
    maxDelayMs: settings.get("retry.maxDelayMs"),
  };
  return [
    ...(maxCost === undefined && maxTokens === undefined ? [] : [budget({ maxCost, maxTokens })]),
    heal({ tree, stream: models.stream, record, tell }),
    retry({ ...waits, near: models.near, random: Math.random, tell }),
    ...(chain && chain.length > 0 ? [fallback({ chain, resolve, record, tell })] : []),
    thinking(effort),
    affinity(session),
    length(),
    ...(env.PITH_CACHE_DEBUG === "1" ? [cacheDebug(tell)] : []),
  ];
}
