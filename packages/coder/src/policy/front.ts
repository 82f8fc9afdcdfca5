// What judges a command; loaded when somebody wants a verdict.
export { type Verdict, verdictOn } from "./mode.ts";
export { freshState } from "./state.ts";
