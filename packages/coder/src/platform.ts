// What differs between Bun and Node stands here, so that the SDK runs on both.
import { need, parsed } from "@pith/kit";

/** Readers of formats. Each throws a SyntaxError on bad text, like JSON.parse. */
export interface Formats {
  yaml(text: string): unknown;
  toml(text: string): unknown;
  /** JSON with comments and commas too many. */
  jsonc(text: string): unknown;
}

export const formats: Formats =
  typeof Bun === "undefined"
    ? {
        yaml: (text) => parsed(need<typeof import("yaml")>("yaml").parse, text),
        toml: (text) => parsed(need<typeof import("smol-toml")>("smol-toml").parse, text),
        jsonc(text) {
          const errors: import("jsonc-parser").ParseError[] = [];
          const value: unknown = need<typeof import("jsonc-parser")>("jsonc-parser").parse(text, errors, {
            allowTrailingComma: true,
          });
          if (errors.length > 0) throw new SyntaxError("is no JSON");
          return value;
        },
      }
    : {
        yaml: (text) => Bun.YAML.parse(text),
        toml: (text) => Bun.TOML.parse(text),
        jsonc: (text) => Bun.JSONC.parse(text),
      };

/** Reads YAML. Throws a SyntaxError on bad text, like JSON.parse. */
export const parseYaml = async (text: string): Promise<unknown> => formats.yaml(text);

/**
 * Whether a text is a script as the runtime's own parser reads it; it is only read. The other ways to ask that parser
 * run what a text imports as a macro, so a text that speaks of macros is not even shown to it. Nobody knows on Node.
 */
export function isScript(text: string, loader: "js" | "jsx" | "ts" | "tsx"): boolean | undefined {
  if (typeof Bun === "undefined" || /\bmacro\b/.test(text)) return undefined;
  try {
    new Bun.Transpiler({ loader }).scanImports(text);
    return true;
  } catch {
    return false;
  }
}
