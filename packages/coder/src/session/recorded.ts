import type { Entry, EntryDraft, Prompt, SessionTree } from "@pith/agent";
import { clampEffort, type Effort, efforts, type Model } from "@pith/llm";
import { type EditMode, editModes } from "../edit/mode.ts";

// What the record says about how its conversation is held, and what has to be added to it.

/** Facts to write before the first input: those that the path does not already hold. */
export function opening(tree: SessionTree, model: Model, effort: Effort | undefined): EntryDraft[] {
  const drafts: EntryDraft[] = [];
  if (recordedModel(tree, "asked last") !== `${model.vendor}/${model.id}`)
    drafts.push({ type: "model_change", provider: model.vendor, modelId: model.id });
  const level = effort && effortDraft(model, effort);
  if (level && !(recordedEffort(tree) === effort && recordedLevel(tree).thinkingLevel === level.thinkingLevel))
    drafts.push(level);
  return drafts;
}

/** How long a model thinks: what it is asked for, and what was wanted where it has no such level. */
export function effortDraft(model: Model, effort: Effort): Extract<EntryDraft, { type: "thinking_level_change" }> {
  const thinkingLevel = clampEffort(model, effort);
  return { type: "thinking_level_change", thinkingLevel, ...(thinkingLevel === effort ? {} : { configured: effort }) };
}

/** What the model was told last, and in which dialect it was told to edit. */
export interface Told extends Prompt {
  dialect: EditMode;
  /** Tools among them that came while the conversation went on. */
  later?: readonly string[];
  /** What the words were made of: files, skills and rules, each by the hash of its content. */
  made?: Readonly<Record<string, string>> | undefined;
  /** The kind of model that it was said to. */
  profile?: string | undefined;
}

const promptType = "pith.prompt";

export const promptDraft = ({ system, tools, dialect, later = [], made, profile }: Told): EntryDraft => ({
  type: "custom",
  customType: promptType,
  data: {
    system,
    tools,
    dialect,
    ...(later.length > 0 ? { later } : {}),
    ...(made && { made }),
    ...(profile && { profile }),
  },
});

export const isPrompt = (draft: EntryDraft): boolean => draft.type === "custom" && draft.customType === promptType;

export const recordedPrompt = (tree: SessionTree): Told | undefined => promptEntry(tree)?.told;

/** By the entry that it was read from: it is asked for before every input. */
const read = new WeakMap<object, { id: string; told: Told } | "no prompt">();

export function promptEntry(tree: SessionTree): { id: string; told: Told } | undefined {
  const entry = tree.lastCustom(promptType);
  if (!entry) return undefined;
  const told = read.get(entry) ?? promptIn(entry.data as Partial<Told> | undefined, entry.id) ?? "no prompt";
  read.set(entry, told);
  return told === "no prompt" ? undefined : told;
}

/** Of whomever's file: what does not have the shape of a prompt is none. */
function promptIn(data: Partial<Told> | undefined, id: string): { id: string; told: Told } | undefined {
  const { system, tools, dialect, later, made, profile } = data ?? {};
  if (!isTexts(system) || !Array.isArray(tools) || !tools.every((tool) => typeof tool?.name === "string"))
    return undefined;
  const told = {
    system,
    tools,
    dialect: editModes.find((mode) => mode === dialect) ?? dialectIn(tools) ?? "hashline",
    later: isTexts(later) ? later : [],
    made: typeof made === "object" && made !== null && isTexts(Object.values(made)) ? made : undefined,
    profile: typeof profile === "string" ? profile : undefined,
  };
  return { id, told };
}

export const recordedDialect = (tree: SessionTree): EditMode | undefined => recordedPrompt(tree)?.dialect;

const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((text) => typeof text === "string");

/** Of a record that does not name it: what was said of the tool tells. */
function dialectIn(tools: Prompt["tools"]): EditMode | undefined {
  const edit = tools.find(({ name }) => name === "edit");
  const { properties = {} } = (edit?.parameters ?? {}) as { properties?: Record<string, unknown> };
  if ("edits" in properties) return "replace";
  if ("diff" in properties) return "patch";
  if (!("input" in properties)) return undefined;
  return edit?.description.includes("*** Begin Patch") ? "apply_patch" : "hashline";
}

/** The model that was chosen last; in a file of a relative that did not note it so, the one that answered last. */
export function recordedModel(tree: SessionTree, which: "chosen" | "asked last"): string | undefined {
  const change = tree.last("model_change", isOfConversation);
  if (change?.type === "model_change")
    return (
      (which === "chosen" && typeof change.instead === "string" ? change.instead : undefined) ??
      `${change.provider}/${change.modelId}`
    );
  const reply = tree.last("assistant");
  return reply?.type === "message" && reply.message.role === "assistant"
    ? `${reply.message.provider}/${reply.message.model}`
    : undefined;
}

/** A relative also notes which models it asks for other things than the conversation. */
const isOfConversation = (entry: Entry): boolean =>
  entry.type === "model_change" && entry.provider !== "unknown" && [undefined, "default"].includes(entry.role);

/** Undefined when nobody ever asked for a level. A relative knows one above our highest. */
export function recordedEffort(tree: SessionTree): Effort | undefined {
  const { thinkingLevel, configured } = recordedLevel(tree);
  return effortOf(configured) ?? effortOf(thinkingLevel);
}

function recordedLevel(tree: SessionTree): { thinkingLevel?: string; configured?: unknown } {
  const entry = tree.last("thinking_level_change");
  return entry?.type === "thinking_level_change" ? entry : {};
}

const effortOf = (level: unknown): Effort | undefined =>
  level === "max" ? "xhigh" : efforts.find((effort) => effort === level);

const modeType = "pith.mode";

/** Whether the session is in plan mode. Nothing else is read here: a record never loosens what the user has chosen. */
export const recordedPlan = (tree: SessionTree): boolean =>
  (tree.lastCustom(modeType)?.data as { mode?: unknown } | undefined)?.mode === "plan";

/** The mode, where the record does not say it yet. */
export const modeDrafts = (tree: SessionTree, mode: "plan" | "none"): EntryDraft[] =>
  recordedPlan(tree) === (mode === "plan") ? [] : [{ type: "custom", customType: modeType, data: { mode } }];
