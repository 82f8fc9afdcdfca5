/** Loads the sums of usage. */
export const loadUsage = () => import("./usage/front.ts");
/** Loads the judge of commands. */
export const loadPolicy = () => import("./policy/exports.ts");
/** Loads the list of a project's files that need trust. */
export const loadTrustable = () => import("./trustable.ts");
/** Loads the masking of keys. */
export const loadSecrets = () => import("./secret/secrets.ts");
/** Loads the part that holds answers to a schema. */
export const loadOutput = () => import("./part/output-schema/output-schema.ts");
/** Loads the search for capabilities in configuration. */
export const loadCapabilities = async () => ({
  ...(await import("./capability/open.ts")),
  ...(await import("./capability/report.ts")),
});
/** Loads the trial of stream rules. */
export const loadRules = () => import("./part/stream-rules/try.ts");
/** Loads the reading of other products' settings. */
export const loadForeign = () => import("./setting/bring.ts");
/** Loads the pages of the documentation by name. */
export const pithPages = async () => (await import("./url/scheme/pith.ts")).documents;
export { type OpenFailure, openCoder } from "./coder.ts";
export type { Command, Ending, Wish } from "./command/command.ts";
export { CommandTable, type Typed } from "./command/table.ts";
export { applyPatch, type PatchOptions } from "./edit/apply-patch/program.ts";
export type { Editor } from "./files/unsaved.ts";
export type { Around } from "./given.ts";
export { type Coder, coderFrom, type Walk } from "./hall/coder.ts";
export type { Hall } from "./hall/hall.ts";
export type { Door, MakePart, Part } from "./hall/part.ts";
export type { PromptReport } from "./hall/prompt-report.ts";
export { type ConversationState, type Methods, methodsOf, type Verb, type VerbTable, verbNamed } from "./hall/verb.ts";
export { abortSignal, verbs } from "./hall/verbs.ts";
export type { Configuration } from "./model/choice.ts";
export type { OwnModel } from "./model/own.ts";
export { profileOf } from "./model/profile.ts";
export type { CoderOptions } from "./options.ts";
export { answerText } from "./part/ask/kinds.ts";
export { type History, historyFile, openHistory, type Prompt } from "./part/history/store.ts";
export { openUndo, undoForFaces } from "./part/undo/open.ts";
export { forgetProject, vanishedStores } from "./part/undo/store/directory.ts";
export type { UndoTurn } from "./part/undo/store/log.ts";
export type { Undo } from "./part/undo/store/undo.ts";
export { type Approval, approvals } from "./policy/approval.ts";
export { openTrust, type Trust } from "./policy/trust/trust.ts";
export type { SessionChoice } from "./session/record.ts";
export { sessionsFolder } from "./session/sessions-folder.ts";
export type { Summary } from "./session/walk.ts";
export { expected } from "./setting/check.ts";
export type { Key, Value, Values } from "./setting/schema.ts";
export type { Origin, SettingOptions, Settings } from "./setting/setting.ts";
export type { Spec } from "./setting/spec.ts";
export { checkSetting, checkText, isKey, keys, noSetting, openSettings, sortedKeys, specOf } from "./setting-table.ts";
export type { TerminalFrontend, TerminalProgram } from "./shell/at-terminal.ts";
export type { Terminals } from "./shell/client-terminal.ts";
export { detachedFolder, listDetached, stopDetached } from "./shell/job/detached.ts";
export type { Job } from "./shell/job/jobs.ts";
export { runInSandbox } from "./shell/sandbox.ts";
export type { UserRun } from "./shell/user-commands.ts";
export { decode } from "./snapshot/decode.ts";
export { openToolbox, type Toolbox, type ToolboxOptions } from "./toolbox.ts";
export * as tools from "./tools.gen.ts";
export { type Categories, type ContextView, categoryTitles } from "./usage/gauge.ts";
export type { Spent } from "./usage/scan.ts";
export type { SessionUsage } from "./usage/session.ts";
export type { Total } from "./usage/total.ts";
