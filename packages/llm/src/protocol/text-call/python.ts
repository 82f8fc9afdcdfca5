import { limits } from "../../limit.ts";
import type { ParsedCalls, WrittenCall } from "./call.ts";

/** Reads `name(path="a", lines=[1, 2])` or a list of such calls, the format of models trained to call as in Python. */
export function pythonCalls(rest: string): ParsedCalls | undefined {
  const list = /^\s*\[\s*/.exec(rest)?.[0].length ?? 0;
  const calls: WrittenCall[] = [];
  let at = list;
  while (calls.length < limits.blocks) {
    const call = callAt(rest, at);
    if (!call) break;
    calls.push(call.value);
    at = call.end;
    const comma = list > 0 && /\s*,\s*/y;
    const next = comma ? behind(comma, rest, at) : undefined;
    if (next === undefined) break;
    at = next;
  }
  if (calls.length === 0) return undefined;
  const end = list === 0 ? at : behind(/\s*\]/y, rest, at);
  // An unescaped quote may have ended it too early; its own end then still follows.
  return end === undefined || /["']\s*\)/.test(rest.slice(end)) ? undefined : { calls, length: end };
}

/** The object at the start of a text, as Python prints it. */
export function pythonObject(text: string): { value: Record<string, unknown>; end: number } | undefined {
  const read = text.startsWith("{") ? valueAt(text, 0) : undefined;
  return read && { value: read.value as Record<string, unknown>, end: read.end };
}

interface Read<T> {
  value: T;
  end: number;
}

function callAt(text: string, from: number): Read<WrittenCall> | undefined {
  const head = /([A-Za-z_][\w-]*)(?:\.call)?\(/y;
  head.lastIndex = from;
  const name = head.exec(text)?.[1];
  if (name === undefined) return undefined;
  const read = items(text, head.lastIndex, ")", (at) => {
    const key = /\s*([A-Za-z_]\w*)\s*=\s*/y;
    key.lastIndex = at;
    const word = key.exec(text)?.[1];
    const value = word === undefined ? undefined : valueAt(text, key.lastIndex);
    return value && { value: [word ?? "", value.value] as const, end: value.end };
  });
  return read && { value: { name, args: JSON.stringify(Object.fromEntries(read.value)) }, end: read.end };
}

/** Reads a literal; undefined if there is none or it is incomplete. */
function valueAt(text: string, at: number, depth = 0): Read<unknown> | undefined {
  const sign = text[at];
  if (depth > deepest || sign === undefined) return undefined;
  if (sign === '"' || sign === "'") return stringAt(text, at);
  if (sign === "[") return items(text, at + 1, "]", (next) => valueAt(text, next, depth + 1));
  if (sign === "{") {
    const read = items(text, at + 1, "}", (next) => pairAt(text, next, depth + 1));
    return read && { value: Object.fromEntries(read.value), end: read.end };
  }
  const plain = /-?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?(?![\w.])|(?:True|False|None|true|false|null)\b/y;
  plain.lastIndex = at;
  const word = plain.exec(text)?.[0];
  if (word === undefined) return undefined;
  return { value: word in words ? words[word] : Number(word), end: at + word.length };
}

function pairAt(text: string, at: number, depth: number): Read<readonly [string, unknown]> | undefined {
  const key = /["']/.test(text[at] ?? "") ? stringAt(text, at) : undefined;
  const colon = key && behind(/\s*:\s*/y, text, key.end);
  const value = colon === undefined ? undefined : valueAt(text, colon, depth);
  return key && value && { value: [key.value, value.value], end: value.end };
}

/** Reads items between commas up to a closing sign. */
function items<T>(
  text: string,
  from: number,
  close: string,
  read: (at: number) => Read<T> | undefined,
): Read<T[]> | undefined {
  const found: T[] = [];
  for (let at = blank(text, from); ; ) {
    if (text[at] === close) return { value: found, end: at + 1 };
    const item = read(at);
    if (!item) return undefined;
    found.push(item.value);
    at = blank(text, item.end);
    if (text[at] === ",") at = blank(text, at + 1);
    else if (text[at] !== close) return undefined;
  }
}

const triple = /"""((?:[^\\]|\\[\s\S])*?)"""|'''((?:[^\\]|\\[\s\S])*?)'''/y;
const single = /"((?:[^"\\]|\\[\s\S])*)"|'((?:[^'\\]|\\[\s\S])*)'/y;

function stringAt(text: string, at: number): Read<string> | undefined {
  for (const form of /^(?:"""|''')/.test(text.slice(at, at + 3)) ? [triple] : [single]) {
    form.lastIndex = at;
    const match = form.exec(text);
    if (match) return { value: (match[1] ?? match[2] ?? "").replace(escapes, meant), end: form.lastIndex };
  }
  return undefined;
}

const escapes = /\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|([\s\S]))/g;
const signs: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "\r", b: "\b", f: "\f", "0": "\0", "\n": "" };

/** Resolves an escape; an unknown one stays as it is. */
function meant(all: string, x?: string, u?: string, long?: string, sign = ""): string {
  const code = x ?? u ?? long;
  if (code !== undefined) {
    const point = Number.parseInt(code, 16);
    return point <= 0x10ffff ? String.fromCodePoint(point) : all;
  }
  return signs[sign] ?? (/["'\\/]/.test(sign) ? sign : all);
}

const words: Readonly<Record<string, unknown>> = {
  True: true,
  False: false,
  None: null,
  true: true,
  false: false,
  null: null,
};
const deepest = 50;

const blank = (text: string, at: number): number => behind(/\s*/y, text, at) ?? at;

function behind(pattern: RegExp, text: string, at: number): number | undefined {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : undefined;
}
