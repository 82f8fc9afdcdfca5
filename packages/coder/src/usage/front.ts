// What the commands about usage need; a conversation loads none of it before it is asked.
export { spentIn } from "./scan.ts";
export { sessionUsage } from "./session.ts";
export { count, nothing } from "./total.ts";
