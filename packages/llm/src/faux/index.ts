export { isScriptFile, loadScript, parseScript, type ReadFile } from "./load.ts";
export { fauxModel, fauxStream } from "./play.ts";
export type { Script, Turn } from "./script.ts";

/** The inputs by which a person goes through the tour, and the words that announce each. */
export const tourSteps = async () => (await import("./builtin/tour.ts")).tourSteps;
