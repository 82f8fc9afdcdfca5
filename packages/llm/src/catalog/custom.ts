import { fail, nearest, ok, plainText, type Result } from "@pith/kit";
import type { Compat } from "../message/compat.ts";
import { vendors as known } from "../vendor/table.ts";
import { type Api, apiNamed, apis } from "../vendor/vendor.ts";
import type { Facts } from "./catalog.ts";

/** What `models.yml` says of one vendor: a new one, or changes to one that pith knows. */
export interface CustomVendor {
  id: string;
  baseUrl?: string;
  /** As written: a command behind `!`, the name of a variable, or the key itself. */
  apiKey?: string;
  api?: Api;
  headers?: Readonly<Record<string, string>>;
  compat?: Compat;
  /** The key goes out as a bearer, whatever the protocol does. */
  authHeader?: boolean;
  models: readonly CustomModel[];
}
/** Figures that are left out are taken from the catalog, or guessed. */
export interface CustomModel {
  id: string;
  facts: Partial<Facts>;
  headers?: Readonly<Record<string, string>>;
}
export interface CustomModels {
  vendors: readonly CustomVendor[];
  warnings: readonly string[];
}

/** Reads the text of `models.yml`. Every problem is told with its line and its key; unknown keys are passed over with a warning. */
export async function readCustom(file: string, text: string): Promise<Result<CustomModels, "models">> {
  const { parseYaml } = await import("../platform.ts");
  const findings: Finding[] = [];
  const vendors: CustomVendor[] = [];
  try {
    const root = group(parseYaml(text) ?? {}, [], findings);
    pass(root, ["providers"], [], findings);
    const providers = root.providers === undefined || root.providers === null ? {} : group(root.providers, ["providers"], findings);
    for (const [id, value] of Object.entries(providers)) vendors.push(readVendor(id, value, findings));
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    findings.push({ level: "problem", path: undefined, text: error.message });
  }
  if (findings.length === 0) return ok({ vendors, warnings: [] });
  const told = await tell(file, text, findings);
  return told.problems.length > 0 ? fail("models", told.problems.join("\n")) : ok({ vendors, warnings: told.warnings });
}

type Path = readonly (string | number)[];
interface Finding {
  level: "problem" | "warning";
  path: Path | undefined;
  text: string;
}
type Fields = Record<string, unknown>;

const vendorKeys = ["baseUrl", "apiKey", "api", "headers", "compat", "models", "name", "authHeader"];
const modelKeys = ["id", "name", "api", "contextWindow", "maxTokens", "cost", "reasoning", "tools", "input", "compat", "headers", "thinkingLevelMap"];
const costKeys = ["input", "output", "cacheRead", "cacheWrite"];

function readVendor(id: string, value: unknown, findings: Finding[]): CustomVendor {
  const path = ["providers", id];
  const fields = group(value ?? {}, path, findings);
  pass(fields, vendorKeys, path, findings);
  const read = reader(fields, path, findings);
  const baseUrl = read("baseUrl", "an http or https address", isUrl);
  const apiKey = read("apiKey", "a key, the name of a variable, or !command", isText);
  const api = read("api", `one of ${apis.join(", ")}`, isApi);
  const headers = read("headers", "header names with texts", isTexts);
  const compat = read("compat", "a group of switches", isGroup);
  const authHeader = read("authHeader", "true or false", isSwitch);
  const list = read("models", "a list of models", Array.isArray) ?? [];
  if (baseUrl === undefined && fields.baseUrl === undefined && !isKnown(id))
    findings.push({ level: "problem", path, text: "a vendor that pith does not know needs a baseUrl" });
  if (/[/\s:]/.test(id) || id === "") findings.push({ level: "problem", path, text: "a vendor's name has no slash, colon or space" });
  return {
    id,
    ...(baseUrl ? { baseUrl } : {}),
    ...(apiKey ? { apiKey } : {}),
    ...(api ? { api: apiNamed(api) as Api } : {}),
    ...(headers ? { headers } : {}),
    ...(compat ? { compat: compat as Compat } : {}),
    ...(authHeader ? { authHeader } : {}),
    models: list.flatMap((model, at) => readModel(model, [...path, "models", at], findings)),
  };
}

