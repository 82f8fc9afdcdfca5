import { statSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { fail, messageOf, nearest, ok, plainText, type Result, readPlain } from "@pith/kit";
import { loadLineFinder } from "@pith/llm";
import { formats } from "../platform.ts";
import { check, expected, foreign, show } from "./check.ts";
import { oldNames, renamedTo } from "./renamed.ts";
import { isKey, type Key, keys, specOf, type Values } from "./schema.ts";
import { itemsIn, type ListSpec } from "./spec.ts";
import { setTwice } from "./twice.ts";

/** One configuration file: the values it sets and what is wrong with it. */
export interface Layer {
  file: string;
  values: Values;
  problems: string[];
  warnings: string[];
  /** Names in it that are no settings. */
  strange: string[];
  /** What it sets that waits for the user's yes to the file. */
  waiting: Key[];
  /** What the user said to the file, where something in it needs a yes. */
  standing?: FileStanding;
  text?: string;
  /** How its problems can be mended. */
  remedy: string;
}

export type FileStanding = "trusted" | "untrusted" | "changed";

export interface LayerSource {
  file: string;
  /** A project nobody has trusted may set harmless values only. */
  from: "user" | "project";
  /** Where the file must really be; the user's own may be kept anywhere. */
  within?: string;
  /** Whose it may be. */
  owner?(uid: number): boolean;
  /** A file the user named must exist. */
  missing: "is fine" | "is a problem";
  /** What the user said to a project's file as it stands. */
  standing?(text: string): FileStanding;
  /** Whose file it is: of a relative's only what is ours counts, and nothing else of it is told. */
  of?: "us" | "a relative";
}

/** Undefined when there is no file: the common case, and it costs one failed open. */
export async function readLayer({
  file,
  from,
  within,
  owner,
  missing,
  standing,
  of = "us",
}: LayerSource): Promise<Layer | undefined> {
  const piped = missing === "is a problem" && isPipe(file);
  const where = { maxBytes, ...(within !== undefined && { within }), ...(owner && { owner }) };
  const read = piped ? await drained(file) : readPlain(file, where);
  if (!read.ok && read.kind === "missing" && missing === "is fine") return undefined;
  const remedy = byCommand(from, file);
  const layer: Layer = { file, values: {}, problems: [], warnings: [], strange: [], waiting: [], remedy };
  if (!read.ok) return unread(layer, read, of);
  const text = read.value;
  const { waiting } = layer;
  const findings: Finding[] = [];
  try {
    const lasting = missing === "is fine";
    const { values } = layer;
    const said = () => (layer.standing ??= standing?.(text) ?? "untrusted");
    const into: Collection = {
      from,
      lasting,
      values,
      findings,
      unknown: 0,
      waiting,
      of,
      mayMore: () => of === "us" && said() === "trusted",
    };
    collect(dataIn(file, text), [], into);
    layer.strange = findings.map(({ path }) => path?.join(".") ?? "").filter((name) => !isKey(name));
    const more = into.unknown - maxUnknown;
    if (more > 0) findings.push({ level: "warning", path: [], text: `${more} more unknown settings` });
    findings.push(...doubled(text, layer.values));
  } catch (error) {
    if (error instanceof RangeError) {
      // Whoever knows lines would need seconds to say where.
      (of === "us" ? layer.problems : layer.warnings).push(`${file}: is nested too deeply`);
      layer.remedy = byHand(file);
      return layer;
    }
    if (!(error instanceof SyntaxError)) throw error;
    findings.push({ level: "problem", path: undefined, text: error.message });
  }
  if (of === "a relative") return theirs(findings, text, layer);
  if (findings.length > 0) await tell(findings, text, layer);
  if (waiting.length > 0) layer.warnings.push(waits(layer));
  layer.text = text;
  return layer;
}

/** What is there and cannot be read: a problem, or a warning where it only leads elsewhere. */
function unread(layer: Layer, { kind, message }: { kind: string; message: string }, of: "us" | "a relative"): Layer {
  if (of === "a relative") return { ...layer, warnings: [`${layer.file}: ${message}; ignored`] };
  const led = kind === "outside";
  const why = kind === "missing" ? "no such file" : led ? `ignored: it ${message}` : message;
  (led ? layer.warnings : layer.problems).push(`${layer.file}: ${why}`);
  return { ...layer, remedy: "it must be a file that you can read" };
}

/** Of a relative's file only that nothing of it can be read is our business. */
async function theirs(findings: readonly Finding[], text: string, layer: Layer): Promise<Layer> {
  const broken = findings
    .filter(({ path }) => path === undefined)
    .map((one) => ({ ...one, level: "warning" as const, text: `${one.text}; ignored` }));
  if (broken.length > 0) await tell(broken, withoutComments(text), layer);
  return { ...layer, waiting: [], text, strange: findings.map(({ path }) => path?.join(".") ?? "") };
}

/** The finder of lines knows YAML, which has no comments as relatives write them. */
export const withoutComments = (text: string): string => text.replace(/^\s*\/\/.*$/gm, "");

/** What a file says; relatives write some in JSON, with comments. */
export const dataIn = (file: string, text: string): unknown =>
  /\.json$/.test(file) ? formats.jsonc(text) : formats.yaml(text);

function waits({ file, waiting, standing }: Layer): string {
  const names = [...new Set(waiting)].join(", ");
  const why =
    standing === "changed" ? "the file has changed since you trusted it" : "a project may not unless you trust it";
  return `${file}: ${names} ignored: ${why} (pith trust --show tells more; --trust is for one run)`;
}

// The commands change the user's file only.
const byCommand = (from: LayerSource["from"], file: string): string =>
  from === "user" ? "pith config set and unset mend it" : byHand(file);
const byHand = (file: string): string => `edit ${file} by hand`;

export interface Finding {
  level: "problem" | "warning";
  /** The keys on the way to it, as the file spells them; undefined when the file is not YAML. */
  path: readonly (string | number)[] | undefined;
  text: string;
}

// Lines are looked up only when there is something to say: the parser that knows them is slow to load.
async function tell(findings: readonly Finding[], text: string, layer: Layer): Promise<void> {
  // Where the whole is not as it should be, there is no key to set.
  if (findings.some(({ level, path }) => level === "problem" && !path?.length)) layer.remedy = byHand(layer.file);
  const lineOf = (await loadLineFinder())(text);
  for (const finding of findings) {
    const { line, syntax } = lineOf(finding.path);
    const position = `${layer.file}${line === undefined ? "" : `:${line}`}`;
    const subject = finding.path?.length ? ` ${plainText(finding.path.join(".").slice(0, 200))}:` : "";
    (finding.level === "problem" ? layer.problems : layer.warnings).push(
      `${position}:${subject} ${syntax ?? finding.text}`,
    );
  }
}

const groups = new Set(
  [...keys, ...oldNames].flatMap((key) => key.split(".").map((_, i, parts) => parts.slice(0, i).join("."))),
);

interface Collection {
  of: "us" | "a relative";
  from: LayerSource["from"];
  /** A file that stays may be written for a newer pith; one that was named for this run is wrong. */
  lasting: boolean;
  values: Values;
  findings: Finding[];
  unknown: number;
  waiting: Key[];
  /** Whether a project's file may set more than what is harmless; the trust file is read only for this. */
  mayMore(): boolean;
}

/** Those that are named; the rest is counted, because looking for each of very many would take for ever. */
const maxUnknown = 20;

/** Walks groups only as deep as the schema goes, so a strange file cannot make it walk far. */
function collect(node: unknown, path: readonly string[], into: Collection): void {
  if (node === null || node === undefined) return;
  const name = path.join(".");
  if (groups.has(name) && typeof node === "object" && !Array.isArray(node)) {
    for (const [key, value] of Object.entries(node)) collect(value, [...path, key], into);
    return;
  }
  const now = renamedTo(name);
  if (now) {
    const wrong = takeAny(now.key, node, path, into);
    if (wrong || into.of === "us")
      into.findings.push({ path, ...(wrong ?? { level: "warning", text: `is called ${now.key} now` }) });
    return;
  }
  const known = isKey(name) || groups.has(name);
  if (!known && ++into.unknown > maxUnknown) return;
  const wrong = isKey(name) ? takeAny(name, node, path, into) : known ? noGroup(name, node) : unknown(name);
  if (wrong) into.findings.push({ path, ...wrong });
}

function takeAny(key: Key, node: unknown, path: readonly string[], into: Collection): Wrong | undefined {
  const spec = specOf(key);
  if (spec.type !== "list") return take(key, node, into);
  takeList(key, spec, node, path, into);
  return undefined;
}

/** Items one by one: each that is wrong is named with its line, and in a project's file asks. */
function takeList(
  key: Key,
  spec: ListSpec<unknown>,
  node: unknown,
  path: readonly string[],
  { from, values, findings }: Collection,
): void {
  const items = itemsIn(spec, node);
  // What a project has broken may have been meant to forbid something.
  const instead = from === "project" ? spec.strict : undefined;
  const tell = (level: Finding["level"], text: string, at?: number) =>
    findings.push({ level, path: at === undefined ? path : [...path, at], text });
  if (values[key] !== undefined) tell("problem", twice);
  if (!items) tell("problem", `expected ${expected(specOf(key))}, found ${show(node)}`);
  const kept = (items?.slice(0, mostItems) ?? []).flatMap((item, at) => {
    const wrong = spec.wrong(item);
    if (wrong !== undefined) {
      tell("problem", instead ? `${wrong}; it asks instead` : wrong, at);
      return instead ? [instead(item)] : [];
    }
    if (from !== "project" || spec.tightens(item)) return [item];
    tell("warning", `ignored: a project may ${instead ? "only make it stricter" : "not set this"}`, at);
    return [];
  });
  if (!items && instead) kept.push(instead(node));
  if (items && items.length > mostItems) tell("problem", `expected no more than ${mostItems} items`);
  const before = (values[key] ?? []) as readonly unknown[];
  (values as Record<Key, unknown>)[key] = [...before, ...kept];
}

const mostItems = 1000;

/** A project's file in which something is wrong may have held rules: then everything that they could forbid asks. */
export function strictIfRuled({ values, text }: Layer): void {
  for (const key of keys) {
    const spec = specOf(key);
    if (spec.type !== "list" || !spec.strict || values[key] !== undefined) continue;
    if (text?.includes(key.split(".").at(-1) ?? key) === false) continue;
    (values as Record<Key, unknown>)[key] = [spec.strict(undefined)];
  }
}

const twice = "is set twice in this file";

/** Of two values neither is known to be the one that was meant, so neither counts. */
function doubled(text: string, values: Values): Finding[] {
  const path = setTwice(text);
  if (!path) return [];
  for (const key of keys)
    if (`${key}.`.startsWith(`${path.join(".")}.`) && specOf(key).type !== "list") delete values[key];
  return [{ level: "problem", path, text: twice }];
}

type Wrong = Pick<Finding, "level" | "text">;

function take<K extends Key>(key: K, value: unknown, into: Collection): Wrong | undefined {
  const { from, lasting, values, of } = into;
  // Milliseconds, as some wrote them, are seconds here.
  if (of === "a relative" && key === "ask.timeout" && typeof value === "number" && value > 1000)
    return take(key, Math.round(value / 1000), into);
  if (from === "project" && !specOf(key).harmless?.(value)) {
    if (!specOf(key).trusted?.(value))
      return { level: "warning", text: `ignored: a project may not set this to ${show(value)}` };
    if (!into.mayMore()) {
      into.waiting.push(key);
      return undefined;
    }
  }
  if (values[key] !== undefined) {
    delete values[key];
    return { level: "problem", text: twice };
  }
  const checked = check(key, value);
  if (checked.ok) {
    values[key] = checked.value as Values[K];
    return undefined;
  }
  const instead = lasting ? foreign(key, value) : undefined;
  if (!instead) return { level: "problem", text: checked.message };
  if (from === "user" && instead.value !== undefined) values[key] = instead.value as Values[K];
  return { level: "warning", text: `${checked.message}; going on with ${values[key] ?? "what it is without this"}` };
}

function noGroup(name: string, value: unknown): Wrong {
  const inside = keys.filter((key) => key.startsWith(`${name}.`));
  const some = `${inside.slice(0, 3).join(", ")}${inside.length > 3 ? ", …" : ""}`;
  const expected = name === "" ? "settings, one per line as key: value" : `a group of settings (${some})`;
  return { level: "problem", text: `expected ${expected}, found ${show(value)}` };
}

function unknown(name: string): Wrong {
  const meant = name.length > 100 ? undefined : nearest(name, keys);
  return {
    level: "warning",
    text: `unknown setting${meant ? `; did you mean ${meant}?` : " (pith config list shows them all)"}`,
  };
}

const maxBytes = 1024 * 1024;

/** `--config <(…)`: what a person names for this run may come out of a pipe. */
const isPipe = (file: string): boolean => statSync(file, { throwIfNoEntry: false })?.isFIFO() ?? false;

async function drained(file: string): Promise<Result<string, "unfit">> {
  try {
    const text = await readFile(file, "utf8");
    return text.length > maxBytes ? fail("unfit", "is too large") : ok(text);
  } catch (error) {
    return fail("unfit", messageOf(error));
  }
}
