import { type Call, type Outcome, refusal, schema as s, type Tool, tool } from "@pith/agent";
import { parsePatch, pathsOf } from "../../edit/apply-patch/parse.ts";
import type { EditParts } from "../../edit/file.ts";
import { parseHashline } from "../../edit/hashline/parse.ts";
import type { EditMode } from "../../edit/mode.ts";
import { type ReportHow, reporting } from "../../edit/report.ts";
import { type Place, resolvePath } from "../../files/path.ts";
import type { Snapshots } from "../../snapshot/snapshot.ts";
import applyPatchAbout from "./apply-patch.md" with { type: "text" };
import { hashlineGrammar, patchGrammar } from "./grammar.ts";
import hashlineAbout from "./hashline.md" with { type: "text" };
import patchAbout from "./patch.md" with { type: "text" };
import replaceAbout from "./replace.md" with { type: "text" };

export interface EditOptions extends Place, Omit<ReportHow, "tags"> {
  snapshots: Snapshots;
  mode: EditMode;
  /** Of apply_patch: `each` keeps the hunks before a failing one, `all` makes all or none. */
  apply?: "each" | "all";
  /** Of apply_patch: whether a file that ends without a newline gets one. */
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

const dialects: Record<EditMode, { about: string; input: s.Schema<Input>; grammar?: string }> = {
  hashline: { about: hashlineAbout, input: text, grammar: hashlineGrammar },
  replace: { about: replaceAbout, input: replacement },
  patch: { about: patchAbout, input: diff },
  apply_patch: { about: applyPatchAbout, input: text, grammar: patchGrammar },
};

/**
 * One tool, four ways to say an edit. The model is told of one; the others are understood as well, because models
 * remember them.
 */
export function edit(options: EditOptions): Tool<Input> {
  const { about, input, grammar } = dialects[options.mode];
  const shapes = [input, ...[text, replacement, diff].filter((shape) => shape !== input)];
  const parts: EditParts = {
    root: options.cwd,
    resolve: (given) => resolvePath(options, given),
    snapshots: options.snapshots,
    generated: options.generated ?? "refuse",
  };
  return tool<Input>({
    name: "edit",
    about,
    input: new s.Schema<Input>(input.json, s.union(shapes).read),
    ...(grammar === undefined
      ? {}
      : { freeform: { argument: "input", grammar: { syntax: "lark" as const, definition: grammar } } }),
    effect: "write",
    alone: true,
    paths: (given) => touched(given, options.mode).map(parts.resolve),
    arriving: async (args) => {
      const input = arrivedText(args);
      if (input === undefined) return [];
      const { previewArriving } = await import("../../edit/arriving.ts");
      return previewArriving(parts, isPatch(input, options.mode) ? "apply_patch" : "hashline", input);
    },
    run: (given, call) => run(given, { options, parts, call }),
  });
}

interface Running {
  options: EditOptions;
  parts: EditParts;
  call: Call;
}

async function run(given: Input, running: Running): Promise<Outcome> {
  const { options } = running;
  const { parts, tell } = await reporting(running.parts, {
    ...options,
    tags: options.mode === "hashline" ? "shown" : "left out",
  });
  if ("path" in given) {
    const { runSimple } = await import("../../edit/simple.ts");
    const done = await runSimple(parts, given.path, given);
    return done.ok ? tell([done.value.file], done.value.warnings) : refusal(done.message);
  }
  if (isPatch(given.input, options.mode)) {
    const { patchOutcome } = await import("../../edit/apply-patch/outcome.ts");
    return patchOutcome(
      { ...parts, apply: options.apply ?? "each", finalNewline: options.finalNewline ?? "add" },
      given.input,
      running.call,
      tell,
    );
  }
  const [{ runHashline }, { blocks }] = await Promise.all([
    import("../../edit/hashline/run.ts"),
    import("../../edit/syntax.ts"),
  ]);
  const done = await runHashline({ ...parts, blocks }, given.input);
  return done.ok ? tell(done.value.files, done.value.warnings) : refusal(done.message);
}

/** As much of `input` as stands in arguments that may be cut anywhere. */
function arrivedText(args: string): string | undefined {
  const found = /^\s*\{\s*"input"\s*:\s*"((?:[^"\\]|\\(?:u[0-9a-fA-F]{4}|[^u]))*)/.exec(args)?.[1];
  return found === undefined
    ? undefined
    : String(JSON.parse(`"${found.replace(controls, (one) => JSON.stringify(one).slice(1, -1))}"`));
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: some models write them as they are
const controls = /[\0-\x1f]/g;

/** Input that could be either is told apart by how it begins; each mode takes its own first. */
function isPatch(input: string, mode: EditMode): boolean {
  if (mode === "apply_patch") return true;
  return (
    mode !== "hashline" &&
    /^\s*(?:<<['"]?EOF['"]?\s*\n)?\s*\*\*\* Begin Patch\s*\n\s*\*\*\* (?:Add|Delete|Update) File: /.test(input)
  );
}

/** The paths as written. What cannot be read touches nothing, and will be refused when it runs. */
function touched(given: Input, mode: EditMode): string[] {
  if ("path" in given) return [given.path];
  if (!isPatch(given.input, mode)) {
    const parsed = parseHashline(given.input);
    return parsed.ok ? parsed.value.sections.map((section) => section.path) : [];
  }
  const parsed = parsePatch(given.input);
  return parsed.ok ? pathsOf(parsed.value) : [];
}
