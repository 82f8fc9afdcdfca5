import type { Entry, EntryDraft, Prompt, SessionTree } from "@pith/agent";
import { defined } from "@pith/kit";
import { clampEffort, type Effort, efforts, type Model } from "@pith/llm";
import { type EditMode, editModes } from "../edit/mode.ts";

// Reads from a record how its conversation is held, and makes the entries that are missing.

/** Returns the entries to write before the first input: facts that the path does not hold yet. */
export function opening(tree: SessionTree, model: Model, effort: Effort | undefined): EntryDraft[] {
  const drafts: EntryDraft[] = [];
  if (recordedModel(tree, "asked last") !== `${model.vendor}/${model.id}`)
    drafts.push({ type: "model_change", provider: model.vendor, modelId: model.id });
  const level = effort && effortDraft(model, effort);
  if (level && !(recordedEffort(tree) === effort && recordedLevel(tree).thinkingLevel === level.thinkingLevel))
    drafts.push(level);
  return drafts;
}

/** Makes the entry for the effort of a model; it also has the wanted level when the model lacks that one. */
export function effortDraft(model: Model, effort: Effort): Extract<EntryDraft, { type: "thinking_level_change" }> {
  const thinkingLevel = clampEffort(model, effort);
  return { type: "thinking_level_change", thinkingLevel, ...(thinkingLevel === effort ? {} : { configured: effort }) };
}

/** The prompt that the model was told last, and its dialect of edits. */
export interface RecordedPrompt extends Prompt {
  dialect: EditMode;
  /** Tools among them that came while the conversation went on. */
  later?: readonly string[];
  /** Hashes of the files, skills and rules that it was made of. */
  made?: Readonly<Record<string, string>> | undefined;
  /** The profile of the model that it was told to. */
  profile?: string | undefined;
}

const promptType = "pith.prompt";

export const promptDraft = ({ system, tools, dialect, later = [], made, profile }: RecordedPrompt): EntryDraft => ({
  type: "custom",
  customType: promptType,
  data: defined({ system, tools, dialect, later: later.length > 0 ? later : undefined, made, profile }),
});

export const isPrompt = (draft: EntryDraft): boolean => draft.type === "custom" && draft.customType === promptType;

export const recordedPrompt = (tree: SessionTree): RecordedPrompt | undefined => promptEntry(tree)?.told;

/** Caches prompts by their entries, because they are asked for before every input. */
const read = new WeakMap<object, { id: string; told: RecordedPrompt } | "no prompt">();

export function promptEntry(tree: SessionTree): { id: string; told: RecordedPrompt } | undefined {
  const entry = tree.lastCustom(promptType);
  if (!entry) return undefined;
  const told = read.get(entry) ?? promptIn(entry.data as Partial<RecordedPrompt> | undefined, entry.id) ?? "no prompt";
  read.set(entry, told);
  return told === "no prompt" ? undefined : told;
}

/** Reads a prompt from a record that may be anyone's; undefined when it has another shape. */
function promptIn(
  data: Partial<RecordedPrompt> | undefined,
  id: string,
): { id: string; told: RecordedPrompt } | undefined {
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

/** Tells the dialect of a record that does not name it, from the parameters of its edit tool. */
function dialectIn(tools: Prompt["tools"]): EditMode | undefined {
  const edit = tools.find(({ name }) => name === "edit");
  const { properties = {} } = (edit?.parameters ?? {}) as { properties?: Record<string, unknown> };
  if ("edits" in properties) return "replace";
  if ("diff" in properties) return "patch";
  if (!("input" in properties)) return undefined;
  return edit?.description.includes("*** Begin Patch") ? "apply_patch" : "hashline";
}

/** Returns the model that was chosen last; without such an entry, the one that answered last. */
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

/** Leaves out models that another product asked for other things than the conversation. */
const isOfConversation = (entry: Entry): boolean =>
  entry.type === "model_change" && entry.provider !== "unknown" && [undefined, "default"].includes(entry.role);

/** Returns the wanted effort; undefined when there never was one. `max` of another product is our highest. */
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

/** True when the session is in plan mode. No other mode is read, so that a record never loosens the user's choice. */
export const recordedPlan = (tree: SessionTree): boolean =>
  (tree.lastCustom(modeType)?.data as { mode?: unknown } | undefined)?.mode === "plan";

/** Makes the entry for the mode, when the record does not have it yet. */
export const modeDrafts = (tree: SessionTree, mode: "plan" | "none"): EntryDraft[] =>
  recordedPlan(tree) === (mode === "plan") ? [] : [{ type: "custom", customType: modeType, data: { mode } }];
