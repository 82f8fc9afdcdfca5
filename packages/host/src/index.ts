export { archiveEnding, isSingle } from "./archive/ending.ts";
export type { ArchiveEntry, ArchiveFailure } from "./archive/entry.ts";
export { documentEnding } from "./document/document.ts";
export type { Env } from "./exec/env.ts";
export { findProgram } from "./exec/program/find.ts";
export type { RanProgram } from "./exec/program/run.ts";
export type { Violation } from "./exec/sandbox/guard/guard.ts";
export { type Discarded, mostNamed } from "./exec/sandbox/layer/discarded.ts";
export { autorunForm, autorunInProject } from "./exec/sandbox/plan/autorun.ts";
export type { ClosingRules } from "./exec/sandbox/plan/closed.ts";
export { secretsInHome } from "./exec/sandbox/plan/hidden.ts";
export { autorunInHome } from "./exec/sandbox/plan/read-only.ts";
export { type AllowedHost, hostName, parseAllowedHost } from "./exec/sandbox/proxy/domain.ts";
export type { Sandbox, SandboxKind } from "./exec/sandbox/sandbox.ts";
export type { FileSelection } from "./exec/search/glob.ts";
export type { MatchedLine } from "./exec/search/match.ts";
export type { SearchResult } from "./exec/search/search.ts";
export type { RunningCommand, ShellCommand, ShellResult, TerminalRun } from "./exec/shell/command.ts";
export { findShell } from "./exec/shell/find.ts";
export { LateShell as Shell } from "./exec/shell/late-shell.ts";
export type { ShellLimits, ShellRuntime } from "./exec/shell/runtime.ts";
export { type ShellDefinitions, sameDefinitions } from "./exec/shell/state/definitions.ts";
export type { SandboxSide } from "./exec/shell/state/pair.ts";
export type { AssignedVariable } from "./exec/shell/state/transfer.ts";
export { isAlive } from "./fs/aside.ts";
export type { FsKind } from "./fs/failure.ts";
export type { WayName } from "./fs/hold/held.ts";
export type { Seen } from "./fs/hold/hold.ts";
export { isRemote } from "./fs/mounts.ts";
export type { Page, PageRequest } from "./fs/page.ts";
export { rawPath } from "./fs/raw.ts";
export type { Applied, InPlace, Refused, Step } from "./fs/replace.ts";
export type { AnyTarget, FileTarget } from "./fs/target.ts";
export type { FolderEntry } from "./fs/tree.ts";
export { spelledPath } from "./fs/variant.ts";
export { isGitDirectory, isLinkedTree, isThere } from "./git/repository.ts";
export { Changes, type Difference, type Entry as TreeEntry, sameEntry } from "./imprint/change.ts";
export { entryAtPath, type Restore, restoreAll, restorePaths, type Unrestored } from "./imprint/restore.ts";
export type { ScanLimits, Uncovered } from "./imprint/scan.ts";
export { Shadow, type ShadowOptions } from "./imprint/shadow.ts";
export {
  applySteps,
  changeRow,
  chooseWay,
  compilePattern,
  findAny,
  findTarget,
  harmfulLine,
  isAnothers,
  isCellText,
  isDatabase,
  isPicture,
  languageOf,
  listArchive,
  listFiles,
  listSources,
  listTables,
  lookReal,
  makeDatabase,
  nearPath,
  neverReached,
  notebookJson,
  notebookOutputs,
  notebookText,
  openNotebook,
  openSandbox,
  openShellRuntime,
  pageMember,
  pictureType,
  readDocument,
  readMember,
  readPage,
  readPicture,
  readTree,
  readWhole,
  repositoryText,
  rgPath,
  runProgram,
  runSandboxed,
  runShell,
  searchFiles,
  select,
  shownAs,
  tableShape,
  takePage,
  wayHere,
  wordsOf,
  writeMember,
  writeTo,
  writeWhole,
} from "./late.ts";
export type { Notebook } from "./notebook/notebook.ts";
export { SixelStream } from "./output/sixel.ts";
export { throttle } from "./output/throttle.ts";
export { type CollectedOutput, type OutputFile, OutputSink } from "./output/truncate.ts";
export { parseJson5 } from "./platform.ts";
export { databaseEnding } from "./sqlite/ending.ts";
export { quoted, type SqlRows } from "./sqlite/run.ts";
export type { Cell, RowChange } from "./sqlite/write.ts";
export { blockAt, declarationsAt } from "./syntax/block.ts";
export { parseErrorsAside, type SyntaxProblem } from "./syntax/error.ts";
export type { LanguageName } from "./syntax/language.ts";
export { type Language, openLanguage, withTree } from "./syntax/open.ts";
export { isCalm } from "./syntax/parse/calm.ts";
export type { SyntaxIssue } from "./syntax/parse/tree.ts";
export type { CodePattern } from "./syntax/pattern/goal.ts";
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
