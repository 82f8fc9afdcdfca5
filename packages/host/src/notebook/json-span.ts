/** The place of a value, up to the character behind its last. */
export interface Span {
  start: number;
  end: number;
}

export interface Spans extends Span {
  /** The values of an object by their keys. */
  keys?: Map<string, Span>;
  /** The items of a list. */
  items?: Span[];
}

/** Finds the value that begins at `start`, and its parts. The text must be valid JSON. */
export function spansOf(json: string, start: number): Spans {
  const open = json[start];
  if (open !== "{" && open !== "[") return { start, end: endOf(json, start) };
  const keys = new Map<string, Span>();
  const items: Span[] = [];
  let at = skip(json, start + 1);
  while (json[at] !== "}" && json[at] !== "]") {
    let key = "";
    if (open === "{") {
      const end = endOf(json, at);
      key = JSON.parse(json.slice(at, end)) as string;
      at = skip(json, skip(json, end) + 1);
    }
    const span = { start: at, end: endOf(json, at) };
    if (open === "{") keys.set(key, span);
    else items.push(span);
    at = skip(json, span.end);
    if (json[at] === ",") at = skip(json, at + 1);
  }
  return { start, end: at + 1, ...(open === "{" ? { keys } : { items }) };
}

function endOf(json: string, start: number): number {
  if (json[start] === '"') return stringEnd(json, start) + 1;
  if (json[start] !== "{" && json[start] !== "[")
    return start + (/^[^\s,:\]}]+/.exec(json.slice(start, start + 400))?.[0].length ?? 0);
  let depth = 0;
  for (let at = start; at < json.length; at++) {
    const char = json[at];
    if (char === '"') at = stringEnd(json, at);
    else if (char === "{" || char === "[") depth++;
    else if ((char === "}" || char === "]") && --depth === 0) return at + 1;
  }
  return json.length;
}

function stringEnd(json: string, start: number): number {
  let at = start + 1;
  while (json[at] !== '"') at += json[at] === "\\" ? 2 : 1;
  return at;
}

function skip(json: string, from: number): number {
  let at = from;
  while (/\s/.test(json[at] ?? "")) at++;
  return at;
}
