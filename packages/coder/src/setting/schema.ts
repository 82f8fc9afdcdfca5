import { compactionSettings } from "./compaction.ts";
import { displaySettings } from "./display.ts";
import { faceSettings } from "./face.ts";
import { localSettings } from "./local.ts";
import { policySettings } from "./policy.ts";
import { sandboxSettings } from "./sandbox.ts";
import { shellSettings } from "./shell.ts";
import { sourceSettings } from "./sources.ts";
import { always, type ListSpec, type NumberSpec, type Spec, type TextSpec, texts } from "./spec.ts";
import { telemetrySettings } from "./telemetry.ts";
import { undoSettings } from "./undo.ts";
import { workSettings } from "./work.ts";

export type { Spec };

// One table: the reader checks by it, the writer refuses by it, `pith config` and the docs are made from it.
const schema = {
  model: {
    type: "text",
    default: undefined,
    trusted: always,
    tab: "model",
    group: "Model",
    about: "The model to talk to, as vendor/id.",
  },
  thinking: {
    type: "choice",
    applies: "turn",
    values: ["off", "minimal", "low", "medium", "high", "xhigh"],
    default: undefined,
    harmless: always,
    tab: "model",
    group: "Model",
    about: "How long the model thinks before it answers; unset leaves it to the model.",
  },
  profile: {
    type: "choice",
    values: ["auto", "default", "local", "orchestrator"],
    default: "auto",
    trusted: always,
    tab: "model",
    group: "Model",
    about:
      "How a kind of model is worked with: local is for small ones, orchestrator hands work to others that only look; auto is local for models of at most 40 billion parameters on a server of one's own, as far as models.yml says nothing else of one.",
  },
  localModels: {
    ...texts("patterns of models (`ollama/*`)", "a project too"),
    applies: "turn",
    harmless: Array.isArray,
    tab: "model",
    group: "Model",
    about: "Models that are asked by the profile local, where profile is auto; who is asked may change in a session.",
  },
  ...localSettings,
  "roles.smol": {
    type: "text",
    default: undefined,
    trusted: always,
    tab: "model",
    group: "Roles",
    about: "The model for small work (the role smol); unset is the usual one.",
  },
  "roles.slow": {
    type: "text",
    default: undefined,
    trusted: always,
    tab: "model",
    group: "Roles",
    about: "The model for hard work (the role slow); unset is the usual one.",
  },
  "roles.plan": {
    type: "text",
    default: undefined,
    trusted: always,
    tab: "model",
    group: "Roles",
    about: "The model for planning (the role plan); unset is the usual one.",
  },
  "roles.explore": {
    type: "text",
    default: undefined,
    trusted: always,
    tab: "model",
    group: "Roles",
    about: "The model that sub-agents ask (the role explore); unset is the one of their conversation.",
  },
  "fallback.models": {
    type: "text",
    default: undefined,
    trusted: always,
    tab: "model",
    group: "Retry",
    about: "Models to go on with when the present one does not answer, separated by commas.",
  },
  "retry.max": {
    type: "number",
    min: 0,
    max: 100,
    default: 5,
    harmless: always,
    tab: "model",
    group: "Retry",
    about: "How often a failed request is tried again.",
  },
  "retry.baseDelayMs": {
    type: "number",
    min: 0,
    max: 600_000,
    default: 1000,
    trusted: always,
    tab: "model",
    group: "Retry",
    about: "The first wait before a request is tried again; each further one is twice as long.",
  },
  "retry.maxDelayMs": {
    type: "number",
    min: 0,
    max: 86_400_000,
    default: 300_000,
    trusted: always,
    tab: "model",
    group: "Retry",
    about: "The longest wait that a server may ask for.",
  },
  "stream.firstEventTimeoutMs": {
    type: "number",
    min: 0,
    max: 2_147_483_647,
    default: undefined,
    trusted: always,
    tab: "model",
    group: "Stream",
    about:
      "How long a model may say nothing at first; unset is 120000, 600000 on this machine or its network; 0 is for ever.",
  },
  "stream.idleTimeoutMs": {
    type: "number",
    min: 0,
    max: 2_147_483_647,
    default: 120_000,
    trusted: always,
    tab: "model",
    group: "Stream",
    about: "How long a model may fall silent in the middle of an answer; 0 is for ever.",
  },
  ...policySettings,
  "read.enabled": toolSwitch("read"),
  "write.enabled": toolSwitch("write"),
  "edit.enabled": toolSwitch("edit"),
  "bash.enabled": toolSwitch("bash"),
  "search.enabled": toolSwitch("search"),
  "find.enabled": toolSwitch("find"),
  "job.enabled": toolSwitch("job"),
  "ast_grep.enabled": toolSwitch("ast_grep"),
  "ast_edit.enabled": toolSwitch("ast_edit"),
  "todo.enabled": toolSwitch("todo"),
  "ask.enabled": toolSwitch("ask"),
  "ask.timeout": {
    type: "number",
    min: 0,
    max: 86_400,
    default: 0,
    harmless: always,
    tab: "tools",
    group: "Ask",
    about:
      "Seconds that a question of the model waits before the recommended answer, or the first, is taken; 0 is for ever.",
  },
  "ask.editorTimeout": {
    type: "number",
    min: 0,
    max: 86_400,
    default: 0,
    harmless: always,
    tab: "tools",
    group: "Ask",
    about: "The same where words of one's own are typed; what was offered is taken then.",
  },
  "ask.notify": {
    type: "choice",
    values: ["on", "off"],
    default: "on",
    harmless: always,
    tab: "tools",
    group: "Ask",
    about: "Whether the terminal calls a person who looks elsewhere when the model has a question.",
  },
  "todo.reminders": {
    type: "number",
    min: 0,
    max: 20,
    default: 3,
    harmless: always,
    tab: "tools",
    group: "Todo",
    about: "How often in a turn the model is asked on when it stops with open tasks.",
  },
  "run_subagent.enabled": toolSwitch("run_subagent"),
  "subagents.parallel": {
    type: "number",
    min: 1,
    max: 16,
    default: 4,
    harmless: always,
    tab: "tools",
    group: "Sub-agents",
    about: "How many sub-agents work beside each other; a server with one slot is best asked by one at a time.",
  },
  "checkpoint.enabled": {
    type: "switch",
    default: false,
    harmless: (value) => value === false,
    trusted: always,
    tab: "tools",
    group: "Tools",
    about: "Whether the model has the tools checkpoint and rewind.",
  },
  "tools.discoveryMode": {
    type: "choice",
    values: ["auto", "all", "mcp-only", "off"],
    default: "auto",
    harmless: always,
    tab: "tools",
    group: "Discovery",
    about:
      "Which tools the model finds by search_tool_bm25 instead of being told of them: auto and all, every one but those it begins with; mcp-only, those that pith does not bring itself; off, none. With the profile local, auto leaves the search out too.",
  },
  "tools.essentialOverride": {
    type: "text",
    default: undefined,
    harmless: always,
    tab: "tools",
    group: "Discovery",
    about:
      "The tools that the model begins with, separated by commas; unset is read, write, edit, bash, search, find, todo, job, search_tool_bm25, and ask where somebody can answer; with the profile local the first six.",
  },
  "project.roots": {
    type: "text",
    default: undefined,
    tab: "tools",
    group: "Project",
    about: "Other folders of the project, one per line; paths may name files in them, and they count as inside.",
  },
  "read.defaultLimit": {
    type: "number",
    applies: "turn",
    min: 1,
    max: 1000,
    default: 1000,
    harmless: always,
    tab: "tools",
    group: "Read",
    about: "Lines that a read without a range brings.",
  },
  "read.summarize.enabled": {
    type: "switch",
    default: true,
    harmless: always,
    tab: "tools",
    group: "Read",
    about: "Whether long code is shown without the bodies of its functions.",
  },
  readHashLines: {
    type: "switch",
    default: true,
    harmless: always,
    tab: "tools",
    group: "Read",
    about: "Whether lines are shown with numbers and a tag that an edit refers to.",
  },
  readLineNumbers: {
    type: "switch",
    default: true,
    harmless: always,
    tab: "tools",
    group: "Read",
    about: "Whether lines are numbered where they have no tag.",
  },
  "search.contextBefore": {
    type: "number",
    min: 0,
    max: 20,
    default: 1,
    harmless: always,
    tab: "tools",
    group: "Search",
    about: "Lines shown before a match.",
  },
  "search.contextAfter": {
    type: "number",
    min: 0,
    max: 20,
    default: 3,
    harmless: always,
    tab: "tools",
    group: "Search",
    about: "Lines shown after a match.",
  },
  "bash.timeout": {
    type: "number",
    min: 1,
    max: 3600,
    default: 300,
    harmless: always,
    tab: "tools",
    group: "Shell",
    about: "Seconds a command may run when the call does not say.",
  },
  "edit.mode": {
    type: "choice",
    values: ["hashline", "replace", "patch", "apply_patch"],
    default: "hashline",
    harmless: always,
    tab: "tools",
    group: "Edit",
    about:
      "How the model says an edit: by line numbers, by text, by a unified diff, or by a patch; unless it is set, a model that writes patches without JSON gets apply_patch.",
  },
  "edit.apply": {
    type: "choice",
    values: ["each", "all"],
    default: "each",
    harmless: always,
    tab: "tools",
    group: "Edit",
    about: "Of apply_patch: each keeps the hunks before a failing one, all makes all or none.",
  },
  "edit.finalNewline": {
    type: "choice",
    values: ["add", "keep"],
    default: "add",
    harmless: always,
    tab: "tools",
    group: "Edit",
    about: "Of apply_patch: add gives a file that ends without a newline one, keep leaves it.",
  },
  "edit.generated": {
    type: "choice",
    values: ["refuse", "allow"],
    default: "refuse",
    trusted: always,
    tab: "tools",
    group: "Edit",
    about: "Whether files that say they are generated may be edited.",
  },
  "edit.check": {
    type: "choice",
    values: ["syntax", "nothing"],
    default: "syntax",
    harmless: always,
    tab: "tools",
    group: "Edit",
    about: "What is checked after an edit: new syntax errors are named, never blocked.",
  },
  ...displaySettings,
  ...undoSettings,
  ...workSettings,
  ...sandboxSettings,
  ...shellSettings,
  ...sourceSettings,
  ...faceSettings,
  "turns.max": {
    type: "number",
    min: 1,
    max: 1_000_000,
    default: undefined,
    tab: "safety",
    group: "Limits",
    about: "Model requests per prompt; unset is no limit.",
  },
  "session.dir": {
    type: "text",
    default: undefined,
    tab: "session",
    group: "Record",
    about: "Where sessions are kept; unset is sessions/ in pith's home.",
  },
  steeringMode: {
    type: "choice",
    applies: "turn",
    values: ["all", "one-at-a-time"],
    default: "all",
    harmless: always,
    tab: "session",
    group: "Queue",
    about: "What is typed during a turn reaches the next step: all that waits at once, or one message per step.",
  },
  followUpMode: {
    type: "choice",
    applies: "turn",
    values: ["all", "one-at-a-time"],
    default: "one-at-a-time",
    harmless: always,
    tab: "session",
    group: "Queue",
    about: "What waits for the end of a turn begins the next: all that waits at once, or one message per turn.",
  },
  "session.sync": {
    type: "choice",
    values: ["turn", "entry", "never"],
    default: "turn",
    tab: "session",
    group: "Record",
    about: "When to wait for the disk: turn is after each input and at the end of a turn, entry after every entry.",
  },
  ...compactionSettings,
  ...telemetrySettings,
  "branchSummary.reserveTokens": {
    type: "number",
    min: 0,
    max: 1_000_000,
    default: 16_384,
    harmless: always,
    tab: "session",
    group: "Tree",
    about: "How much of the context window the summary of a part of the tree that is left behind leaves free.",
  },
} as const satisfies Record<string, Spec>;

type Schema = typeof schema;
export type Key = keyof Schema;
export type Value<K extends Key> = Filled<Schema[K]> | (Schema[K] extends { default: undefined } ? undefined : never);
/** Those that are lists. */
export type ListKey = { [K in Key]: Schema[K] extends { type: "list" } ? K : never }[Key];
/** Some keys with values of their types. */
export type Values = { [K in Key]?: Value<K> };

type Filled<S> = S extends { values: readonly (infer V)[] }
  ? V
  : S extends ListSpec<infer T>
    ? readonly T[]
    : S extends TextSpec
      ? string
      : S extends NumberSpec
        ? number
        : boolean;

export const keys = Object.keys(schema) as Key[];
export const isKey = (name: string): name is Key => Object.hasOwn(schema, name);
export const specOf = (key: Key): Spec => schema[key];

/** A project may take a tool away, but not give back one that the user took away. */
function toolSwitch(name: string) {
  const harmless = (value: unknown) => value === false;
  return {
    type: "switch",
    default: true,
    harmless,
    tab: "tools",
    group: "Tools",
    about: `Whether the model has the tool ${name}.`,
  } as const;
}
