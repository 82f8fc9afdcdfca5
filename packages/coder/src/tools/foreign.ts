import type { ParsedArguments, Tool } from "@pith/agent";
import { isRecord, parseJson } from "@pith/kit";
import { pathWords } from "../edit/added/added.ts";
import { othersPatch } from "./others-patch.ts";

type Written = Readonly<Record<string, unknown>>;

/** Words of other agents for a tool; several are separated by spaces. */
interface Words {
  names: string;
  /** Their words for each of our arguments. */
  arguments?: Readonly<Record<string, string>>;
  /** Arguments that change nothing of what is meant. */
  extra?: string;
  /** False for arguments with which a name means another tool. */
  takes?(written: Written): boolean;
  /** Reads more than other words; it takes the arguments in our words. */
  meaning?(written: Written): ParsedArguments | string;
}

const path = pathWords.join(" ");
const paths = `path ${path} directory dir folder include glob globs`;

/** Names of one tool for what are several here; its `command` tells which. */
const editor = "str_replace_editor str_replace_based_edit_tool";
const web = "WebFetch fetch_url read_url url_fetch web_search google_web_search search_web";

/**
 * Names that models who learned from other agents give our tools and their arguments. Words with one meaning only are
 * understood; our own are never read in another way.
 */
const words: Readonly<Record<string, Words>> = {
  read: {
    names: `read_file view view_file view_image cat open_file list_dir ls read_many_files ${editor}`,
    arguments: { path: `${path} uri directory dir paths include` },
    extra: "command description explanation recursive useDefaultExcludes",
    takes: ({ command = "view" }) => command === "view",
    meaning: withLines,
  },
  write: {
    names: `write_file create_file save_file write_to_file ${editor}`,
    arguments: { path, content: "contents text file_text code data" },
    extra: "command description explanation",
    takes: ({ command = "create" }) => command === "create",
  },
  edit: {
    names: `edit_file multi_edit replace str_replace replace_in_file apply_patch patch ${editor}`,
    arguments: { path, input: "patch patchText" },
    extra: "instruction explanation description expected_replacements",
    meaning: replacing,
  },
  bash: {
    names: `shell sh terminal run exec exec_command execute_command run_command run_terminal_cmd delete_file ${web}`,
    arguments: {
      command: "cmd script shell_command",
      cwd: "workdir working_directory workingDirectory directory dir",
      async: "background run_in_background is_background",
      timeout: "timeout_seconds",
    },
    extra: "description explanation justification yield_time_ms max_output_tokens login tty requires_approval",
    meaning: asCommand,
  },
  search: {
    names: "grep grep_search search_files search_file_content ripgrep rg codebase_search",
    arguments: { pattern: "query regex search text", i: "ignore_case ignoreCase case_insensitive -i" },
    meaning: filtered,
  },
  find: { names: "glob find_files file_search list_files glob_file_search", meaning: globbing },
  ast_grep: { names: "ast_search structural_search", arguments: { pat: "pattern query", paths }, meaning: anyLanguage },
  ask: {
    names: "AskUserQuestion ask_user ask_user_question ask_followup_question request_user_input",
    meaning: asked,
  },
  run_subagent: {
    names: "Task Agent dispatch_agent spawn_agent new_task",
    arguments: { task: "prompt message", title: "description" },
    extra: "model run_in_background",
    meaning: delegated,
  },
  load_tools: { names: "search_tool_bm25 tool_search find_tools", arguments: { limit: "max_results" } },
  ast_edit: { names: "ast_replace", arguments: { paths } },
  todo: { names: "todo_write todowrite update_plan write_todos", arguments: { ops: "operations" }, meaning: listed },
  job: { names: "jobs bash_output kill_shell wait", arguments: { poll: "ids id" } },
};

