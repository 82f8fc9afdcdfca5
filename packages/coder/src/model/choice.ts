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

/** Options of a conversation, as they were given when it was opened. */
export interface Wanted {
  /** A name as the user typed it; undefined takes the model of the session, then of the settings. */
  model: string | undefined;
  /** The mode that whoever opens it chose; without it, that of the settings. */
  approval?: Approval | undefined;
  /** The only tools; all when not given. */
  tools?: readonly string[] | undefined;
  /** Requests that one turn may make. */
  maxSteps?: number | undefined;
  /** The budget of this run in dollars; `maxTokens` is in tokens. */
  maxCost?: number | undefined;
  maxTokens?: number | undefined;
  /** The profile, when it is not the model's own. */
  profile?: ProfileName | undefined;
  /** A command that must succeed before the run has reached its goal. */
  until?: string | undefined;
}

/** Number of waiting messages that are delivered at once. */
export type Delivery = "all" | "one-at-a-time";

/** Options that can change while a conversation goes on. */
export interface Configuration {
  approval?: Approval;
  thinking?: Effort;
  steeringMode?: Delivery;
  followUpMode?: Delivery;
  /** Switches the retry of failed requests. */
  retry?: "on" | "off";
  /** Switches automatic compaction. */
  compaction?: "on" | "off";
}

export interface ChoiceSources {
  settings: SettingView & Pick<Settings, "chosen" | "revision">;
  env: Env;
  models: Pick<Models, "resolve">;
  tree: SessionTree;
  channel: Channel;
}

