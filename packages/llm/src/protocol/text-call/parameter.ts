import { limits } from "../../limit.ts";
import type { ParsedCalls, WrittenCall } from "./call.ts";
import { bare } from "./json.ts";
import type { KnownTools } from "./known.ts";

/** A format with a tag for each argument. */
interface Form {
  /** Optional tag around the calls. */
  wrapper?: RegExp;
  /** Beginning of a call; the first group is the name. */
  head: RegExp;
  /** Beginning of an argument; the first group is the key. */
  key: RegExp;
  /** End of an argument, followed by the next one or the end of the call. */
  end: RegExp;
  /** Tags around an argument; nested ones in a value must be balanced. */
  opens: RegExp;
  shuts: RegExp;
  close: RegExp;
  unwrap?: RegExp;
  /** Set when values stand on lines of their own; a one-line value may then lack its end tag. */
  lines?: RegExp;
}

/** Prefixes that some models put before each tag. */
const dsml = "(?:[|｜]+DSML[|｜]+|antml:)?";
/** Both formats have the same end tag, so nested tags of either count. */
const anyOpens = new RegExp(`<${dsml}parameter(?:=[\\w.-]+| name=["'][\\w.-]+["'](?:[^>]{0,39}[^>/])?)>`, "g");

const equal: Form = {
  wrapper: /<(?:seed:)?tool_call>\s*/y,
  head: /\s*<function=([\w.-]+)>(?!\s*\{)/y,
  key: /\s*<parameter=([\w.-]+)>/y,
  end: /<\/parameter>(?=\s*(?:<parameter=|<\/function>))/g,
  opens: anyOpens,
  shuts: /<\/parameter>/g,
  close: /\s*<\/function>/y,
  unwrap: /\s*<\/(?:seed:)?tool_call>/y,
  lines: /(?<=\n)(?=\s*(?:<parameter=[\w.-]+>|<\/function>))/y,
};

const keyed: Form = {
  wrapper: /<tool_calls>\s*/y,
  head: /\s*<tool_call>\s*([\w.-]+)\s*(?:<tool_sep>\s*)?(?=<arg_key>|<\/tool_call>)/y,
  key: /\s*<arg_key>\s*([\w.-]+)\s*<\/arg_key>\s*<arg_value>/y,
  end: /<\/arg_value>(?=\s*(?:<arg_key>|<\/tool_call>))/g,
  opens: /<arg_value>/g,
  shuts: /<\/arg_value>/g,
  close: /\s*<\/tool_call>/y,
  unwrap: /\s*<\/tool_calls>/y,
};

/** The start and end tag must have the same name. */
const named = (tag: "invoke" | "function"): Form => ({
  wrapper: new RegExp(`<${dsml}(?:function_calls|tool_calls|minimax:tool_call)>\\s*`, "y"),
  head: new RegExp(`\\s*<${dsml}${tag} name=["']([\\w.-]+)["']>`, "y"),
  key: new RegExp(`\\s*<${dsml}parameter name=["']([\\w.-]+)["'][^>]{0,40}>`, "y"),
  end: new RegExp(`</${dsml}parameter>(?=\\s*(?:<${dsml}parameter name=|</${dsml}${tag}>))`, "g"),
  opens: anyOpens,
  shuts: new RegExp(`</${dsml}parameter>`, "g"),
  close: new RegExp(`\\s*</${dsml}${tag}>`, "y"),
  unwrap: new RegExp(`\\s*</${dsml}(?:function_calls|tool_calls|minimax:tool_call)>`, "y"),
});
const [invoke, func] = [named("invoke"), named("function")];

type Read = (rest: string, known: KnownTools) => ParsedCalls | undefined;
const reader =
  (form: Form): Read =>
  (rest, known) =>
    calls(rest, form, known);

/** Readers of `<function=…><parameter=…>`, of GLM's keys and values, and of `<invoke name="…">`. */
export const parameterCalls = {
  equal: reader(equal),
  keyed: reader(keyed),
  invoke: (rest: string, known: KnownTools) => calls(rest, invoke, known) ?? calls(rest, func, known),
};

function calls(rest: string, form: Form, known: KnownTools): ParsedCalls | undefined {
  const found: WrittenCall[] = [];
  let at = behind(form.wrapper, rest, 0) ?? 0;
  while (found.length < limits.blocks) {
    form.head.lastIndex = at;
    const head = form.head.exec(rest);
    if (!head) break;
    const name = bare(head[1] ?? "");
    const read = values(rest, form.head.lastIndex, form, (key) => known.isText(name, key));
    found.push({ name, args: read.args });
    at = read.end;
  }
  if (found.length === 0) return undefined;
  return { calls: found, length: behind(form.unwrap, rest, at) ?? at };
}

/**
 * Reads the arguments of a call. Without an end tag they may be cut, and are returned as unfinished JSON, which is
 * never run.
 */
function values(rest: string, from: number, form: Form, isText: (key: string) => boolean) {
  const pairs: [string, unknown][] = [];
  const written = () => JSON.stringify(Object.fromEntries(pairs));
  const trimmed = (value: string) => (form.lines ? value.replace(/^\r?\n/, "").replace(/\r?\n$/, "") : value);
  let at = from;
  for (;;) {
    const closed = behind(form.close, rest, at);
    if (closed !== undefined) return { args: written(), end: closed };
    form.key.lastIndex = at;
    const key = form.key.exec(rest);
    if (!key) break;
    at = form.key.lastIndex;
    const end = endOf(rest, at, form);
    if (end === undefined) {
      const half = `${JSON.stringify(key[1])}:${JSON.stringify(trimmed(rest.slice(at))).slice(0, -1)}`;
      return { args: `${written().slice(0, -1)}${pairs.length > 0 ? "," : ""}${half}`, end: rest.length };
    }
    const text = trimmed(rest.slice(at, end.from));
    pairs.push([key[1] ?? "", isText(key[1] ?? "") ? text : meant(text)]);
    at = end.to;
  }
  return { args: written().slice(0, -1), end: rest.length };
}

/** Finds the end of a value. The value may contain the same tags, and ends only when all of them are closed. */
function endOf(rest: string, from: number, form: Form): { from: number; to: number } | undefined {
  const { end, opens, shuts, lines } = form;
  const line = lines && behind(/\n?[^\n<]+\n/y, rest, from);
  if (line !== undefined && behind(lines, rest, line) !== undefined) return { from: line, to: line };
  let [depth, counted] = [0, from];
  end.lastIndex = from;
  for (let match = end.exec(rest); match; match = end.exec(rest)) {
    const value = rest.slice(counted, match.index);
    depth += (value.match(opens)?.length ?? 0) - (value.match(shuts)?.length ?? 0);
    if (depth <= 0) return { from: match.index, to: end.lastIndex };
    counted = match.index;
  }
  return undefined;
}

function behind(pattern: RegExp | undefined, text: string, at: number): number | undefined {
  if (!pattern) return undefined;
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : undefined;
}

function meant(value: string): unknown {
  try {
    const parsed: unknown = JSON.parse(value);
    return typeof parsed === "string" ? value : parsed;
  } catch {
    return value;
  }
}
