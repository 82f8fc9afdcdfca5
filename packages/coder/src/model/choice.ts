import type { Channel, SessionTree } from "@pith/agent";
import type { Env } from "@pith/host";
import { fail, ok, type Result } from "@pith/kit";
import {
  type Effort,
  isScriptFile,
  type Model,
  type Models,
  modelName,
  type ProfileName,
  type ResolvedModel,
} from "@pith/llm";
import { type EditMode, editModeOf } from "../edit/mode.ts";
import type { Approval } from "../policy/approval.ts";
import {
  effortDraft,
  modeDrafts,
  recordedDialect,
  recordedEffort,
  recordedModel,
  recordedPlan,
} from "../session/recorded.ts";
import type { Settings, SettingView } from "../setting/setting.ts";
import { profileOf, withProfile } from "./profile.ts";

/** What was asked for when a conversation was opened. */
export interface Wanted {
  /** As the user typed it; undefined takes the session's, then the setting, then what is configured. */
  model: string | undefined;
  approval: Approval;
  /** The only tools there are; all when not given. */
  tools?: readonly string[] | undefined;
  /** Requests that one turn may make. */
  maxSteps?: number | undefined;
  /** What this run may spend, in dollars and in tokens. */
  maxCost?: number | undefined;
  maxTokens?: number | undefined;
  /** How the model is worked with, where that is not the model's own way. */
  profile?: ProfileName | undefined;
  /** A command that must succeed before the run has reached its goal. */
  until?: string | undefined;
}

/** How much of what waits is delivered at once. */
export type Delivery = "all" | "one-at-a-time";

/** What can be chosen while a conversation goes on. */
export interface Configuration {
  approval?: Approval;
  thinking?: Effort;
  steeringMode?: Delivery;
  followUpMode?: Delivery;
  /** Whether a request that failed is tried again. */
  retry?: "on" | "off";
  /** Whether a conversation that fills the window is made shorter by itself. */
  compaction?: "on" | "off";
}

export interface ChoiceSources {
  settings: SettingView & Pick<Settings, "revision">;
  env: Env;
  models: Pick<Models, "resolve">;
  tree: SessionTree;
  channel: Channel;
}

/** How a conversation is held: whom it asks, how long that thinks, what runs unasked, how an edit is said. */
export class Choice {
  /** Through the profile of the model that is asked. */
  readonly settings: SettingView;
  readonly wanted: Wanted;
  /** Told to the model with its tools, so it stays for the life of the session, whoever is asked. */
  readonly dialect: EditMode;
  readonly #sources: ChoiceSources;
  #model: Model;
  /** Every setting is read through it, so that it is worked out once for a model and what is set. */
  #profile: { revision: number; model: Model; is: ProfileName; dressed: Model } | undefined;
  #effort: Effort | undefined;
  #approval: Approval;
  /** The mode that is taken where nobody has chosen one. */
  #assumed: Approval | undefined;
  #queue: { steer: Delivery; after: Delivery };
  #retry: "on" | "off" = "on";
  #compaction: "on" | "off" | undefined;

  constructor(sources: ChoiceSources, wanted: Wanted, { model, effort }: Pick<ResolvedModel, "model" | "effort">) {
    const { env, tree } = sources;
    this.#sources = sources;
    this.wanted = wanted;
    this.#model = model;
    const seen = () => sources.settings.through(this.profile);
    const settings: SettingView = {
      get: (key) => seen().get(key),
      lists: (key) => sources.settings.lists(key),
      origin: (key) => seen().origin(key),
      through: (profile) => sources.settings.through(profile),
    };
    this.settings = settings;
    this.#effort = chosenEffort(settings, effort, tree);
    // A session in plan mode stays in it, whatever was wanted; that it is left is for somebody to say.
    this.#approval = recordedPlan(tree) ? "plan" : wanted.approval;
    this.#queue = { steer: settings.get("steeringMode"), after: settings.get("followUpMode") };
    this.dialect =
      recordedDialect(tree) ??
      editModeOf({
        variant: env.PITH_EDIT_VARIANT,
        setting: settings.origin("edit.mode").layer === "default" ? undefined : settings.get("edit.mode"),
        freeform: model.compat?.supportsOpenAIGrammarTools === true,
      });
  }

