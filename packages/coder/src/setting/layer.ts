import { statSync } from "node:fs";
import { defined, fail, messageOf, ok, plainText, type Result, readPlain } from "@pith/kit";
import { loadLineFinder } from "@pith/llm";
import { formats } from "../platform.ts";
import { Collector, type Finding } from "./collect.ts";
import type { Key, SettingTable, Values } from "./schema.ts";

/** A file of settings: the values it sets and what is wrong with it. */
export interface Layer {
  file: string;
  values: Values;
  problems: string[];
  warnings: string[];
  /** Names in it that are no settings. */
  strange: string[];
  /** Keys that it sets and that wait for the user's yes to the file. */
  waiting: Key[];
  /** The user's answer about the file, where something in it needs a yes. */
  standing?: FileStanding;
  text?: string;
  /** Advice on mending its problems. */
  remedy: string;
}

export type FileStanding = "trusted" | "untrusted" | "changed";

export interface LayerSource {
  file: string;
  /** A project nobody has trusted may set harmless values only. */
  from: "user" | "project";
  /** Directory that the file must really be in; the user's own may be kept anywhere. */
  within?: string;
  /** True for owners that are believed. */
  owner?(uid: number): boolean;
  /** A file the user named must exist. */
  missing: "is fine" | "is a problem";
  /** Returns the user's answer about a project's file with this content. */
  standing?(text: string): FileStanding;
  /** The product it was written for. Of another's file only shared keys count, and nothing else in it is reported. */
  of?: "us" | "a relative";
}

/** Reads a file of settings. Undefined when there is none: the common case, which costs one failed open. */
export async function readLayer(table: SettingTable, source: LayerSource): Promise<Layer | undefined> {
  const { file, from, within, owner, missing, standing, of = "us" } = source;
  const piped = missing === "is a problem" && isPipe(file);
  const read = piped ? await drained(file) : readPlain(file, defined({ maxBytes, within, owner }));
  if (!read.ok && read.kind === "missing" && missing === "is fine") return undefined;
  const isTrusted = () => {
    layer.standing ??= standing?.(text) ?? "untrusted";
    return layer.standing === "trusted";
  };
  const lasting = missing === "is fine";
  const collector = new Collector({ table, of, from, lasting, mayMore: () => of === "us" && isTrusted() });
  const { values, findings, waiting } = collector;
  const remedy = byCommand(from, file);
  const layer: Layer = { file, values, problems: [], warnings: [], strange: [], waiting, remedy };
  if (!read.ok) return unread(layer, read, of);
  const text = read.value;
  try {
    collector.collect(dataIn(file, text), text);
  } catch (error) {
    if (error instanceof RangeError) {
      // Finding the line would take seconds.
      (of === "us" ? layer.problems : layer.warnings).push(`${file}: is nested too deeply`);
      layer.remedy = byHand(file);
      return layer;
    }
    if (!(error instanceof SyntaxError)) throw error;
    findings.push({ level: "problem", path: undefined, text: error.message });
  }
  layer.strange = namesIn(findings).filter((name) => of !== "us" || (name !== "" && !table.isKey(name)));
  layer.text = text;
  if (of === "a relative") return theirs(findings, text, layer);
  if (findings.length > 0) await tell(findings, text, layer);
  if (waiting.length > 0) layer.warnings.push(waits(layer));
  return layer;
}

/** Reports a file that cannot be read: a problem, or a warning when it only leads elsewhere. */
function unread(layer: Layer, { kind, message }: { kind: string; message: string }, of: "us" | "a relative"): Layer {
  if (of === "a relative") return { ...layer, warnings: [`${layer.file}: ${message}; ignored`] };
  const led = kind === "outside";
  const why = kind === "missing" ? "no such file" : led ? `ignored: it ${message}` : message;
  (led ? layer.warnings : layer.problems).push(`${layer.file}: ${why}`);
  return { ...layer, remedy: "it must be a file that you can read" };
}

/** Leaves out the findings in another product's file, except that nothing of it can be read. */
async function theirs(findings: readonly Finding[], text: string, layer: Layer): Promise<Layer> {
  const broken = findings
    .filter(({ path }) => path === undefined)
    .map((one) => ({ ...one, level: "warning" as const, text: `${one.text}; ignored` }));
  if (broken.length > 0) await tell(broken, withoutComments(text), layer);
  return { ...layer, waiting: [] };
}

const namesIn = (findings: readonly Finding[]): string[] => findings.map(({ path }) => path?.join(".") ?? "");

/** Blanks comments as other products write them, which the finder of lines does not know. */
export const withoutComments = (text: string): string => text.replace(/^\s*\/\/.*$/gm, "");

/** Parses a file; other products write some in JSON with comments. */
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

/** Adds findings to a layer, with their lines. Lines are found by a parser that is slow to load, so only now. */
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

const maxBytes = 1024 * 1024;

/** True for a pipe, which `--config <(…)` names. */
const isPipe = (file: string): boolean => statSync(file, { throwIfNoEntry: false })?.isFIFO() ?? false;

async function drained(file: string): Promise<Result<string, "unfit">> {
  try {
    const text = await (await import("node:fs/promises")).readFile(file, "utf8");
    return text.length > maxBytes ? fail("unfit", "is too large") : ok(text);
  } catch (error) {
    return fail("unfit", messageOf(error));
  }
}
