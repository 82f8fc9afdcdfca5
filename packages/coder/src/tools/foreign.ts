import type { ParsedArguments, Tool } from "@pith/agent";
import { isRecord, parseJson } from "@pith/kit";
import { pathWords } from "../edit/added/added.ts";

type Written = Readonly<Record<string, unknown>>;

/** Words of other agents for a tool; several are separated by spaces. */
interface Words {
  names: string;
  /** Their words for each of our arguments. */
  arguments?: Readonly<Record<string, string>>;
  /** Reads more than other words; it takes the arguments in our words. */
  meaning?(written: Written): ParsedArguments | string;
}

const path = pathWords.join(" ");
const paths = `path ${path} directory dir folder include glob globs`;

/**
 * Names that models who learned from other agents give our tools and their arguments. Words with one meaning only are
 * understood; our own are never read in another way.
 */
const words: Readonly<Record<string, Words>> = {
  read: {
    names: "read_file view view_file cat open_file list_dir ls",
    arguments: { path: `${path} uri directory dir` },
    meaning: withLines,
  },
  write: {
    names: "write_file create_file save_file write_to_file",
    arguments: { path, content: "contents text file_text code data" },
  },
  edit: {
    names:
      "edit_file multi_edit str_replace str_replace_editor str_replace_based_edit_tool replace_in_file apply_patch patch",
    arguments: { path, input: "patch patchText" },
    meaning: replacing,
  },
  bash: {
    names: "shell sh terminal run exec execute_command run_command run_terminal_cmd delete_file",
    arguments: {
      command: "cmd script shell_command",
      cwd: "workdir working_directory workingDirectory directory dir",
      async: "background run_in_background is_background",
      timeout: "timeout_seconds",
    },
    meaning: inSeconds,
  },
  search: {
    names: "grep grep_search search_files search_file_content ripgrep rg codebase_search",
    arguments: { pattern: "query regex search text", i: "ignore_case ignoreCase case_insensitive -i" },
    meaning: filtered,
  },
  find: { names: "glob find_files file_search list_files glob_file_search", meaning: globbing },
  ast_grep: { names: "ast_search structural_search", arguments: { pat: "pattern query", paths }, meaning: anyLanguage },
  ast_edit: { names: "ast_replace", arguments: { paths } },
  todo: { names: "todo_write todowrite update_plan write_todos", arguments: { ops: "operations" }, meaning: listed },
  job: { names: "jobs bash_output kill_shell wait", arguments: { poll: "ids id" } },
};

/** The tool with an understanding of other agents' words. */
export function inOthersWords(tool: Tool): Tool {
  const known = words[tool.name];
  if (!known || tool.foreign) return tool;
  const { names, meaning = (input: Written): ParsedArguments => ({ input }) } = known;
  return {
    ...tool,
    foreign: {
      names: names.split(" "),
      read: (written) => meaning(renamed(unwrapped(written), known.arguments ?? {})),
    },
  };
}

/** All arguments in one, as an object or as the JSON of one. */
function unwrapped(written: Written): Written {
  const [[key, value] = ["", undefined], other] = Object.entries(written);
  if (other || !["arguments", "args", "parameters", "params", "input"].includes(key)) return written;
  const inner = typeof value === "string" ? parseJson(value) : value;
  return isRecord(inner) ? inner : written;
}

/** The arguments in our words, where they have only others. */
function renamed(written: Written, ours: NonNullable<Words["arguments"]>): Written {
  const now: Record<string, unknown> = { ...written };
  for (const [key, theirs] of Object.entries(ours)) {
    const other = theirs.split(" ").find((word) => Object.hasOwn(now, word));
    if (other === undefined || Object.hasOwn(now, key)) continue;
    now[key] = now[other];
    delete now[other];
  }
  return now;
}

/** `offset` and `limit`, or a first and a last line, as a selector of the path. */
function withLines(written: Written): ParsedArguments | string {
  const { offset, limit, view_range, start_line, end_line, path, ...rest } = written;
  const range = typeof view_range === "string" ? parseJson(view_range) : view_range;
  const [from, to] = Array.isArray(range) ? range : [offset ?? start_line, end_line];
  if (from === undefined && to === undefined && limit === undefined) return { input: written };
  if (typeof path !== "string" || [from, to, limit].some((line) => line !== undefined && !isCount(line)))
    return 'Lines are chosen in the path: read {"path":"src/a.ts:40-80"} or "src/a.ts:40+20".';
  const first = Math.max(1, Number(from ?? 1));
  const end =
    limit !== undefined ? `+${Number(limit)}` : to !== undefined && Number(to) >= first ? `-${Number(to)}` : "";
  return { input: { ...rest, path: `${path}:${first}${end}` } };
}

const isCount = (value: unknown) =>
  (typeof value === "number" || typeof value === "string") && /^-?\d+$/.test(`${value}`);

const replacement = {
  oldText: "oldText old_string old_str oldString old_text search",
  newText: "newText new_string new_str newString new_text replace",
  all: "all replace_all replaceAll",
};

/** Reads a replacement beside the path, or a list of them in other words. */
function replacing(written: Written): ParsedArguments | string {
  if (written.command === "view") return 'To look at a file use read {"path":"src/a.ts:40-80"}.';
  if (written.command === "create") return 'To make a file use write {"path":…,"content":…}.';
  const blocks = typeof written.diff === "string" ? searchBlocks(written.diff) : [];
  if (blocks.length > 0) return { input: { path: written.path, edits: blocks } };
  const { path, edits, command: _, ...rest } = written;
  const one = renamed(rest, replacement);
  if (Object.hasOwn(one, "oldText")) return { input: { path, edits: [one] } };
  const list = typeof edits === "string" ? parseJson(edits) : edits;
  if (!Array.isArray(list)) return { input: written };
  return { input: { ...written, edits: list.map((edit) => (isRecord(edit) ? renamed(edit, replacement) : edit)) } };
}

