// Compaction; loaded when a conversation is too long.

export { sealData } from "../session/compaction/seal.ts";
export { touchedFiles, withoutFiles } from "../session/walk/touched-files.ts";
export { findCut, measurePath, totalTokens } from "./cut.ts";
export { planCompaction } from "./plan.ts";
export { pruneResults } from "./prune.ts";
export { strategies } from "./strategy/all.ts";
export { answerTimeoutMs } from "./strategy/strategy.ts";
export { branchSummarizer } from "./summary/branch.ts";
export { collectQuotes, keptText, lastErrors, quotesIn } from "./summary/quotes.ts";
