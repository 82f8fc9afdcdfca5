import { type Intent, type Outcome, type PrepareOptions, refusal, schema as s, type Tool } from "@pith/agent";
import { fail, ok, type Result } from "@pith/kit";
import { adding, editWords } from "../../../edit/added/added.ts";
import type { Editing } from "../../../edit/draft/file.ts";
import type { IntentHow } from "../../../edit/draft/intent.ts";
import type { ReportHow } from "../../../edit/draft/report.ts";
import type { EditMode } from "../../../edit/mode.ts";
import type { Files } from "../../../files/files.ts";
import { readTagHeader } from "../../../snapshot/header.ts";
import type { Snapshots } from "../../../snapshot/snapshot.ts";
import type { Router } from "../../../url/router.ts";
import { looksLikeUrl } from "../../../url/url.ts";
import applyPatchAbout from "./apply-patch.md" with { type: "text" };
import { hashlineGrammar, patchGrammar } from "./grammar.ts";
import hashlineAbout from "./hashline.md" with { type: "text" };
import patchAbout from "./patch.md" with { type: "text" };
import replaceAbout from "./replace.md" with { type: "text" };
import replaceBrief from "./replace.short.md" with { type: "text" };

export interface EditOptions extends Omit<ReportHow, "tags"> {
  files: Files;
  /** Internal addresses. */
  urls?: Pick<Router, "target">;
  snapshots: Snapshots;
  mode: EditMode;
  /** `each` keeps the hunks of apply_patch before a failing one, `all` makes all or none. */
  apply?: "each" | "all";
  /** With "add", apply_patch gives a newline to a file that ends without one. */
  finalNewline?: "add" | "keep";
  generated?: "refuse" | "allow";
}

const text = s.object({ input: s.string().min(1) });
const replacement = s.object({
  path: s.string().min(1),
  edits: s.array(s.object({ oldText: s.string(), newText: s.string(), all: s.boolean().optional() })).min(1),
});
const diff = s.object({ path: s.string().min(1), diff: s.string().min(1) });
type Input = { input: string } | s.Infer<typeof replacement> | { path: string; diff: string };

const dialects: Record<EditMode, { about: string; brief?: string; input: s.Schema<Input>; grammar?: string }> = {
  hashline: { about: hashlineAbout, input: text, grammar: hashlineGrammar },
  replace: { about: replaceAbout, brief: replaceBrief, input: replacement },
  patch: { about: patchAbout, input: diff },
  apply_patch: { about: applyPatchAbout, input: text, grammar: patchGrammar },
};

/** Edits files in one of four dialects. The model is told of one; the others are understood, for models remember them. */
export function edit(options: EditOptions): Tool<Input> {
  const { about, brief, input, grammar } = dialects[options.mode];
  const shapes = [input, ...[text, replacement, diff].filter((shape) => shape !== input)];
  const any = s.union(shapes);
  const editing: Editing = {
    files: options.files,
    resolve: options.files.resolve,
    snapshots: options.snapshots,
    generated: options.generated ?? "refuse",
  };
  return {
    name: "edit",
    about,
    brief,
    input: new s.Schema<Input>(input.json, (value, tell) =>
      (isEmpty(value) ? input : shapeOf(value, any)).read(value, tell),
    ),
    freeform:
      grammar === undefined ? undefined : { argument: "input", grammar: { syntax: "lark", definition: grammar } },
    arriving: async (args) => {
      const input = arrivedText(args);
      if (input === undefined) return [];
      const { arrivingChanges } = await import("./arriving.ts");
      return arrivingChanges(editing, isPatch(input, options.mode) ? "apply_patch" : "hashline", input);
    },
    adds: () => adding(editWords),
    prepare: (input, how) => prepare(input, options, editing, how),
  };
}

async function prepare(
  input: Input,
  options: EditOptions,
  editing: Editing,
  { without, signal }: PrepareOptions,
): Promise<Intent | Outcome> {
  const { mode, check, late } = options;
  const how: IntentHow = { tags: mode === "hashline" ? "shown" : "left out", without, check, late };
  const named = await withoutAddress(input, options.urls);
  if (!named.ok) return refusal(named.message);
  const { misnamedText } = await import("../../../tools/missing.ts");
  const lost = "edits" in named.value ? await misnamedText(options.files, named.value.path, signal) : undefined;
  if (lost) return refusal(untouched(lost));
  const real = "path" in named.value ? named.value.path : undefined;
  if (!("path" in input) || real === undefined || real === input.path)
    return prepareNamed(named.value, options, editing, how);
  const show = (path: string) => (path === real ? input.path : editing.files.show(path));
  const addressed = { ...editing, files: { ...editing.files, show } };
  return prepareNamed(named.value, options, addressed, { ...how, tags: "left out" });
}