  /** With what its profile adds to every request. */
  get model(): Model {
    return this.#seen().dressed;
  }
  /** How the model that is asked is worked with. */
  get profile(): ProfileName {
    return this.#seen().is;
  }
  #seen(): { is: ProfileName; dressed: Model } {
    const { settings } = this.#sources;
    const { revision } = settings;
    const known = this.#profile;
    if (known?.revision === revision && known.model === this.#model) return known;
    const is = this.wanted.profile ?? profileOf(this.#model, settings);
    const dressed = withProfile(this.#model, settings.through(is));
    this.#profile = { revision, model: this.#model, is, dressed };
    return this.#profile;
  }
  get effort(): Effort | undefined {
    return this.#effort;
  }
  get approval(): Approval {
    return this.#approval;
  }
  /** What holds outside of plan mode. */
  get usual(): Approval {
    const { wanted, settings } = this;
    const set = settings.get("approval.mode");
    if (this.#assumed && this.#isOpen()) return this.#assumed;
    return [wanted.approval, set].find((mode) => mode !== "plan") ?? "ask";
  }
  /** The mode that was taken because nobody has chosen one. */
  get assumed(): Approval | undefined {
    return this.#assumed;
  }
  /** As somebody chose here, else as the settings say. */
  get compaction(): "on" | "off" {
    return this.#compaction ?? (this.settings.get("compaction.enabled") ? "on" : "off");
  }
  get retry(): "on" | "off" {
    return this.#retry;
  }
  get queue(): Readonly<{ steer: Delivery; after: Delivery }> {
    return this.#queue;
  }
  /** How the lines of files are shown: with tags only where an edit refers to them. */
  get display(): "hashline" | "numbered" | "plain" {
    const { settings, dialect } = this;
    if (dialect === "hashline" && settings.get("edit.enabled") && settings.get("readHashLines")) return "hashline";
    return settings.get("readLineNumbers") ? "numbered" : "plain";
  }

  /** The model for small work: that of its role, where there is one and it can be asked; else the present one. */
  async small(): Promise<Model> {
    const name = this.settings.get("roles.smol");
    const found = name === undefined ? undefined : await this.#sources.models.resolve(name);
    return found?.ok && affordable(this.wanted, found.value).ok ? found.value.model : this.#model;
  }

  /** Asks another model from the next turn on, by any name that `--model` takes. */
  async use(name: string): Promise<Result<Model, "model">> {
    const { channel, models } = this.#sources;
    const next = await models.resolve(chosenModel(this.settings, { ...this.wanted, model: name }, undefined));
    if (!next.ok) return fail("model", next.message);
    const affords = affordable(this.wanted, next.value);
    if (!affords.ok) return affords;
    const before = this.#level();
    this.#model = next.value.model;
    tellOf(next.value, this.#sources);
    channel.record({ type: "model_change", provider: this.#model.vendor, modelId: this.#model.id });
    this.#think(next.value.effort ?? this.#effort, before);
    return ok(this.#model);
  }

  /** From the next request on. */
  configure({ approval, thinking, steeringMode, followUpMode, retry, compaction }: Configuration): void {
    if (approval) this.#hold(approval);
    this.#retry = retry ?? this.#retry;
    this.#compaction = compaction ?? this.#compaction;
    this.#think(thinking ?? this.#effort, this.#level());
    this.#queue = { steer: steeringMode ?? this.#queue.steer, after: followUpMode ?? this.#queue.after };
  }

  /** Takes a mode where nobody has chosen one. */
  assume(approval: Approval): void {
    if (!this.#isOpen()) return;
    const before = this.#approval;
    this.#assumed = approval;
    if (before !== this.wanted.approval) return;
    this.#approval = approval;
    this.#sources.channel.announce({ type: "status", key: "mode" });
  }

  #isOpen(): boolean {
    const { settings, wanted } = this;
    return settings.origin("approval.mode").layer === "default" && wanted.approval === settings.get("approval.mode");
  }

  #hold(approval: Approval): void {
    const { channel, tree } = this.#sources;
    this.#approval = approval;
    const plan = approval === "plan";
    for (const draft of modeDrafts(tree, plan ? "plan" : "none")) channel.record(draft);
    channel.announce({ type: "status", key: "mode", ...(plan ? { text: "plan" } : {}) });
  }

  #think(effort: Effort | undefined, before: string): void {
    this.#effort = effort;
    if (effort && this.#level() !== before) this.#sources.channel.record(effortDraft(this.#model, effort));
  }

  /** What the record would say of it: the same wish is another level for another model. */
  #level(): string {
    return JSON.stringify(this.#effort && effortDraft(this.#model, this.#effort));
  }
}

/** Finds the model that was wanted, and makes the choice of it. */
export async function openChoice(sources: ChoiceSources, wanted: Wanted): Promise<Result<Choice, "model">> {
  const recorded = recordedModel(sources.tree, "chosen");
  // Whoever wrote the record must not choose what is loaded and played: only the user names a script in a file.
  const script = recorded !== undefined && isScriptFile(recorded) ? recorded : undefined;
  const name = chosenModel(sources.settings, wanted, script ? undefined : recorded);
  if (script && name === undefined)
    return fail("model", `The session was held with the script ${script}; --model says whom to ask now.`);
  const resolved = await sources.models.resolve(name);
  if (!resolved.ok) return fail("model", resolved.message);
  const affords = affordable(wanted, resolved.value);
  if (!affords.ok) return affords;
  tellOf(resolved.value, sources);
  return ok(new Choice(sources, wanted, resolved.value));
}

/** What a person should know of a model; what is only assumed of it, once in a conversation. */
function tellOf({ notes, guess, model }: ResolvedModel, { channel, tree }: ChoiceSources): void {
  const met = tree.last(
    "model_change",
    (entry) => entry.type === "model_change" && entry.provider === model.vendor && entry.modelId === model.id,
  );
  for (const text of guess && !met ? [...notes, guess] : notes) channel.notify({ level: "info", text });
}

/**
 * The name to resolve: what was said, then the model of the role, the session, the settings. A role may stand for a
 * name.
 */
function chosenModel(
  settings: SettingView,
  { model, approval }: Wanted,
  recorded: string | undefined,
): string | undefined {
  const planned = approval === "plan" ? settings.get("roles.plan") : undefined;
  const name = model ?? planned ?? recorded ?? settings.get("model");
  const role = (["smol", "slow", "plan", "explore"] as const).find((known) => known === name);
  if (role) return settings.get(`roles.${role}`) ?? recorded ?? settings.get("model");
  return name === "default" ? settings.get("model") : name;
}

/** How long the model thinks: by its name, by the option, as the session did so far, by the settings. */
function chosenEffort(settings: SettingView, named: Effort | undefined, tree: SessionTree): Effort | undefined {
  const option = settings.origin("thinking").layer === "override" ? settings.get("thinking") : undefined;
  return named ?? option ?? recordedEffort(tree) ?? settings.get("thinking");
}

/** A budget in money holds only where prices are known: nothing unknown is taken for free. */
export function affordable({ maxCost }: Wanted, { model, priced }: ResolvedModel): Result<Model, "model"> {
  if (maxCost === undefined || priced) return ok(model);
  return fail(
    "model",
    `--max-cost cannot be held: the prices of ${modelName(model)} are not known. ` +
      "Set its cost in models.yml (zeros where it costs nothing), or use --max-tokens.",
  );
}