/** Chooses how a conversation is held: model, effort, approval mode, dialect of edits. */
export class Choice {
  /** Settings, read through the profile of the model. */
  readonly settings: SettingView;
  readonly wanted: Wanted;
  /** Never changes in a session, whatever model is asked, because the model is told of it with its tools. */
  readonly dialect: EditMode;
  readonly #sources: ChoiceSources;
  #model: Model;
  /** Cached by model and settings, because every setting is read through it. */
  #profile: { revision: number; model: Model; is: ProfileName; dressed: Model } | undefined;
  #effort: Effort | undefined;
  #isPlanning: boolean;
  /** The mode outside of plan mode. */
  #usual: Approval;
  /** Tells who chose that one. A mode that somebody chose changes by nothing but another choice. */
  #chosenBy: "nobody" | "settings" | "person";
  /** The mode that was assumed while nobody had chosen one. */
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
    const mode = modeOf(sources.settings, wanted);
    this.#usual = mode.usual;
    this.#chosenBy = mode.by;
    // A session in plan mode stays in it until a person leaves it, or chooses another mode for this run.
    this.#isPlanning = mode.isPlan || (recordedPlan(tree) && mode.by !== "person");
    if (recordedPlan(tree) && !this.#isPlanning) {
      this.#hold("usual");
      sources.channel.notify({ level: "info", text: `Plan mode is off: the mode is ${mode.usual}, as this run says.` });
    }
    this.#queue = { steer: settings.get("steeringMode"), after: settings.get("followUpMode") };
    this.dialect =
      recordedDialect(tree) ??
      editModeOf({
        variant: env.PITH_EDIT_VARIANT,
        setting: settings.origin("edit.mode").layer === "default" ? undefined : settings.get("edit.mode"),
        freeform: model.compat?.supportsOpenAIGrammarTools === true,
      });
  }

  /** The model, with the fields that its profile adds to every request. */
  get model(): Model {
    return this.#seen().dressed;
  }
  /** The profile of the model. */
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
    return this.#isPlanning ? "plan" : this.#usual;
  }
  /** The approval mode outside of plan mode. */
  get usual(): Approval {
    return this.#usual;
  }
  /** True for a mode that somebody chose. */
  get isChosen(): boolean {
    return this.#isPlanning || this.#chosenBy !== "nobody";
  }
  /** The mode that was assumed because nobody has chosen one. */
  get assumed(): Approval | undefined {
    return this.#assumed;
  }
  /** The choice of a person, else the setting. */
  get compaction(): "on" | "off" {
    return this.#compaction ?? (this.settings.get("compaction.enabled") ? "on" : "off");
  }
  get retry(): "on" | "off" {
    return this.#retry;
  }
  get queue(): Readonly<{ steer: Delivery; after: Delivery }> {
    return this.#queue;
  }
  /** The way to show lines of files. They have tags only when edits refer to tags. */
  get display(): "hashline" | "numbered" | "plain" {
    const { settings, dialect } = this;
    if (dialect === "hashline" && settings.get("edit.enabled") && settings.get("readHashLines")) return "hashline";
    return settings.get("readLineNumbers") ? "numbered" : "plain";
  }

  /** Returns the model for small work: that of its role if it can be asked, else the present one. */
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
    notifyOf(next.value, this.#sources);
    channel.record({ type: "model_change", provider: this.#model.vendor, modelId: this.#model.id });
    this.#think(next.value.effort ?? this.#effort, before);
    return ok(this.#model);
  }

  /** Changes options from the next request on. */
  configure({ approval, thinking, steeringMode, followUpMode, retry, compaction }: Configuration): void {
    if (approval === "plan") this.#hold("plan");
    else if (approval) {
      this.#usual = approval;
      this.#chosenBy = "person";
      this.#hold("usual");
    }
    this.#retry = retry ?? this.#retry;
    this.#compaction = compaction ?? this.#compaction;
    this.#think(thinking ?? this.#effort, this.#level());
    this.#queue = { steer: steeringMode ?? this.#queue.steer, after: followUpMode ?? this.#queue.after };
  }

  /** Goes on in the mode outside of plan mode. */
  leavePlan(): void {
    this.#hold("usual");
  }

  /** Replaces a mode that a settings file chose, unless a person has chosen one since. True where it was in force. */
  lower(from: Approval, to: Approval): boolean {
    if (this.#chosenBy === "person" || this.#usual !== from) return false;
    this.#usual = to;
    if (this.#isPlanning) return false;
    this.#hold("usual");
    return true;
  }

  /** Sets the mode unless somebody has chosen one. True where that changed the mode that is in force. */
  assume(approval: Approval): boolean {
    if (this.#chosenBy !== "nobody") return false;
    this.#assumed = approval;
    const isNew = this.#usual !== approval && !this.#isPlanning;
    this.#usual = approval;
    if (isNew) this.#sources.channel.announce({ type: "status", key: "mode" });
    return isNew;
  }

  #hold(mode: "plan" | "usual"): void {
    const { channel, tree } = this.#sources;
    this.#isPlanning = mode === "plan";
    for (const draft of modeDrafts(tree, this.#isPlanning ? "plan" : "none")) channel.record(draft);
    channel.announce({ type: "status", key: "mode", ...(this.#isPlanning ? { text: "plan" } : {}) });
  }

  #think(effort: Effort | undefined, before: string): void {
    this.#effort = effort;
    if (effort && this.#level() !== before) this.#sources.channel.record(effortDraft(this.#model, effort));
  }

  /** The level as recorded, which differs between models for the same wanted effort. */
  #level(): string {
    return JSON.stringify(this.#effort && effortDraft(this.#model, this.#effort));
  }
}

/** The mode of a run: what its opener chose, else what the settings say, the strongest first; and who chose it. */
function modeOf(settings: ChoiceSources["settings"], { approval }: Wanted) {
  const set = settings.chosen("approval.mode");
  const isOption = settings.origin("approval.mode").layer === "override";
  const [first] = [...(approval ? [approval] : []), ...set];
  const usual = approval !== undefined && approval !== "plan" ? approval : set.find((mode) => mode !== "plan");
  const isSaid = usual === approval || (isOption && usual === set[0]);
  const by = usual === undefined ? "nobody" : isSaid ? "person" : "settings";
  return { isPlan: first === "plan", usual: usual ?? "write", by } as const;
}

/** Finds the wanted model and makes the choice. */
export async function openChoice(sources: ChoiceSources, wanted: Wanted): Promise<Result<Choice, "model">> {
  const recorded = recordedModel(sources.tree, "chosen");
  // A script is loaded and played, so only the user may name one, never the record.
  const script = recorded !== undefined && isScriptFile(recorded) ? recorded : undefined;
  const name = chosenModel(sources.settings, wanted, script ? undefined : recorded);
  if (script && name === undefined)
    return fail("model", `The session used the script ${script}; choose a model with --model.`);
  const resolved = await sources.models.resolve(name);
  if (!resolved.ok) return fail("model", resolved.message);
  const affords = affordable(wanted, resolved.value);
  if (!affords.ok) return affords;
  notifyOf(resolved.value, sources);
  return ok(new Choice(sources, wanted, resolved.value));
}

/** Notifies people about a model; a guess about it is told once in a conversation. */
function notifyOf({ notes, guess, model }: ResolvedModel, { channel, tree }: ChoiceSources): void {
  const met = tree.last(
    "model_change",
    (entry) => entry.type === "model_change" && entry.provider === model.vendor && entry.modelId === model.id,
  );
  for (const text of guess && !met ? [...notes, guess] : notes) channel.notify({ level: "info", text });
}

/** Returns the name to resolve: the given one, then that of the role, the session, the settings. It may be a role. */
function chosenModel(
  settings: SettingView,
  { model, approval }: Wanted,
  recorded: string | undefined,
): string | undefined {
  const isPlan = (approval ?? settings.get("approval.mode")) === "plan";
  const planned = isPlan ? settings.get("roles.plan") : undefined;
  const name = model ?? planned ?? recorded ?? settings.get("model");
  const role = (["smol", "slow", "plan", "explore"] as const).find((known) => known === name);
  if (role) return settings.get(`roles.${role}`) ?? recorded ?? settings.get("model");
  return name === "default" ? settings.get("model") : name;
}

/** Returns the effort: by the name of the model, the option, the session, the settings. */
function chosenEffort(settings: SettingView, named: Effort | undefined, tree: SessionTree): Effort | undefined {
  const option = settings.origin("thinking").layer === "override" ? settings.get("thinking") : undefined;
  return named ?? option ?? recordedEffort(tree) ?? settings.get("thinking");
}

/** Refuses a budget in money for a model without known prices. */
export function affordable({ maxCost }: Wanted, { model, priced }: ResolvedModel): Result<Model, "model"> {
  if (maxCost === undefined || priced) return ok(model);
  return fail(
    "model",
    `--max-cost cannot be kept: the prices of ${modelName(model)} are not known. ` +
      "Set its cost in models.yml (zeros where it costs nothing), or use --max-tokens.",
  );
}
