import { existsSync } from "node:fs";
import type { CallView, FileChange, Outcome, Touch } from "@pith/agent";

/** A call in the words of another product. */
export interface ForeignCall {
  name: string;
  input: Record<string, unknown>;
  /** The path that it is about, for conditions. */
  path?: string | undefined;
}

type Input = Readonly<Record<string, unknown>>;

/**
 * A call as Claude Code would name it, once per path. A tool that has no name there is named by its effect, so that no
 * tool gets past a guard because the guard has never heard of it.
 */
export async function claudeCalls(view: CallView): Promise<ForeignCall[]> {
  const { tool, intent } = view;
  const input = (view.input ?? {}) as Input;
  const known = Object.hasOwn(names, tool.name) ? names[tool.name] : undefined;
  const writes = intent.paths.filter(({ effect }) => effect === "write");
  const reads = intent.paths.filter(({ effect }) => effect === "read");
  if (writes.length > 0 && intent.effect !== "exec") return writing(view, writes);
  if (known && intent.effect !== "write") return known(input, view, reads);
  if (intent.effect === "exec") return [commandOf(tool.name, input, view)];
  if (intent.effect === "write") return [{ name: "Write", input: { file_path: "", content: JSON.stringify(input) } }];
  if (reads.length === 0) return [{ name: tool.name, input: { ...input } }];
  return reads.map(({ real }) => ({ name: "Read", input: { file_path: real }, path: real }));
}

type Named = (input: Input, view: CallView, reads: readonly Touch[]) => ForeignCall[];

const names: Readonly<Record<string, Named>> = {
  bash: (input, view) => [commandOf("bash", input, view)],
  read: (input, _, reads) => {
    const paths = reads.length > 0 ? reads.map(({ real }) => real) : [String(input.path ?? "")];
    return paths.map((path) => ({ name: "Read", input: { file_path: path }, path }));
  },
  search: (input, _, reads) => looking("Grep", { pattern: input.pattern }, reads),
  ast_grep: (input, _, reads) => looking("Grep", { pattern: input.pat ?? input.pattern }, reads),
  find: (input, _, reads) => looking("Glob", { pattern: [input.paths ?? []].flat().join(" ") }, reads),
  run_subagent: (input) => [
    { name: "Task", input: { description: input.title, prompt: input.task, subagent_type: input.mode ?? "explore" } },
  ],
  todo: (input) => [{ name: "TodoWrite", input: { ...input } }],
  ask: (input) => [{ name: "AskUserQuestion", input: { ...input } }],
  exit_plan_mode: (input) => [{ name: "ExitPlanMode", input: { ...input } }],
};

const looking = (name: string, input: Record<string, unknown>, reads: readonly Touch[]): ForeignCall[] =>
  reads.length === 0
    ? [{ name, input }]
    : reads.map(({ real }) => ({ name, input: { ...input, path: real }, path: real }));

function commandOf(tool: string, input: Input, { intent }: CallView): ForeignCall {
  const command = intent.command ?? `${tool} ${JSON.stringify(input)}`;
  const timeout = typeof input.timeout === "number" ? { timeout: input.timeout * 1000 } : {};
  return { name: "Bash", input: { command, ...timeout, ...(input.async === true && { run_in_background: true }) } };
}

/** Each file that is written, with what comes and goes, so that a guard can look at the words. */
async function writing({ tool, input, intent }: CallView, writes: readonly Touch[]): Promise<ForeignCall[]> {
  const given = (input ?? {}) as Input;
  const changes = (await intent.changes?.()) ?? [];
  return writes.map(({ path, real }) => {
    const change = changes.find((one) => one.path === path || one.path === real || real.endsWith(`/${one.path}`));
    const isNew = !existsSync(real);
    if (tool.name === "write" || isNew)
      return {
        name: "Write",
        input: { file_path: real, content: typeof given.content === "string" ? given.content : side(change, "+") },
        path: real,
      };
    return {
      name: "Edit",
      input: { file_path: real, old_string: side(change, "-"), new_string: side(change, "+"), ...replaced(given) },
      path: real,
    };
  });
}

/** Replacements that the model itself wrote as such. */
function replaced({ edits }: Input): Record<string, unknown> {
  if (!Array.isArray(edits) || edits.length !== 1) return {};
  const [{ oldText, newText } = {}] = edits as { oldText?: unknown; newText?: unknown }[];
  return typeof oldText === "string" && typeof newText === "string" ? { old_string: oldText, new_string: newText } : {};
}

/** The lines of a change that come (`+`) or go (`-`). */
const side = (change: FileChange | undefined, sign: "+" | "-"): string =>
  (change?.patch ?? "")
    .split("\n")
    .filter((line) => line.startsWith(sign) && !line.startsWith(sign.repeat(3)))
    .map((line) => line.slice(1))
    .join("\n");

/** The arguments of a call that were changed in Claude Code's words, in those of its tool. */
export function ownInput({ tool, input }: CallView, { name }: ForeignCall, changed: Input): unknown {
  const given = (input ?? {}) as Input;
  const { timeout, run_in_background: behind, ...rest } = changed;
  const merged = name === "Bash" && typeof timeout === "number" ? { ...rest, timeout: timeout / 1000 } : changed;
  const read = tool.foreign?.read(name === "Bash" && behind !== undefined ? { ...merged, async: behind } : merged);
  if (typeof read === "string") return undefined;
  const own = (read?.input ?? merged) as Input;
  const kept = name === "Edit" && Array.isArray(given.edits) ? { edits: given.edits } : {};
  const whole = { ...given, ...kept, ...own };
  const parsed = tool.input.safeParse(whole);
  return parsed.success ? parsed.data : undefined;
}

/** The result of a call, as far as its tool there tells the same. */
export const responseOf = ({ name, path }: ForeignCall, { text, failed }: Outcome): Record<string, unknown> =>
  name === "Bash"
    ? { stdout: text, stderr: "", interrupted: false, isImage: false }
    : { ...(path !== undefined && { filePath: path }), success: failed !== true, content: text };
