// What makes a conversation shorter; loaded when one is too long.

export { sealData } from "../session/seal.ts";
export { filesOf, withoutFiles } from "../session/walk/files.ts";
export { branchSummariser } from "./branch.ts";
export { carriedIn, carriedOf, errorsOf, keptText } from "./carry.ts";
export { cutOf, measuredOf, tokensOf } from "./cut.ts";
export { planOf } from "./plan.ts";
export { prunedOf } from "./prune.ts";
export { strategies } from "./strategies.ts";
export { patienceMs } from "./strategy.ts";
