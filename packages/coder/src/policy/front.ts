// What judges a command; loaded when somebody wants a verdict.
export { type Verdict, verdictOn } from "./mode.ts";
export { Marks, markText } from "./provenance.ts";
export { freshState } from "./state.ts";