/** Blocks of old and new text, between markers as in a merge conflict. */
function searchBlocks(diff: string): { oldText: string; newText: string }[] {
  const block =
    /^(?:<{5,}|-{5,}) ?SEARCH>?\n(?::start_line:.*\n(?:-{5,}\n)?)?([\s\S]*?)^={5,}\n([\s\S]*?)^(?:>{5,}|\+{5,}) ?REPLACE/gm;
  const blocks = [...diff.replaceAll("\r\n", "\n").matchAll(block)];
  return blocks.map(([, oldText = "", newText = ""]) => ({ oldText, newText }));
}

/** Makes globs of the words that choose files, and notes those that only change the form of the answer. */
function filtered(written: Written): ParsedArguments {
  const { glob, globs, include, include_pattern, type, "-n": _, multiline: __, ...rest } = written;
  const dropped = ["-A", "-B", "-C", "output_mode", "head_limit"].filter((word) => Object.hasOwn(rest, word));
  const kept = Object.fromEntries(Object.entries(rest).filter(([word]) => !dropped.includes(word)));
  const { paths: places, ...more } = renamed(kept, { paths });
  const given = [glob, globs, include, include_pattern].flat().filter((one) => typeof one === "string");
  const kinds = typeof type === "string" ? [`*.${endings[type] ?? type}`] : [];
  const filters = given.length > 0 ? given : kinds;
  const list = (typeof places === "string" ? (parseJson(places) ?? places) : places) as unknown;
  const below = (place: unknown) =>
    filters.map((one) => `${String(place).replace(/\/+$/, "")}/${one.includes("/") ? one : `**/${one}`}`);
  const chosen =
    filters.length === 0 ? places : list === undefined || list === "." ? filters : [list].flat().flatMap(below);
  const note = `${dropped.join(", ")} ignored: an answer has the matches with lines around them, page by page`;
  return {
    input: chosen === undefined ? more : { ...more, paths: chosen },
    ...(dropped.length > 0 && { note }),
  };
}

/** Kinds of files that are not called like their endings. */
const endings: Readonly<Record<string, string>> = {
  ts: "{ts,tsx,mts,cts}",
  js: "{js,jsx,mjs,cjs}",
  typescript: "{ts,tsx,mts,cts}",
  javascript: "{js,jsx,mjs,cjs}",
  python: "py",
  rust: "rs",
  ruby: "rb",
  markdown: "md",
  yaml: "{yml,yaml}",
  cpp: "{cpp,cc,cxx,hpp,h}",
};

/** The language is that of each file. */
function anyLanguage(written: Written): ParsedArguments {
  const { lang, language, ...input } = written;
  const named = lang ?? language;
  if (named === undefined) return { input };
  return { input, note: `${named} was ignored: each file is read in its own language; name files by paths` };
}

/** A whole list of tasks, as others write it, in the operations that make it. */
function listed(written: Written): ParsedArguments | string {
  const { todos } = written;
  if (todos === undefined || written.ops !== undefined) return { input: written };
  const tasks = (typeof todos === "string" ? parseJson(todos) : todos) as unknown;
  const named = (Array.isArray(tasks) ? tasks : []).flatMap((task: unknown) => {
    const { content, status } = isRecord(task) ? task : { content: task, status: undefined };
    return typeof content === "string" ? [{ content, status }] : [];
  });
  const ops = [
    { op: "init", list: [{ phase: "Tasks", items: named.length > 0 ? named.map(({ content }) => content) : ["…"] }] },
    ...named.flatMap(({ content: task, status }) =>
      status === "completed" ? [{ op: "done", task }] : status === "in_progress" ? [{ op: "start", task }] : [],
    ),
  ];
  return `The list is changed by operations: send ${JSON.stringify({ ops })}, and later {"op":"done","task":…}.`;
}

/** A longer time than any command may run, so that it was not meant in seconds. */
const surelyMilliseconds = 10_000;

function inSeconds(written: Written): ParsedArguments {
  const { timeout_ms, timeoutMs = timeout_ms, ...rest } = written;
  if (rest.timeout === undefined && Number(timeoutMs) > 0)
    return { input: { ...rest, timeout: Number(timeoutMs) / 1000 } };
  const given = Number(written.timeout);
  if (!(given >= surelyMilliseconds)) return { input: written };
  const timeout = given / 1000;
  const note = `timeout: ${given} was taken for milliseconds; it is given in seconds, here ${timeout}`;
  return { input: { ...written, timeout }, note };
}

/** A pattern below a directory is one glob. */
function globbing(written: Written): ParsedArguments {
  const { pattern, patterns, name, ...rest } = written;
  const globs = [pattern, patterns, name].flat().filter((glob) => typeof glob === "string");
  const { paths: places, ...more } = renamed(rest, { paths });
  const list = [places].flat().filter((place) => typeof place === "string" && place !== "");
  if (globs.length === 0) return { input: places === undefined ? more : { ...more, paths: places } };
  const below = (place: unknown) => globs.map((glob) => `${String(place).replace(/\/+$/, "")}/${glob}`);
  return { input: { ...more, paths: list.length === 0 ? globs : list.flatMap(below) } };
}
