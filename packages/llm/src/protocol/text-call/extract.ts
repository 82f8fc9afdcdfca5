import { limits } from "../../message/limit.ts";

/** A piece of what a model wrote: words, or a call. */
export type Piece = { text: string } | { name: string; args: string };

/**
 * Finds calls in a text. Marked ones, `<tool_call>{…}</tool_call>`, `<function=name>…</function>` and `[TOOL_CALLS]…`,
 * count whatever their names; bare JSON, also inside a fence, counts only where there is nothing marked and it names a
 * known tool.
 * Text before, between and after calls survives; arguments that are not whole stay as they were written, and are never
 * mended.
 */
export function extract(text: string, known: ReadonlySet<string>): Piece[] {
  const marked = split(text, markAt, markedCalls);
  return marked.some((piece) => "name" in piece) ? marked : split(text, bareAt, (rest) => bareCall(rest, known));
}

interface Found {
  calls: { name: string; args: string }[];
  length: number;
}

function split(
  text: string,
  next: (text: string, from: number) => number,
  read: (rest: string) => Found | undefined,
): Piece[] {
  const pieces: Piece[] = [];
  let [from, looked] = [0, 0];
  for (let at = next(text, 0); at !== -1 && pieces.length < limits.blocks; at = next(text, at)) {
    const reading = read(text.slice(at));
    if (!reading) {
      looked += text.length - at;
      if (looked > mostLooked) break;
      at++;
      continue;
    }
    pieces.push({ text: text.slice(from, at) }, ...reading.calls);
    at += reading.length;
    from = at;
  }
  pieces.push({ text: text.slice(from) });
  return pieces.filter((piece) => "name" in piece || piece.text.trim() !== "");
}

/** Each place where no call is may have been read to the end of the text; a text of such places is words at last. */
const mostLooked = 32 * 1024 * 1024;

const markAt = (text: string, from: number) => indexOf(/<tool_call>|<function=|\[TOOL_CALLS\]/g, text, from);
const bareAt = (text: string, from: number) => indexOf(/^[ \t]*(?:```\w*[ \t]*\n\s*)?\{/gm, text, from);
function indexOf(pattern: RegExp, text: string, from: number): number {
  pattern.lastIndex = from;
  return pattern.exec(text)?.index ?? -1;
}

function markedCalls(rest: string): Found | undefined {
  if (rest.startsWith("[TOOL_CALLS]")) return bracketCalls(rest, "[TOOL_CALLS]".length);
  if (rest.startsWith("<function=")) return parameterCall(rest);
  const start = "<tool_call>".length;
  const inner = rest.slice(start).trimStart();
  const skipped = rest.length - inner.length;
  const reading = inner.startsWith("<function=") ? parameterCall(inner) : jsonCall(inner, "cut too");
  if (!reading) return undefined;
  const close = /^\s*<\/tool_call>/.exec(inner.slice(reading.length))?.[0].length ?? 0;
  return { calls: reading.calls, length: skipped + reading.length + close };
}

/** `[TOOL_CALLS][{…},{…}]`, `[TOOL_CALLS]{…}` or `[TOOL_CALLS]name[ARGS]{…}`. */
function bracketCalls(rest: string, start: number): Found | undefined {
  const named = /^\s*([\w.-]+)\s*(?:\[ARGS\])?\s*(?=\{)/.exec(rest.slice(start));
  if (named) {
    const at = start + named[0].length;
    const args = balanced(rest.slice(at)) ?? rest.slice(at);
    return { calls: [{ name: named[1] ?? "", args }], length: at + args.length };
  }
  const calls: Found["calls"] = [];
  let at = start + (/^\s*\[?/.exec(rest.slice(start))?.[0].length ?? 0);
  while (calls.length < limits.blocks) {
    const reading = jsonCall(rest.slice(at), "cut too");
    if (!reading) break;
    calls.push(...reading.calls);
    at += reading.length;
    at += /^\s*[,\]]?\s*/.exec(rest.slice(at))?.[0].length ?? 0;
  }
  return calls.length > 0 ? { calls, length: at } : undefined;
}

/** `<function=name><parameter=path>a</parameter></function>`, each parameter a text or JSON. */
function parameterCall(rest: string): Found | undefined {
  const head = /^<function=([\w.-]+)>/.exec(rest);
  if (!head) return undefined;
  const close = rest.indexOf("</function>");
  const body = rest.slice(head[0].length, close === -1 ? undefined : close);
  // Without its end, what came may be half: it stays text for the batch to refuse.
  const written = close === -1 ? body : JSON.stringify(Object.fromEntries(parameters(body)));
  return {
    calls: [{ name: head[1] ?? "", args: written }],
    length: close === -1 ? rest.length : close + "</function>".length,
  };
}

/** Up to the first one without an end: looking for the ends of many such would take for ever. */
function* parameters(body: string): Generator<[string, unknown]> {
  const head = /<parameter=([\w.-]+)>/g;
  for (let match = head.exec(body); match; match = head.exec(body)) {
    const end = body.indexOf("</parameter>", head.lastIndex);
    if (end === -1) return;
    yield [match[1] ?? "", meant(body.slice(head.lastIndex, end).replace(/^\n/, "").replace(/\n$/, ""))];
    head.lastIndex = end;
  }
}

function meant(value: string): unknown {
  try {
    const parsed: unknown = JSON.parse(value);
    return typeof parsed === "string" ? value : parsed;
  } catch {
    return value;
  }
}

function bareCall(rest: string, known: ReadonlySet<string>): Found | undefined {
  const lead = /^[ \t]*(?:```\w*[ \t]*\n\s*)?/.exec(rest)?.[0] ?? "";
  const reading = jsonCall(rest.slice(lead.length), "whole only");
  if (!reading?.calls.every(({ name }) => known.has(name))) return undefined;
  const fence = lead.includes("```") ? (/^\s*```/.exec(rest.slice(lead.length + reading.length))?.[0].length ?? 0) : 0;
  return { calls: reading.calls, length: lead.length + reading.length + fence };
}

/** A JSON object that names a tool, in the spellings models use; its arguments inside or beside the name. */
function jsonCall(rest: string, how: "whole only" | "cut too"): Found | undefined {
  if (!rest.startsWith("{")) return undefined;
  const whole = balanced(rest);
  const value = whole === undefined ? undefined : object(whole);
  if (value) {
    const name = names.map((key) => value[key]).find((value) => typeof value === "string" && value !== "");
    if (typeof name !== "string") return undefined;
    const inner = fields.map((key) => value[key]).find((value) => value !== undefined);
    const beside = Object.fromEntries(
      Object.entries(value).filter(([key]) => !names.includes(key) && key !== "id" && key !== "type"),
    );
    const args = typeof inner === "string" ? inner : JSON.stringify(inner ?? beside);
    return { calls: [{ name, args }], length: whole?.length ?? 0 };
  }
  const name = /"(?:name|tool|function)"\s*:\s*"([^"\\]+)"/.exec(rest)?.[1];
  if (how === "whole only" || !name) return undefined;
  const end = whole?.length ?? (rest.indexOf("</tool_call>") === -1 ? rest.length : rest.indexOf("</tool_call>"));
  return { calls: [{ name, args: rest.slice(0, end) }], length: end };
}

const names: readonly string[] = ["name", "tool", "function"];
const fields: readonly string[] = ["arguments", "args", "params", "parameters"];

function object(json: string): Record<string, unknown> | undefined {
  try {
    return JSON.parse(json) as Record<string, unknown>;
  } catch {
    return undefined;
  }
}

/** The object a text begins with; braces inside its strings do not count. */
function balanced(text: string): string | undefined {
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
