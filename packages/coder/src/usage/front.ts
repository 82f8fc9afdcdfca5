// Loaded by the commands about usage, not by a conversation.
export { spentIn } from "./scan.ts";
export { sessionUsage } from "./session.ts";
export { addAnswer, nothing } from "./total.ts";
