// What only one runtime has, or what touches the disk; loaded when a script file is read.
import { readFile } from "node:fs/promises";

export const readText = (path: string): Promise<string> => readFile(path, "utf8");

/** Throws a SyntaxError for text that is not YAML. */
export function parseYaml(text: string): unknown {
  if (typeof Bun === "undefined") throw new Error("this runtime reads no YAML; write the script as JSON");
  return Bun.YAML.parse(text);
}
