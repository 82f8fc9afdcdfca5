// What judges a command; loaded when somebody wants a verdict.
export { Marks, markText } from "./provenance.ts";
export { freshState } from "./state.ts";
export { type Verdict, verdictOn } from "./verdict.ts";
