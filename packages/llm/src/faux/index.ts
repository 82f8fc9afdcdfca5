export { isScriptFile, loadScript, parseScript, type ReadFile } from "./load.ts";
export { fauxModel, fauxStream } from "./play.ts";
export type { Script, Turn } from "./script.ts";