/** A file behind an address is named by it; lines of one have no tag, so that only its text can be replaced. */
async function withoutAddress(input: Input, urls: EditOptions["urls"]): Promise<Result<Input, "url">> {
  if ("path" in input) {
    if (!looksLikeUrl(input.path) || !urls) return ok(input);
    const file = await urls.target(input.path);
    return file.ok ? ok({ ...input, path: file.value }) : fail("url", untouched(file.message));
  }
  const address = /^(?:\[|¶|\*\*\* (?:Add|Delete|Update) File: )([a-z]+:\/\/[^#\]\s]+)/m.exec(input.input)?.[1];
  const byText = "give `path` and `edits`, or write all of it. Nothing was changed.";
  return address === undefined ? ok(input) : fail("url", `${address} is changed by its text: ${byText}`);
}

async function prepareNamed(
  input: Input,
  options: EditOptions,
  editing: Editing,
  how: IntentHow,
): Promise<Intent | Outcome> {
  const { mode } = options;
  if ("diff" in input && isPatch(input.diff, "patch"))
    return prepareNamed({ input: input.diff }, options, editing, how);
  if ("input" in input && isPatch(input.input, mode)) {
    const { patchIntent } = await import("../../../edit/apply-patch/intent.ts");
    const { apply = "each", finalNewline = "add" } = options;
    return patchIntent({ ...editing, apply, finalNewline }, input.input, how);
  }
  const plan =
    "path" in input
      ? (await import("./simple.ts")).planSimple(editing, input.path, input)
      : await (await import("./hashline/plan.ts")).planHashline(editing, input.input);
  if (!plan.ok) return refusal(untouched(plan.message));
  const { editIntent } = await import("../../../edit/draft/intent.ts");
  return editIntent(editing, plan.value, how);
}

const byKey: [string, s.Schema<Input>][] = [
  ["input", text],
  ["edits", replacement],
  ["diff", diff],
];

/** The shape that a key tells from the others, so that problems are told of that one. */
function shapeOf(value: unknown, any: s.Schema<Input>): s.Schema<Input> {
  const fields = (value ?? {}) as Readonly<Record<string, unknown>>;
  const [one, another] = byKey.filter(([key]) => (fields[key] ?? undefined) !== undefined);
  return one && !another ? one[1] : any;
}

/** True for arguments that tell no shape from another: the one that the model was told of is meant then. */
const isEmpty = (value: unknown): boolean =>
  typeof value === "object" && value !== null && Object.keys(value).length === 0;

/** The refusal with the words that nothing was changed. */
function untouched(message: string): string {
  if (message.includes("Nothing was changed")) return message;
  return `${message.replace(/[^.!?]$/, "$&.")} Nothing was changed.`;
}

/** As much of `input` as stands in arguments that may be cut anywhere. */
function arrivedText(args: string): string | undefined {
  const arrived = /^\s*\{\s*"input"\s*:\s*"((?:[^"\\]|\\(?:u[0-9a-fA-F]{4}|[^u]))*)/.exec(args)?.[1];
  return arrived === undefined
    ? undefined
    : String(JSON.parse(`"${arrived.replace(controls, (sign) => JSON.stringify(sign).slice(1, -1))}"`));
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: some models write them as they are
const controls = /[\0-\x1f]/g;

/** True for an input that begins as a patch does; where the beginning does not tell, the mode decides. */
function isPatch(input: string, mode: EditMode): boolean {
  if (mode === "apply_patch") return !readTagHeader(input.trimStart().split("\n", 1)[0] ?? "");
  // A header with a tag may stand in the envelope of a patch.
  const begin = String.raw`^\s*(?:<<['"]?EOF['"]?\s*\n)?\s*\*\*\* Begin Patch\s*\n`;
  const file = String.raw`\s*\*\*\* (?:Add|Delete|Update) File: (?!.*#[0-9A-F]{4}\b)`;
  return new RegExp(begin + file).test(input);
}
