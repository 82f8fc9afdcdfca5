import { succeeds } from "@pith/kit";

/** A script syntax, with a way to find the line of an error: the runtime's parsers do not report it. */
export interface Syntax {
  name: string;
  /** Throws for text that is not in this syntax. */
  parse(text: string): unknown;
  /** The line, from 1, of the mistake in a text that does not parse. */
  errorLine(text: string): number;
}

export const jsonSyntax: Syntax = {
  name: "JSON",
  parse: (text) => JSON.parse(text),
  errorLine: (text) => text.slice(0, jsonReach(text)).split("\n").length,
};

export const yamlSyntax = async (): Promise<Syntax> => {
  const { parseYaml } = await import("../platform.ts");
  const parses = (text: string) => succeeds(() => parseYaml(text));
  return {
    name: "YAML",
    parse: parseYaml,
    // A prefix of YAML is YAML, so the error is in the line after the longest prefix that parses.
    errorLine(text) {
      const lines = text.split("\n");
      let good = lines.length - 1;
      while (good > 0 && !parses(lines.slice(0, good).join("\n"))) good--;
      return good + 1;
    },
  };
};

/** Offset up to which a text is valid JSON. */
function jsonReach(text: string): number {
  let at = 0;
  const take = (token: RegExp): boolean => {
    token.lastIndex = at;
    const taken = token.test(text);
    if (taken) at = token.lastIndex;
    return taken;
  };
  const list = (item: () => boolean, close: RegExp): boolean => {
    if (take(close)) return true;
    do if (!item()) return false;
    while (take(/\s*,\s*/y));
    return take(close);
  };
  const pair = () => take(string) && take(/\s*:/y) && value();
  const value = (): boolean => {
    take(/\s*/y);
    if (take(/\{\s*/y)) return list(pair, /\s*\}/y);
    if (take(/\[\s*/y)) return list(value, /\s*\]/y);
    return take(string) || take(/-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y);
  };
  value();
  take(/\s*/y);
  return at;
}
// biome-ignore lint/suspicious/noControlCharactersInRegex: JSON forbids them inside strings
const string = /"(?:[^"\\\x00-\x1f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y;
