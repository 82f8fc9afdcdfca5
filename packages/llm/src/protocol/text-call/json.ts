import { isRecord, parseJson } from "@pith/kit";
import { limits } from "../../limit.ts";
import { strictJson } from "../../message/strict.ts";
import type { ParsedCalls, WrittenCall } from "./call.ts";
import { pythonObject } from "./python.ts";

/** Keys of a tool's name and of its arguments. */
const names: readonly string[] = ["name", "tool", "tool_name", "function"];
const fields: readonly string[] = ["arguments", "args", "params", "parameters"];
/** Start of another call of a list. */
const another = new RegExp(`^\\s*[,;]?\\s*\\{\\s*"(?:${[...names, "id", "type", "tool_call_id"].join("|")})"\\s*:`);
const beside: ReadonlySet<string> = new Set([...names, "id", "type", "tool_call_id", "index"]);

/**
 * Reads a call or a list of calls in JSON, perhaps in a fence. Arguments are accepted only where nothing after them
 * shows that an unescaped quote ended them too early; cut arguments are returned as text, which is never run.
 */
export function jsonCalls(rest: string, how: "whole only" | "cut too"): ParsedCalls | undefined {
  const fence = /^\s*```\w*\s*/.exec(rest)?.[0].length ?? 0;
  let at = fence + (/^\s*\[?\s*/.exec(rest.slice(fence))?.[0].length ?? 0);
  const calls: WrittenCall[] = [];
  for (let next = at; calls.length < limits.blocks; ) {
    const found = jsonCall(rest.slice(next), how);
    if (!found) break;
    calls.push(...found.calls);
    at = next + found.length;
    next = at + (/^\s*[,;]?\s*/.exec(rest.slice(at))?.[0].length ?? 0);
  }
  if (calls.length === 0) return undefined;
  at += /^\s*\]/.exec(rest.slice(at))?.[0].length ?? 0;
  if (fence > 0) at += /^\s*```/.exec(rest.slice(at))?.[0].length ?? 0;
  return { calls, length: at };
}

function jsonCall(rest: string, how: "whole only" | "cut too"): ParsedCalls | undefined {
  if (!rest.startsWith("{")) return undefined;
  const printed = /^\{\s*'/.test(rest) ? pythonObject(rest) : undefined;
  const text = printed ? rest.slice(0, printed.end) : balanced(rest);
  const value = printed?.value ?? (text === undefined ? undefined : object(text, how));
  if (value && text !== undefined && (another.test(rest.slice(text.length)) || endsHere(rest.slice(text.length)))) {
    const calls = callsOf(value);
    return calls.length > 0 ? { calls, length: text.length } : undefined;
  }
  const head = new RegExp(`"(?:${names.join("|")})"\\s*:\\s*"([^"\\\\]+)"\\s*,?`).exec(rest);
  if (how === "whole only" || !head) return undefined;
  const close = rest.search(/\s*(?:```\s*)?<[/|｜]/);
  const end = close === -1 ? rest.length : close;
  const written = rest.slice(0, end);
  const from = argumentsAt(written);
  const args =
    from === -1 ? `{${written.slice(head.index + head[0].length)}` : givenArguments(written.slice(from), written);
  return { calls: [{ name: head[1] ?? "", args }], length: end };
}

/** Calls in a value: one call, OpenAI's object around one, or its list. */
function callsOf(value: Record<string, unknown>): WrittenCall[] {
  const { tool_calls: list, function_call: legacy } = value;
  if (Array.isArray(list)) return list.flatMap((one) => (isRecord(one) ? callsOf(one) : [])).slice(0, limits.blocks);
  if (isRecord(legacy)) return callsOf(legacy);
  if (isRecord(value.function)) return callsOf(value.function);
  const name = names.map((key) => value[key]).find((name) => typeof name === "string" && name !== "");
  if (typeof name !== "string") return [];
  const inner = fields.map((key) => value[key]).find((field) => field !== undefined);
  const rest = () => Object.fromEntries(Object.entries(value).filter(([key]) => !beside.has(key)));
  return [{ name: bare(name), args: typeof inner === "string" ? inner : JSON.stringify(inner ?? rest()) }];
}

/** Arguments of a call that is not valid JSON as a whole; accepted only when nothing but its brackets follows. */
function givenArguments(text: string, all: string): string {
  const args = balanced(text);
  const behind = args === undefined ? "" : text.slice(args.length);
  if (args !== undefined && /^[\s,}\]]*$/.test(behind)) return args;
  return balanced(all) === undefined ? text : text.replace(/\}\s*$/, "");
}

/** Index of the arguments' value; -1 when they stand beside the name or have not begun. */
function argumentsAt(text: string): number {
  const token = /"((?:[^"\\]|\\[\s\S])*)"(\s*:\s*)?|[{}[\]]/g;
  let depth = 0;
  for (let match = token.exec(text); match; match = token.exec(text)) {
    const [piece, word, colon] = match;
    if (piece === "{" || piece === "[") depth++;
    else if (piece === "}" || piece === "]") depth--;
    else if (depth === 1 && colon !== undefined && fields.includes(word ?? "")) return token.lastIndex;
  }
  return -1;
}

/** Removes the prefix and number in `functions.read:0`. */
export const bare = (name: string): string => name.replace(/^functions\./, "").replace(/:\d+$/, "");

/** Text that may follow a call: its end mark, another call, the end of a fence. */
const follows =
  /<\/?(?:tool_?call|function_call)s?>|<[|｜]\/?\w|\[TOOL_CALLS\]|```\s*(?:$|\n|<)|to=functions\.|functools\[|Action:/i;

/** False when an unescaped quote ended a value too early: its real end then follows before anything else. */
function endsHere(behind: string): boolean {
  const at = behind.search(follows);
  return !(at === -1 ? behind : behind.slice(0, at)).includes("}");
}

/** Reads a value after a name; the rest of the text if it does not end well. */
export function valueAt(rest: string): string {
  const args = balanced(rest);
  return args !== undefined && endsHere(rest.slice(args.length)) ? args : rest;
}

/** Parses an object; in an unmarked text also one with small mistakes. */
function object(json: string, how: "whole only" | "cut too"): Record<string, unknown> | undefined {
  const value = parseJson(json) ?? (how === "whole only" ? parseJson(strictJson(json)) : undefined);
  return isRecord(value) ? value : undefined;
}

/** The object at the start of a text; braces in strings do not count. */
function balanced(text: string): string | undefined {
  if (!text.startsWith("{")) return undefined;
  let [depth, quoted] = [0, false];
  for (let at = 0; at < text.length; at++) {
    const char = text[at];
    if (quoted) {
      if (char === "\\") at++;
      else if (char === '"') quoted = false;
    } else if (char === '"') quoted = true;
    else if (char === "{") depth++;
    else if (char === "}" && --depth === 0) return text.slice(0, at + 1);
  }
  return undefined;
}
