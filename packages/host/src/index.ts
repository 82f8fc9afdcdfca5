export { archiveEnding, isSingle, listArchive, pageMember, readMember, writeMember } from "./archive/archive.ts";
export type { ArchiveEntry, ArchiveFailure } from "./archive/entry.ts";
export { documentEnding, readDocument } from "./document/document.ts";
export type { Env } from "./exec/env.ts";
export type { Violation } from "./exec/sandbox/guard/guard.ts";
export { harmfulLine } from "./exec/sandbox/guard/harmless.ts";
export { type Discarded, mostNamed } from "./exec/sandbox/layer/discarded.ts";
export { autorunForm, autorunInProject } from "./exec/sandbox/plan/autorun.ts";
export type { ClosingRules } from "./exec/sandbox/plan/closed.ts";
export { secretsInHome } from "./exec/sandbox/plan/hidden.ts";
export { isAnothers } from "./exec/sandbox/plan/plan.ts";
export { autorunInHome } from "./exec/sandbox/plan/read-only.ts";
export { repositoryText } from "./exec/sandbox/plan/repository-text.ts";
export { type AllowedHost, hostName, parseAllowedHost } from "./exec/sandbox/proxy/domain.ts";
export { neverReached } from "./exec/sandbox/proxy/never.ts";
export { runSandboxed } from "./exec/sandbox/run.ts";
export { Sandbox, type SandboxKind } from "./exec/sandbox/sandbox.ts";
export type { FileSelection } from "./exec/search/glob.ts";
export { listFiles } from "./exec/search/list.ts";
export type { MatchedLine } from "./exec/search/match.ts";
export { rgPath } from "./exec/search/rg-path.ts";
export { type SearchResult, searchFiles } from "./exec/search/search.ts";
export type { RunningCommand, ShellCommand, ShellResult, TerminalRun } from "./exec/shell/command.ts";
export { type ShellLimits, ShellRuntime } from "./exec/shell/runtime.ts";
export { Shell } from "./exec/shell/shell.ts";
export { runShell } from "./exec/shell/single.ts";
export { type ShellDefinitions, sameDefinitions } from "./exec/shell/state/definitions.ts";
export type { SandboxSide } from "./exec/shell/state/pair.ts";
export type { AssignedVariable } from "./exec/shell/state/transfer.ts";
export { isAlive } from "./fs/aside.ts";
export type { FsKind } from "./fs/failure.ts";
export type { WayName } from "./fs/hold/held.ts";
export { lookReal, type Seen } from "./fs/hold/hold.ts";
export { chooseWay, wayHere } from "./fs/hold/way.ts";
export { isRemote } from "./fs/mounts.ts";
export { nearPath } from "./fs/near.ts";
export { readWhole } from "./fs/open.ts";
export { type Page, type PageRequest, readPage, takePage } from "./fs/page.ts";
export { rawPath } from "./fs/raw.ts";
export { type Applied, applySteps, type InPlace, type Refused, type Step } from "./fs/replace.ts";
export { type AnyTarget, type FileTarget, findAny, findTarget, shownAs } from "./fs/target.ts";
export { type FolderEntry, readTree } from "./fs/tree.ts";
export { spelledPath } from "./fs/variant.ts";
export { writeTo, writeWhole } from "./fs/write.ts";
export { isGitDirectory, isLinkedTree, isThere } from "./git/repository.ts";
export { isPicture, pictureType, readPicture } from "./image/image.ts";
export { entryAt, type Restore, restoreAll, sameEntry, type Unrestored } from "./imprint/restore.ts";
export type { ScanLimits, Uncovered } from "./imprint/scan.ts";
export { Shadow, type ShadowOptions } from "./imprint/shadow.ts";
export type { Difference, Entry as TreeEntry } from "./imprint/tree.ts";
export { isCellText, type Notebook, notebookJson, notebookText, openNotebook } from "./notebook/notebook.ts";
export { SixelStream } from "./output/sixel.ts";
export { throttle } from "./output/throttle.ts";
export { type CollectedOutput, type OutputFile, OutputSink } from "./output/truncate.ts";
export { parseJson5 } from "./platform.ts";
export { databaseEnding, isDatabase, listTables, select, tableShape } from "./sqlite/read.ts";
export { quoted, type SqlRows } from "./sqlite/run.ts";
export { type Cell, changeRow, makeDatabase, type RowChange } from "./sqlite/write.ts";
export { blockAt, declarationsAt } from "./syntax/block.ts";
export { parseErrors, parseErrorsAside, type SyntaxProblem } from "./syntax/error.ts";
export { type LanguageName, languageOf } from "./syntax/language.ts";
export { listSources } from "./syntax/list.ts";
export { type Language, openLanguage, withTree } from "./syntax/open.ts";
export { isCalm } from "./syntax/parse/calm.ts";
export { type CodePattern, compilePattern, wordsOf } from "./syntax/pattern/goal.ts";
export { findMatches, type Match, mayMatch } from "./syntax/pattern/match.ts";
export { compileRule, planRewrite, type Replacement, type RewriteRule } from "./syntax/pattern/rewrite.ts";
export {
  type LineRange,
  type Summary,
  type SummaryLevel,
  type SummaryLimits,
  type SummaryRow,
  summarise,
  summaryLimits,
} from "./syntax/summary.ts";