/** Other agents' words for a tool and its arguments. */
export function foreignWords(tool: Tool): Tool["foreign"] {
  const known = words[tool.name];
  if (!known) return undefined;
  const { names, takes, extra = "", meaning = (input: Written): ParsedArguments => ({ input }) } = known;
  const dropped = new Set(extra.split(" "));
  const kept = (written: Written): Written =>
    Object.fromEntries(Object.entries(written).filter(([key]) => !dropped.has(key)));
  return {
    names: names.split(" "),
    ...(takes && { takes }),
    read: (written) => meaning(kept(renamed(unwrapped(written), known.arguments ?? {}))),
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
  const patch = typeof written.input === "string" ? othersPatch(written.input) : undefined;
  if (patch !== undefined) return { input: { ...written, input: patch } };
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
  const { todos = written.plan, explanation: _, merge: __, ...rest } = written;
  if (todos === undefined || written.ops !== undefined) return { input: rest };
  const tasks = (typeof todos === "string" ? parseJson(todos) : todos) as unknown;
  const named = (Array.isArray(tasks) ? tasks : []).flatMap((task: unknown) => {
    const { content, step = content, status } = isRecord(task) ? task : { content: task, status: undefined };
    return typeof step === "string" ? [{ content: step, status }] : [];
  });
  const ops = [
    { op: "init", list: [{ phase: "Tasks", items: named.map(({ content }) => content) }] },
    ...named.flatMap(({ content: task, status }) =>
      status === "completed" ? [{ op: "done", task }] : status === "in_progress" ? [{ op: "start", task }] : [],
    ),
  ];
  if (named.length === 0) return 'The list is changed by operations: {"ops":[{"op":"done","task":…}]}.';
  return { input: { ops }, note: 'taken for a whole new list; later send {"ops":[{"op":"done","task":…}]}' };
}

/** A command as a list of words, and a page of the web, of which a command can get one. */
function asCommand(written: Written): ParsedArguments | string {
  const { command, url, query, search_query = query } = written;
  if (command === undefined && typeof url === "string")
    return `There is no tool for the web; bash gets a page: ${JSON.stringify({ command: curl(url) })}.`;
  if (command === undefined && search_query !== undefined)
    return "There is no search of the web; get a page whose address you know by curl in bash, or ask the user.";
  if (!Array.isArray(command) || !command.every((word) => typeof word === "string")) return inSeconds(written);
  const [shell = "", how = "", script, ...more] = command;
  const isScript =
    /(?:^|\/)(?:ba|z)?sh$/.test(shell) && /^-l?c$/.test(how) && script !== undefined && more.length === 0;
  return inSeconds({ ...written, command: isScript ? script : command.map(shellWord).join(" ") });
}

const curl = (url: string): string => `curl -sSL ${shellWord(url)}`;

const shellWord = (word: string): string =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;

/** Questions with a header instead of an id, and options with more than their label. */
function asked(written: Written): ParsedArguments {
  const { questions = [written], ...rest } = written;
  const list = (typeof questions === "string" ? parseJson(questions) : questions) as unknown;
  if (!Array.isArray(list) || !list.every(isRecord)) return { input: written };
  if (list.every((one) => "id" in one && !("multiSelect" in one))) return { input: written };
  const ours = list.map(({ question, header, options, multiSelect, multi = multiSelect, id = header }, i) => {
    const choices = (typeof options === "string" ? parseJson(options) : options) as unknown;
    const labels = (Array.isArray(choices) ? choices : []).map((one: unknown) =>
      isRecord(one) ? { label: one.label } : { label: one },
    );
    return { id: id ?? `q${i + 1}`, question, options: labels, ...(multi !== undefined && { multi }) };
  });
  const { question: _, options: __, header: ___, multiSelect: ____, ...more } = rest;
  return { input: { ...more, questions: ours } };
}

/** Kinds of sub-agents that others have and we have too. */
function delegated(written: Written): ParsedArguments {
  const { subagent_type, agent_type = subagent_type, ...input } = written;
  const [mode] = /explore|review|plan/.exec(String(agent_type ?? "").toLowerCase()) ?? [];
  return { input: mode === undefined || input.mode !== undefined ? input : { ...input, mode } };
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
