// What differs between Bun and Node stands here, so that the SDK runs on both.
import { parseWith, requirePackage } from "@pith/kit";

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
        yaml: (text) => parseWith(requirePackage<typeof import("yaml")>("yaml").parse, text),
        toml: (text) => parseWith(requirePackage<typeof import("smol-toml")>("smol-toml").parse, text),
        jsonc(text) {
          const errors: import("jsonc-parser").ParseError[] = [];
          const value: unknown = requirePackage<typeof import("jsonc-parser")>("jsonc-parser").parse(text, errors, {
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
 * Tells by the runtime's own parser whether a text is a script; undefined on Node. The parser would run macros that a
 * text imports, so a text with the word macro is not given to it.
 */
export function isScript(text: string, loader: "js" | "jsx" | "ts" | "tsx"): boolean | undefined {
  if (typeof Bun === "undefined" || /\bmacro\b/.test(text)) return undefined;
  const wrong = wrongIn(text, loader);
  if (wrong.length === 0) return true;
  const other = withOtherNames(text, wrong);
  return other !== undefined && wrongIn(other, loader).length === 0;
}

function wrongIn(text: string, loader: "js" | "jsx" | "ts" | "tsx"): readonly Partial<BuildMessage>[] {
  try {
    new Bun.Transpiler({ loader }).scanImports(text);
    return [];
  } catch (error) {
    return error instanceof AggregateError ? error.errors : [error as Partial<BuildMessage>];
  }
}

/**
 * A name that is declared twice is no matter of syntax, but the parser does not say whether it has read on to the end.
 * So, if nothing else is wrong, the same text with other names there.
 */
function withOtherNames(text: string, wrong: readonly Partial<BuildMessage>[]): string | undefined {
  const bytes = Buffer.from(text);
  const parts: Uint8Array[] = [];
  let end = 0;
  for (const { message, position } of wrong.toSorted((a, b) => placeOf(a) - placeOf(b))) {
    const name = Buffer.from(/^"(.+)" has already been declared$/.exec(message ?? "")?.[1] ?? "");
    const from = position?.offset ?? -1;
    if (name.length === 0 || from < end || !bytes.subarray(from, from + name.length).equals(name)) return undefined;
    parts.push(bytes.subarray(end, from + name.length), Buffer.from(`$again${from}`));
    end = from + name.length;
  }
  return Buffer.concat([...parts, bytes.subarray(end)]).toString();
}

const placeOf = ({ position }: Partial<BuildMessage>): number => position?.offset ?? -1;
