import { limits } from "../../limit.ts";
import type { ParsedCalls, WrittenCall } from "./call.ts";
import { bare, jsonCalls, valueAt } from "./json.ts";
import type { KnownTools } from "./known.ts";
import { parameterCalls } from "./parameter.ts";
import { pythonCalls } from "./python.ts";

/** A format in which some models write calls. */
export interface Dialect {
  /** Model families that use it. */
  of: string;
  /**
   * Marks that begin a call; with `line`, only at the start of a line. `|` and `_` also match the look-alike signs that
   * some models write.
   */
  marks: readonly string[];
  place?: "line";
  /** Example for the prompt of a model that has no tool support; it must not contain a mark of the model's template. */
  form?: string;
  /** Reads the calls at the start of a text. */
  read(rest: string, known: KnownTools): ParsedCalls | undefined;
}

/** All dialects. Where two have the same mark, the first that finds a call wins. */
export const dialects: readonly Dialect[] = [
  {
    of: "Hermes, Qwen",
    marks: ["<tool_call>", "<function_call>", "<tool_calls>", "<TOOLCALL>"],
    read: (rest) => between(rest, /^(?:<tool_calls>\s*(?=<))?<\w+>/, /^\s*<\/(?:tool_?call|function_call)>/i),
  },
  {
    of: "GLM",
    marks: ["<tool_call>", "<tool_calls>"],
    form: "<tool_call>tool name\n<arg_key>argument</arg_key>\n<arg_value>value</arg_value>\n</tool_call>",
    read: parameterCalls.keyed,
  },
  {
    of: "Qwen Coder",
    marks: ["<function=", "<tool_call>", "<seed:tool_call>"],
    form: "<tool_call>\n<function=tool name>\n<parameter=argument>\nvalue\n</parameter>\n</function>\n</tool_call>",
    read: parameterCalls.equal,
  },
  {
    of: "Anthropic, MiniMax",
    marks: invokes(),
    form: '<invoke name="tool name">\n<parameter name="argument">value</parameter>\n</invoke>',
    read: parameterCalls.invoke,
  },
  {
    of: "Mistral",
    marks: ["[TOOL_CALLS]"],
    form: '[TOOL_CALLS][{"name": "tool name", "arguments": {"argument": "value"}}]',
    read: mistral,
  },
  { of: "Llama", marks: ["<|python_tag|>", "<|python_start|>", "<|tool_call_start|>", "<function="], read: llama },
  {
    of: "Phi, Granite",
    marks: ["<|tool_call|>"],
    read: (rest) => between(rest, bar("<|tool_call|>"), bar("\\s*<|/tool_call|>")),
  },
  { of: "Phi 4 mini", marks: ["functools["], place: "line", read: (rest) => between(rest, /^\s*functools(?=\[)/, /^/) },
  {
    of: "Kimi",
    marks: ["<|tool_calls_section_begin|>", "<|tool_call_section_begin|>", "<|tool_call_begin|>"],
    read: kimi,
  },
  { of: "DeepSeek", marks: ["<|tool_calls_begin|>", "<|tool_call_begin|>"], read: deepseek },
  {
    of: "Command R7B",
    marks: ["<|START_ACTION|>"],
    read: (rest) => between(rest, bar("<|START_ACTION|>"), bar("\\s*<|END_ACTION|>")),
  },
  {
    of: "Command R",
    marks: ["Action:```", "Action: ```", "Action:\n```"],
    place: "line",
    read: (rest) => between(rest, /^\s*Action:\s*(?=```)/, /^/),
  },
  { of: "gpt-oss", marks: ["<|start|>assistant", "<|channel|>commentary", "<|channel|>analysis to="], read: harmony },
  {
    of: "gpt-oss without its marks",
    marks: ["to=functions.", "commentary to=functions.", "assistantcommentary to=functions."],
    place: "line",
    read: harmony,
  },
];

/** Reads JSON between two marks; the second may be missing. */
function between(rest: string, open: RegExp, close: RegExp): ParsedCalls | undefined {
  const start = open.exec(rest)?.[0].length;
  if (start === undefined) return undefined;
  const inner = /^\s*/.exec(rest.slice(start))?.[0].length ?? 0;
  const found = jsonCalls(rest.slice(start + inner), "cut too");
  if (!found) return undefined;
  const end = start + inner + found.length;
  return { calls: found.calls, length: end + (close.exec(rest.slice(end))?.[0].length ?? 0) };
}

/** `[TOOL_CALLS][{…},{…}]`, `[TOOL_CALLS]{…}` or `[TOOL_CALLS]name[ARGS]{…}`, the last several times. */
function mistral(rest: string): ParsedCalls | undefined {
  const head = /^\[TOOL_CALLS\]\s*([\w.-]+)\s*(?:\[CALL_ID\][\w-]*)?\s*(?:\[ARGS\])?\s*(?=\{)/;
  return head.test(rest) ? named(rest, head) : between(rest, /^\[TOOL_CALLS\]/, /^/);
}

/** `<|python_tag|>{…}; {…}`, calls as Python would write them, or `<function=name>{…}</function>`. */
function llama(rest: string): ParsedCalls | undefined {
  const end = bar("\\s*<|(?:eo[mt](?:_id)?|python_end|tool_call_end)|>");
  const own = named(rest, /^\s*<function=([\w.-]+)>\s*(?=\{)/, /^\s*<\/function>/);
  if (own) return own;
  const open = bar("<|(?:python_(?:tag|start)|tool_call_start)|>\\s*");
  const found = between(rest, open, end);
  const start = open.exec(rest)?.[0].length;
  if (found || start === undefined) return found;
  const written = pythonCalls(rest.slice(start));
  const name = /^\[?\s*([\w-]+)(?:\.call)?\(/.exec(rest.slice(start));
  // Arguments that cannot be parsed stay text, and are not run.
  if (!written)
    return name ? { calls: [{ name: name[1] ?? "", args: rest.slice(start) }], length: rest.length } : undefined;
  const length = start + written.length;
  return { calls: written.calls, length: length + (end.exec(rest.slice(length))?.[0].length ?? 0) };
}

function kimi(rest: string): ParsedCalls | undefined {
  const head = bar("\\s*<|tool_call_begin|>\\s*([\\w.:-]+)\\s*<|tool_call_argument_begin|>\\s*");
  const end = bar("\\s*<|tool_call_end|>");
  return section(rest, "tool_calls?_section", head, end);
}

function deepseek(rest: string): ParsedCalls | undefined {
  const head = bar(
    "\\s*<|tool_call_begin|>\\s*(?:function\\s*<|tool_sep|>)?\\s*([\\w.-]+)\\s*(?:<|tool_sep|>)?\\s*(?:```\\w*\\s*)?(?=\\{)",
  );
  return section(rest, "tool_calls", head, bar("\\s*(?:```\\s*)?<|tool_call_end|>"));
}

/** Reads calls between the marks that begin and end a section; both may be missing. */
function section(rest: string, name: string, head: RegExp, end: RegExp): ParsedCalls | undefined {
  const open = bar(`<|${name}_begin|>\\s*`).exec(rest)?.[0].length ?? 0;
  const found = named(rest.slice(open), head, end);
  if (!found) return undefined;
  const length = open + found.length;
  const close = bar(`\\s*<|${name}_end|>`).exec(rest.slice(length))?.[0].length ?? 0;
  return { calls: found.calls, length: length + close };
}

/** Reads calls of the form head with name, arguments, end. */
function named(rest: string, head: RegExp, end = /^/): ParsedCalls | undefined {
  const calls: WrittenCall[] = [];
  let at = 0;
  for (let match = head.exec(rest); match && calls.length < limits.blocks; match = head.exec(rest.slice(at))) {
    at += match[0].length;
    const args = valueAt(rest.slice(at));
    calls.push({ name: bare(match[1] ?? ""), args });
    at += args.length;
    at += end.exec(rest.slice(at))?.[0].length ?? 0;
  }
  return calls.length > 0 ? { calls, length: at } : undefined;
}

/** `<|channel|>commentary to=functions.read <|constrain|>json<|message|>{…}<|call|>`, in the orders it is seen in. */
function harmony(rest: string): ParsedCalls | undefined {
  const head = bar(
    "\\s*(?:<|start|>)?(?:assistant)?\\s*(?:<|channel|>)?(?:commentary|analysis)?\\s*to=([\\w.-]+)" +
      "\\s*(?:<|channel|>\\s*(?:commentary|analysis))?\\s*(?:<|constrain|>)?\\s*(?:json|code)?\\s*(?:<|message|>)?\\s*(?=\\{)",
  );
  return named(rest, head, bar("\\s*<|(?:call|end)|>"));
}

/** A pattern at the start of a text that also accepts DeepSeek's bars and underscores. */
function bar(pattern: string): RegExp {
  return new RegExp(
    `^${pattern
      .replace(/<\|/g, "<[|｜]")
      .replace(/\|>/g, "[|｜]>")
      .replace(/(?<=\w)_(?=\w)/g, "[_▁]")}`,
  );
}

/** Marks of invoke tags, with the prefixes that some models add. */
function invokes(): string[] {
  const tags = ["function_calls>", "tool_calls>", "invoke name="];
  const marked = ["<|DSML|", "<||DSML||", "<antml:"].flatMap((before) => tags.map((tag) => before + tag));
  return ["<invoke name=", "<function name=", "<function_calls>", "<minimax:tool_call>", ...marked];
}
