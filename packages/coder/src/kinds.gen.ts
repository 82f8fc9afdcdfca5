// All kinds of results of the parts. Made by scripts/gen/parts.ts.
export { kinds as ask } from "./part/ask/kinds.ts";
export { kinds as btw } from "./part/btw/kinds.ts";
export { kinds as delegate } from "./part/delegate/kinds.ts";
export { kinds as discover } from "./part/discover/kinds.ts";
export { kinds as plan } from "./part/plan/kinds.ts";
export { kinds as shell } from "./part/shell/kinds.ts";
export { kinds as todo } from "./part/todo/kinds.ts";
