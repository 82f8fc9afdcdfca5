export { archiveEnding, isSingle, listArchive, pageMember, readMember, writeMember } from "./archive/archive.ts";
export type { ArchiveEntry, ArchiveFailure } from "./archive/entry.ts";
export { documentEnding, readDocument } from "./document/document.ts";
export { runBehind } from "./exec/confine/by-hand.ts";
export type { Trespass } from "./exec/confine/guard.ts";
export { keysInHome } from "./exec/confine/hidden.ts";
export { type Domain, readDomain } from "./exec/confine/proxy/domain.ts";
export { runAtHome, runFrom } from "./exec/confine/sealed.ts";
export type { Rulings } from "./exec/confine/shut.ts";
export { Wall } from "./exec/confine/wall.ts";
export type { Env } from "./exec/env.ts";
export type { FoundLine } from "./exec/found.ts";
export type { Choice } from "./exec/glob.ts";
export { listFiles } from "./exec/list.ts";
export { rgPath } from "./exec/rg.ts";
export { type Found, searchFiles } from "./exec/search.ts";
export type { AtTerminal, Ran, ShellCommand, Started } from "./exec/shell/command.ts";
export { ShellGround, type ShellLimits } from "./exec/shell/ground.ts";
export { remembers, type ShellMemory } from "./exec/shell/memory.ts";
export { Shell } from "./exec/shell/shell.ts";
export type { Side } from "./exec/shell/sides.ts";
export { runShell } from "./exec/shell/single.ts";
export { type Dump, type Kept, Sink } from "./exec/sink.ts";
export { SixelStream } from "./exec/sixel.ts";
export { throttle } from "./exec/throttle.ts";
export { isAlive } from "./fs/aside.ts";
export type { FsKind } from "./fs/failure.ts";
export { lookReal } from "./fs/hold.ts";
export { nearPath } from "./fs/near.ts";
export { readWhole } from "./fs/open.ts";
export { type Page, type PageRequest, readPage, takePage } from "./fs/page.ts";
export { rawPath } from "./fs/raw.ts";
export { isRemote } from "./fs/remote.ts";
export { type Applied, applySteps, type InPlace, type Refused, type Step } from "./fs/replace.ts";
export { type AnyTarget, findAny, findTarget, shownAs, type Target } from "./fs/target.ts";
export { type FolderEntry, readTree } from "./fs/tree.ts";
export { spelledPath } from "./fs/variant.ts";
export { writeTo, writeWhole } from "./fs/write.ts";
export { isGitDirectory, isLinkedTree, isThere } from "./git/repository.ts";
export { entryAt, type Restore, restoreAll, sameEntry, type Unrestored } from "./git/restore.ts";
export type { ScanLimits, Uncovered } from "./git/scan.ts";
export { Shadow, type ShadowOptions } from "./git/shadow.ts";
export type { Difference, Entry as TreeEntry } from "./git/tree.ts";
export { isPicture, pictureType, readPicture } from "./image/image.ts";
export { guardCell, isCellText, notebookJson, notebookText, unguardCell } from "./notebook/notebook.ts";
export { parseJson5 } from "./platform.ts";
export { databaseEnding, isDatabase, listTables, select, tableShape } from "./sqlite/read.ts";
export type { SqlRows } from "./sqlite/run.ts";
export { type Cell, changeRow, makeDatabase, type RowChange } from "./sqlite/write.ts";
export { blockAt, declarationsAt } from "./syntax/block.ts";
export { parseErrors, parseErrorsAside, type SyntaxProblem } from "./syntax/error.ts";
export { type LanguageName, languageOf } from "./syntax/language.ts";
export { listSources } from "./syntax/list.ts";
export { type Language, openLanguage, withTree } from "./syntax/open.ts";
export { isCalm } from "./syntax/parse/calm.ts";
export { compilePattern, type Pattern, wordsOf } from "./syntax/pattern/goal.ts";
export { findMatches, type Match, mayMatch } from "./syntax/pattern/match.ts";
export { applyPlan, compileRule, planRewrite, type Replacement, type Rule } from "./syntax/pattern/rewrite.ts";
export {
  type LineRange,
  type Summary,
  type SummaryLevel,
  type SummaryLimits,
  type SummaryRow,
  summarise,
  summaryLimits,
} from "./syntax/summary.ts";
