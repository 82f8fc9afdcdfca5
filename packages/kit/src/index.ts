export { raceEnd, sleep, whenAborted } from "./abort.ts";
export { type Clock, idStart, shortId, systemClock, uuid7 } from "./clock.ts";
export { closing, readRange, writeAll } from "./descriptor.ts";
export { fill } from "./fill.ts";
export { isDeep, LineCutter, readLines, tooLong } from "./lines.ts";
export { fileLog, type Log, silentLog } from "./log.ts";
export { distance, nearest } from "./nearest.ts";
export {
  entriesIn,
  expandHome,
  fileStat,
  folded,
  foldsAt,
  isDirectory,
  isInside,
  linkStat,
  mayFoldAt,
  pithHome,
  realPath,
  showPath,
  slashed,
  spelledLike,
  unescapeMount,
} from "./path.ts";
export {
  isOwnFolder,
  isUnlinked,
  openPlain,
  plainAppend,
  plainWrite,
  readEnd,
  readPlain,
  writeWhole,
} from "./plain-file.ts";
export {
  type Database,
  type DatabaseOptions,
  hasher,
  openDatabase,
  parseWith,
  requirePackage,
  type SqlValue,
  zlib,
} from "./platform.ts";
export { codeOf, type Fail, fail, messageOf, type Ok, ok, type Result } from "./result.ts";
export {
  byteLength,
  cleanText,
  countLines,
  formatBytes,
  formatCount,
  headBytes,
  plainText,
  plural,
  shellQuote,
  shorten,
  splitLines,
} from "./text.ts";
export { endStartup, noteLoad, span, timingReport } from "./timing.ts";
export { defined, isRecord, late, parseJson, recordOf, succeeds, sumOf, tryOr } from "./value.ts";
