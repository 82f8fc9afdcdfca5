export type {
  Additions,
  Cause,
  CompactAnswer,
  CompactView,
  Cut,
  NavigateAnswer,
  NavigateView,
  Summary,
} from "./compact/cause.ts";
export type { Measured } from "./compact/cut.ts";
export { type Compaction, loadCompaction } from "./compact/load.ts";
export { type Sizes, type SizeWishes, sizesOf, thresholdOf } from "./compact/size.ts";
export type { Candidate, Edit, Made, NotMade, Strategy, Task, Unanswered } from "./compact/strategy/strategy.ts";
export type { Kept } from "./compact/summary/quotes.ts";
export type {
  Again,
  Answer,
  Arriving,
  Changed,
  CommandPart,
  Compacted,
  Event,
  Form,
  Notice,
  Option,
  Panel,
  Question,
  Risk,
  TurnEnd,
  TurnState,
} from "./event.ts";
export { Channel } from "./loop/channel.ts";
export { Conversation, type ConversationOptions } from "./loop/conversation.ts";
export {
  type Ask,
  type CallView,
  type Hook,
  type Hooks,
  type Interrupt,
  type Note,
  perTurn,
  type Recovery,
  type Settled,
  type TurnView,
  type Verdict,
} from "./loop/hook.ts";
export type { Sight } from "./loop/judge.ts";
export { Points } from "./loop/point.ts";
export { type Asked, Questions } from "./loop/question.ts";
export { emptyScene, type RunningCall, type Scene, sceneAfter } from "./loop/scene.ts";
export { type Aside, asideWith, type SideRequest } from "./loop/side-request.ts";
export { spentDraft } from "./loop/spent.ts";
export type { Prompt } from "./loop/turn.ts";
export { type Database, openDatabase } from "./platform.ts";
export { type Output, type Outputs, openOutputs } from "./session/agent-report.ts";
export { type Artifact, type Artifacts, openArtifacts } from "./session/artifact.ts";
export { Context, shownOf } from "./session/context.ts";
export type { Draft, Entry, Header } from "./session/entry.ts";
export type { Imported, Source } from "./session/foreign/import.ts";
export { Journal, type Opened, type Placed, type Recording } from "./session/journal.ts";
export {
  dropShelf,
  isDamage,
  type Listed,
  listSessions,
  openShelf,
  sessionIds,
  shelfFile,
} from "./session/library/database/database.ts";
export { type Hit, type Progress, type Query, refreshSearch, search } from "./session/library/database/search.ts";
export { indexed } from "./session/library/database/words.ts";
export {
  allSessionFiles,
  artifactsOf,
  bucket,
  fileName,
  readHeader,
  usualFolder,
} from "./session/library/files.ts";
export { findSession, idOf, leaveCrumb, recentSessions, terminalId } from "./session/library/find.ts";
export { type Fork, type Forked, forkSession } from "./session/library/fork.ts";
export { linkArtifacts } from "./session/library/link-artifacts.ts";
export { moveSession } from "./session/library/move.ts";
export { pinned, togglePin } from "./session/library/pin.ts";
export { type Cleaned, type Cleaning, cleanUp, forgetFolder, rememberFolder } from "./session/library/trash/gc.ts";
export { type OldArtifacts, oldArtifacts, removeArtifacts } from "./session/library/trash/old-artifacts.ts";
export {
  deleteSession,
  discardSession,
  emptyTrash,
  listTrash,
  restoreSession,
  type Trashed,
} from "./session/library/trash/trash.ts";
export { importSession, replay } from "./session/load.ts";
export type { Delivery, Input, Queued, When, Withdrawn } from "./session/queue.ts";
export type { Replayed } from "./session/replay/replay.ts";
export { type Blobs, blobFolder, fileBlobs, memoryBlobs, relativesBlobs } from "./session/store/blob.ts";
export { fileStorage } from "./session/store/disk.ts";
export { lockFile } from "./session/store/lock.ts";
export { memoryStorage, readOnly, type Storage } from "./session/store/storage.ts";
export { textOf } from "./session/text.ts";
export type { Tree } from "./session/tree.ts";
export { type Navigated, navigate, type Summarise } from "./session/walk/navigate.ts";
export {
  hidden as hiddenInOutline,
  type OutlineFilter,
  type OutlineRow,
  outline,
  outlined,
  outlineFilters,
} from "./session/walk/outline.ts";
export { filesOf } from "./session/walk/touched-files.ts";
export { readArguments, unknownTool } from "./tool/argument.ts";
export { type Intent, intentFields, isOutcome, type Touch, touch } from "./tool/intent.ts";
// All of it, so that upper rooms can add kinds of their own to `Data`.
export * from "./tool/kind.ts";
export { type Limits, type Meta, maxShown, notice, type Truncation } from "./tool/meta.ts";
export type { Call, Effect, Outcome } from "./tool/outcome.ts";
export { type PlainTool, plainTool } from "./tool/plain.ts";
export { Registry } from "./tool/registry.ts";
export { noted, ownContent, refusal, resultFields, toMessage } from "./tool/result.ts";
export type { Infer, Schema } from "./tool/schema.ts";
export * as schema from "./tool/schema.ts";
export type { Added, Adding, Preparing, Tool, Understood } from "./tool/tool.ts";
