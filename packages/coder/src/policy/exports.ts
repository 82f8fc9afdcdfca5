// What judges a command; loaded when somebody wants a verdict.

export { freshState } from "../judge/state.ts";
export { type Mine, verdictHere } from "./mine.ts";
export { Marks, markText } from "./provenance.ts";
export { type CommandVerdict, verdictOn } from "./verdict.ts";
