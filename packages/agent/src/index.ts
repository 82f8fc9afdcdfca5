// A module named with a star is public whole.
export type * from "./compact/cause.ts";
export type { MeasuredEntry } from "./compact/cut.ts";
export { type CompactionModule, loadCompaction } from "./compact/load.ts";
export { type SizeSettings, sizesOf, thresholdOf, type WindowSizes } from "./compact/size.ts";
export type * from "./compact/strategy/strategy.ts";
export type { KeptText } from "./compact/summary/quotes.ts";
export type * from "./event.ts";
export { Channel } from "./loop/channel.ts";
export { Conversation, type ConversationOptions } from "./loop/conversation.ts";
export type * from "./loop/hook.ts";
export { hookPoints, perTurn } from "./loop/hook.ts";
export type { ReadGuard } from "./loop/judge.ts";
export { Points } from "./loop/point.ts";
export { type QuestionDraft, Questions } from "./loop/question.ts";
export { emptyScene, type RunningCall, type Scene, sceneAfter } from "./loop/scene.ts";
export { type AskModel, createAskModel, type SideRequest } from "./loop/side-request.ts";
export { costDraft } from "./loop/spent.ts";
export type { Prompt } from "./loop/turn.ts";
export { type AgentReport, type AgentReports, openAgentReports } from "./session/agent-report.ts";
export { type Artifact, type Artifacts, openArtifacts } from "./session/artifact.ts";
export { Context, shownEntries } from "./session/context.ts";
export type { Entry, EntryDraft, Header } from "./session/entry.ts";
export type { ImportResult, ImportSource } from "./session/foreign/import.ts";
export { foreignOrigin } from "./session/foreign/origin.ts";
export { Journal, type JournalOptions, type OpenedJournal, type PlacedDraft } from "./session/journal.ts";
export {
  dropSessionDatabase,
  isDatabaseDamage,
  type ListedSession,
  listSessions,
  openSessionDatabase,
  sessionDatabaseFile,
  sessionIds,
} from "./session/library/database/database.ts";
export type * from "./session/library/database/search.ts";
export { spacedWords } from "./session/library/database/words.ts";
export {
  allSessionFiles,
  artifactsOf,
  bucket,
  defaultSessionsFolder,
  fileName,
  readHeader,
} from "./session/library/files.ts";
export { findSession, idOf, recentSessions, rememberTerminalSession, terminalId } from "./session/library/find.ts";
export type { ForkedSession, ForkOptions } from "./session/library/fork.ts";
export { forgetFolder, rememberFolder } from "./session/library/known-folders.ts";
export { linkArtifacts } from "./session/library/link-artifacts.ts";
export { pinnedSessions, togglePin } from "./session/library/pin.ts";
export type * from "./session/library/trash/gc.ts";
export type { OldArtifacts } from "./session/library/trash/old-artifacts.ts";
export type { TrashedSession } from "./session/library/trash/trash.ts";
export {
  cleanUp,
  deleteSession,
  discardSession,
  forkSession,
  importSession,
  listTrash,
  moveSession,
  oldArtifacts,
  refreshSearch,
  removeArtifacts,
  replay,
  restoreSession,
  searchSessions,
} from "./session/load.ts";
export type { DeliveryMode, DeliveryTime, QueuedInput, UserInput, WithdrawnInput } from "./session/queue.ts";
export type { ReplayResult } from "./session/replay/replay.ts";
export { type Blobs, blobFolder, fileBlobs, memoryBlobs, ompBlobFolders } from "./session/store/blob.ts";
export { fileStorage } from "./session/store/disk.ts";
export { lockFile, lockOwner } from "./session/store/lock.ts";
export { memoryStorage, readOnly, type Storage } from "./session/store/storage.ts";
export { textOf } from "./session/text.ts";
export type { SessionTree } from "./session/tree.ts";
export { type NavigateResult, navigate, type SummarizeBranch } from "./session/walk/navigate.ts";
export * from "./session/walk/outline.ts";
export { touchedFiles } from "./session/walk/touched-files.ts";
export { type CommandAccess, joinAccess } from "./tool/access.ts";
export { readArguments, unknownTool } from "./tool/argument.ts";
export { type Intent, intentFields, isOutcome, type Touch, touch } from "./tool/intent.ts";
// Upper rooms add kinds of their own to `Data`.
export * from "./tool/kind.ts";
export { type Meta, maxShown, notice, type ResultLimits, type Truncation } from "./tool/meta.ts";
export { type Call, type Effect, effects, type Outcome } from "./tool/outcome.ts";
export { picture } from "./tool/picture.ts";
export { type PlainTool, plainTool } from "./tool/plain.ts";
export { Registry } from "./tool/registry.ts";
export { ownContent, refusal, resultFields, toMessage, withNote } from "./tool/result.ts";
export { type Risk, risks, worstRisk } from "./tool/risk.ts";
export type { Infer, Schema } from "./tool/schema.ts";
export * as schema from "./tool/schema.ts";
export type { ArrivingText, ArrivingTextReader, ParsedArguments, PrepareOptions, Tool } from "./tool/tool.ts";
