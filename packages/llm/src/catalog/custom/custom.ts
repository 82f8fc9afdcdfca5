import { fail, ok, plainText, type Result } from "@pith/kit";
import { choice, filledText, texts, toggle } from "../../field.ts";
import type { Compat } from "../../model/compat.ts";
import { type Api, apiNamed } from "../../vendor/api.ts";
import { vendors as known } from "../../vendor/table.ts";
import { address, protocol } from "./address.ts";
import { readCompat } from "./compat.ts";
import { type CustomModel, readFacts, readModel } from "./model.ts";
import { FieldGroup, type FileFinding } from "./schema.ts";

/** A vendor in `models.yml`: a new one, or changes to a known one. */
export interface CustomVendor {
  id: string;
  baseUrl?: string;
  /** As written: a command after `!`, the name of a variable, a text with variables in it, or the key itself. */
  apiKey?: string;
  api?: Api;
  headers?: Readonly<Record<string, string>>;
  compat?: Compat;
  /** Sends the key as a bearer token, whatever the protocol usually does. */
  authHeader?: boolean;
  /** The server needs no key. */
  keyless?: boolean;
  models: readonly CustomModel[];
  /** Changes to models that the catalog names. */
  overrides: readonly CustomModel[];
}
export interface CustomModels {
  vendors: readonly CustomVendor[];
  warnings: readonly string[];
}

/**
 * Reads the text of `models.yml`. A problem is reported with its line and key; an unknown key is skipped with a
 * warning.
 */
export async function readCustom(file: string, source: string): Promise<Result<CustomModels, "models">> {
  const { parseYaml } = await import("../../platform.ts");
  const findings: FileFinding[] = [];
  let vendors: CustomVendor[] = [];
  try {
    const root = new FieldGroup(parseYaml(source) ?? {}, [], findings, "providers: with vendors below it");
    vendors = root.groups("providers").flatMap(([id, group]) => readVendor(id, group));
    root.end(["configVersion", "equivalence"]);
  } catch (error) {
    if (error instanceof RangeError) return fail("models", `${file}: is nested too deeply`);
    if (!(error instanceof SyntaxError)) throw error;
    findings.push({ level: "problem", path: undefined, text: error.message });
  }
  if (findings.length === 0) return ok({ vendors, warnings: [] });
  const located = await locate(file, source, findings);
  return located.problems.length > 0
    ? fail("models", located.problems.join("\n"))
    : ok({ vendors, warnings: located.warnings });
}

/**
 * Reads one vendor. One with an unknown protocol is left out: over another protocol its server would not understand us.
 */
function readVendor(id: string, group: FieldGroup): CustomVendor[] {
  const baseUrl = group.read("baseUrl", address);
  const apiKey = group.read("apiKey", filledText("a key, the name of a variable, or !command"));
  const api = group.read("api", protocol);
  if (group.lacks("api", api)) return [];
  const headers = group.read("headers", texts("header names with texts"));
  const compat = readCompat(group);
  const authHeader = group.read("authHeader", toggle);
  const auth = group.read("auth", choice(["apiKey", "none", "oauth"]));
  const models = group.list("models", "models").flatMap(readModel);
  const overrides = group.groups("modelOverrides").map(([model, fields]) => ({ id: model, ...readFacts(fields) }));
  group.end(["name", "disableStrictTools", "remoteCompaction"]);
  if (
    baseUrl === undefined &&
    group.fields.baseUrl === undefined &&
    !isKnown(id) &&
    !(models.length > 0 && models.every((model) => model.baseUrl))
  )
    group.problem("a vendor that pith does not know needs a baseUrl");
  if (/[/\s:]/.test(id) || id === "") group.problem("a vendor's name has no slash, colon or space");
  return [
    {
      id,
      baseUrl: baseUrl || undefined,
      apiKey: apiKey || undefined,
      api: api ? (apiNamed(api) as Api) : undefined,
      headers,
      compat,
      authHeader,
      keyless: auth === "none",
      models,
      overrides,
    },
  ];
}

const isKnown = (id: string): boolean => known.some((row) => row.id === id || row.also?.includes(id));

// Loads the line finder only when there is something to report: its YAML parser is slow to load.
async function locate(
  file: string,
  source: string,
  findings: readonly FileFinding[],
): Promise<{ problems: string[]; warnings: string[] }> {
  const { lineFinder } = await import("./line.ts");
  const lineOf = lineFinder(source);
  const located = { problems: [] as string[], warnings: [] as string[] };
  for (const { level, path, text: said } of findings) {
    const { line, syntax } = lineOf(path);
    const subject = path?.length ? ` ${plainText(path.join("."))}:` : "";
    located[`${level}s`].push(`${file}${line === undefined ? "" : `:${line}`}:${subject} ${syntax ?? said}`);
  }
  return located;
}
