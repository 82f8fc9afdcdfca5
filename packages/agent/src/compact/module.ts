// What makes a conversation shorter; loaded when one is too long.

export { sealData } from "../session/compaction/seal.ts";
export { filesOf, withoutFiles } from "../session/walk/touched-files.ts";
export { cutOf, measuredOf, tokensOf } from "./cut.ts";
export { planOf } from "./plan.ts";
export { prunedOf } from "./prune.ts";
export { strategies } from "./strategy/all.ts";
export { patienceMs } from "./strategy/strategy.ts";
export { branchSummariser } from "./summary/branch.ts";
export { carriedIn, carriedOf, errorsOf, keptText } from "./summary/quotes.ts";