function readModel(value: unknown, path: Path, findings: Finding[]): CustomModel[] {
  const fields = group(value, path, findings);
  pass(fields, modelKeys, path, findings);
  const read = reader(fields, path, findings);
  const id = read("id", "the model's name at its server", isText);
  if (id === undefined) {
    if (fields.id === undefined) findings.push({ level: "problem", path, text: "a model needs an id" });
    return [];
  }
  const name = read("name", "text", isText);
  const api = read("api", `one of ${apis.join(", ")}`, isApi);
  const contextWindow = read("contextWindow", "a whole number of tokens", isCount);
  const maxOutput = read("maxTokens", "a whole number of tokens", isCount);
  const reasoning = read("reasoning", "true or false", isSwitch);
  const tools = read("tools", "true or false", isSwitch);
  const input = read("input", "a list out of text, image", isInput);
  const compat = read("compat", "a group of switches", isGroup);
  const headers = read("headers", "header names with texts", isTexts);
  const levels = read("thinkingLevelMap", "levels with the server's words for them", isGroup);
  const cost = readCost(fields.cost, [...path, "cost"], findings);
  const facts: Partial<Facts> = {
    ...(name ? { name } : {}),
    ...(api ? { api: apiNamed(api) as Api } : {}),
    ...(contextWindow ? { contextWindow } : {}),
    ...(maxOutput ? { maxOutput } : {}),
    ...(reasoning === undefined ? {} : { reasoning }),
    ...(tools === undefined ? {} : { tools }),
    ...(input ? { input } : {}),
    ...(cost ? { cost } : {}),
    ...(compat ? { compat: compat as Compat } : {}),
    ...(levels ? { thinkingLevelMap: levels as Facts["thinkingLevelMap"] } : {}),
  };
  return [{ id, facts, ...(headers ? { headers } : {}) }];
}

function readCost(value: unknown, path: Path, findings: Finding[]): Facts["cost"] | undefined {
  if (value === undefined || value === null) return undefined;
  const fields = group(value, path, findings);
  pass(fields, costKeys, path, findings);
  const read = reader(fields, path, findings);
  const [input = 0, output = 0, cacheRead = 0, cacheWrite = 0] = costKeys.map((key) => read(key, "dollars per million tokens", isPrice));
  return { input, output, cacheRead, cacheWrite };
}

const isKnown = (id: string): boolean => known.some((row) => row.id === id || row.also?.includes(id));
const isText = (value: unknown): value is string => typeof value === "string" && value !== "";
const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) > 0;
const isPrice = (value: unknown): value is number => typeof value === "number" && value >= 0 && Number.isFinite(value);
const isSwitch = (value: unknown): value is boolean => typeof value === "boolean";
const isGroup = (value: unknown): value is Fields => typeof value === "object" && value !== null && !Array.isArray(value);
const isTexts = (value: unknown): value is Record<string, string> => isGroup(value) && Object.values(value).every((own) => typeof own === "string");
const isApi = (value: unknown): value is string => typeof value === "string" && apiNamed(value) !== undefined;
const isUrl = (value: unknown): value is string => typeof value === "string" && /^https?:$/.test(URL.parse(value)?.protocol ?? "");
const isInput = (value: unknown): value is ("text" | "image")[] => Array.isArray(value) && value.every((own) => own === "text" || own === "image");

/** A field of its type; a wrong one is noted and left out. */
function reader(fields: Fields, path: Path, findings: Finding[]) {
  return <T>(key: string, expected: string, fits: (value: unknown) => value is T): T | undefined => {
    const value = fields[key];
    if (value === undefined || value === null) return undefined;
    if (fits(value)) return value;
    // A key is never quoted: it may be a secret that stands in the wrong place.
    const found = key === "apiKey" || key === "headers" ? "" : `, found ${show(value)}`;
    findings.push({ level: "problem", path: [...path, key], text: `expected ${expected}${found}` });
    return undefined;
  };
}

function group(value: unknown, path: Path, findings: Finding[]): Fields {
  if (isGroup(value)) return value;
  findings.push({ level: "problem", path, text: `expected ${path.length === 0 ? "providers: with vendors below it" : "a group"}, found ${show(value)}` });
  return {};
}

function pass(fields: Fields, known: readonly string[], path: Path, findings: Finding[]): void {
  for (const key of Object.keys(fields)) {
    if (known.includes(key)) continue;
    const meant = nearest(key, known);
    findings.push({ level: "warning", path: [...path, key], text: `unknown key${meant ? `; did you mean ${meant}?` : ", passed over"}` });
  }
}

function show(value: unknown): string {
  if (typeof value === "object" && value !== null) return Array.isArray(value) ? "a list" : "a group";
  return plainText(JSON.stringify(value) ?? String(value)).slice(0, 60);
}

// Lines are looked up only when there is something to say: the parser that knows them is slow to load.
async function tell(file: string, text: string, findings: readonly Finding[]): Promise<{ problems: string[]; warnings: string[] }> {
  const { lineFinder } = await import("./line.ts");
  const lineOf = lineFinder(text);
  const told = { problems: [] as string[], warnings: [] as string[] };
  for (const { level, path, text: said } of findings) {
    const { line, syntax } = lineOf(path);
    const subject = path?.length ? ` ${plainText(path.join("."))}:` : "";
    told[`${level}s`].push(`${file}${line === undefined ? "" : `:${line}`}:${subject} ${syntax ?? said}`);
  }
  return told;
}
