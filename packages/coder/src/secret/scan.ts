import { shapeAt } from "./key-shapes.ts";
import { endsLikeSecret, isSecretName, isSecretValue, isSecretVariable } from "./name.ts";

/** A place in a text that holds a key. */
export interface SecretSpan {
  start: number;
  end: number;
  /** True when it looks like a key by itself. */
  form?: "shape";
}

/** State of a scan that matters for the next part of a stream. */
export interface ScanState {
  /** Characters that may still belong to a private key that has begun. */
  inKey: number;
  /** Its lines stand behind the sign of what a diff adds, which could also be theirs. */
  added?: boolean;
}

/** The signs that words consist of. */
const word = new Uint8Array(256);
for (const sign of "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-") word[sign.charCodeAt(0)] = 1;
const [plus, dash, equals, colon, slash, underscore, backslash, percent, dot] = [43, 45, 61, 58, 47, 95, 92, 37, 46];
const isLetter = (code: number): boolean => code === underscore || ((code | 32) >= 97 && (code | 32) <= 122);
/** The shortest key with a shape. */
const shortest = 16;
/** Longest private key that is looked for. */
const longestKey = 32 * 1024;

/** A single walk over a text. */
interface Walk {
  text: string;
  state: ScanState;
  hits: SecretSpan[];
  /** Position up to which the text is done. */
  done: number;
}

/**
 * Matches what has to be looked at: words that are long enough, names that are given a value, the first line of a key.
 */
const places = /[\w-]{16,}|[=:]|-----BEGIN/g;

/**
 * The keys in a text, in order. Only words of some length are compared with the shapes of keys, and only what stands
 * around `=` and `:` is looked at for names; one expression finds both, which costs little from the first text on.
 */
export function findSecrets(text: string, state: ScanState = { inKey: 0 }): SecretSpan[] {
  const walk: Walk = { text, state, hits: [], done: 0 };
  if (state.inKey > 0) keyBody(walk, 0);
  places.lastIndex = walk.done;
  while (places.test(text)) {
    const at = places.lastIndex;
    const code = text.charCodeAt(at - 1);
    if (code !== equals && code !== colon) {
      inPlace(walk, at);
      places.lastIndex = Math.max(at, walk.done);
      continue;
    }
    const sign = at - 1;
    const hit = code === colon && text.charCodeAt(at) === slash ? inAddress(text, sign) : assigned(text, sign, code);
    if (!hit || hit.start < walk.done) continue;
    walk.hits.push(hit);
    walk.done = hit.end;
    places.lastIndex = hit.end;
  }
  return walk.hits;
}

/** Looks at a word that ends here. */
function inPlace(walk: Walk, to: number): void {
  const { text, state } = walk;
  let from = to - 1;
  while (from > walk.done && word[text.charCodeAt(from - 1)] === 1) from--;
  if (to - from >= shortest) inWord(walk, from, to);
  const body = to - from < shortest && text.charCodeAt(from) === dash ? privateKey(text, to) : -1;
  if (body < 0) return;
  state.inKey = longestKey;
  state.added = text.charCodeAt(from - 1) === plus;
  keyBody(walk, body);
}

/** Keys that begin with the word, or behind a hyphen in it. */
function inWord(walk: Walk, from: number, to: number): void {
  const { text, hits } = walk;
  const begins = beginsOf(text, from);
  for (let at = from; at <= to - shortest + 3; at++) {
    if (at > from) {
      const previous = text.charCodeAt(at - 1);
      if (previous !== dash && previous !== underscore) continue;
      begins[0] = at;
      begins.length = 1;
      const head = gluedBefore(text, at);
      if (head > 0) begins.push(at - head);
    }
    for (const begin of begins) {
      const start = begin >= 3 && text.startsWith("SG.", begin - 3) ? begin - 3 : begin;
      const end = start < walk.done ? -1 : shapeAt(text, start);
      if (end < 0) continue;
      hits.push({ start, end, form: "shape" });
      walk.done = end;
      at = Math.max(at, end - 1);
      break;
    }
  }
}

/** Behind `\n`, `\u003d`, `%3D` and what is left of a colour the word begins later than it seems. */
function beginsOf(text: string, from: number): number[] {
  const before = text.charCodeAt(from - 1);
  if (before === backslash) return [from + 1, from + 5, from];
  if (before === percent) return [from + 2, from];
  // [ and ;
  if (before !== 91 && before !== 59) return [from];
  colour.lastIndex = from;
  return colour.test(text) ? [colour.lastIndex, from] : [from];
}

const colour = /\d{0,3}[mK]/y;

/** Heads that no word ends with, so that a key is known behind one that stands before it without a gap. */
const heads = "ghp_ gho_ ghu_ ghs_ ghr_ github_pat_ glpat- npm_ dckr_pat_ xoxb- xoxp- gsk_".split(" ");
const byEnd = new Map<number, string[]>();
for (const head of heads) {
  const end = (head.charCodeAt(head.length - 2) << 8) | head.charCodeAt(head.length - 1);
  byEnd.set(end, [...(byEnd.get(end) ?? []), head]);
}

/** Measures the head that ends here; 0 where none does. */
function gluedBefore(text: string, at: number): number {
  const known = byEnd.get((text.charCodeAt(at - 2) << 8) | text.charCodeAt(at - 1));
  return known?.find((head) => text.startsWith(head, at - head.length))?.length ?? 0;
}

const keyTitle = / (?:[A-Z0-9]+ ){0,3}PRIVATE KEY(?: BLOCK)?-----/y;

/** Finds the body of a private key by its first line; -1 when that is another thing. */
function privateKey(text: string, at: number): number {
  keyTitle.lastIndex = at;
  return keyTitle.test(text) ? keyTitle.lastIndex : -1;
}

/**
 * Hides the words of a key's body line by line: what was put before the lines, as their numbers, stays. What does not
 * go on like a key was none, or has been left.
 */
function keyBody(walk: Walk, from: number): void {
  const { text, state, hits } = walk;
  let at = from;
  for (let odd = 0; at < text.length && state.inKey > 0; ) {
    const newline = text.indexOf("\n", at);
    const lineEnd = newline < 0 ? text.length : newline + 1;
    const marked = text.slice(at, lineEnd).indexOf("-----END");
    const end = marked < 0 ? lineEnd : at + marked;
    const words = marked < 0 && lineEnd - at > longestKey ? [] : keyWords(text, at, end, state.added === true);
    hits.push(...words);
    state.inKey = marked < 0 ? state.inKey - (lineEnd - at) : 0;
    odd = words.length > 0 ? 0 : odd + 1;
    if (odd > 3) state.inKey = 0;
    at = end;
    if (marked >= 0) break;
  }
  walk.done = at;
}

function keyWords(text: string, lineStart: number, end: number, added: boolean): SecretSpan[] {
  const words: SecretSpan[] = [];
  const from = added && text.charCodeAt(lineStart) === plus ? lineStart + 1 : lineStart;
  const part = /(?:\\[nr])?([A-Za-z0-9+/=]{16,}|(?<!\\)[A-Za-z0-9+/=]{1,15}(?=\s*$))/gm;
  const line = text.slice(from, end);
  // Words of prose stand side by side; those of a key alone, or behind a number, a sign or a path.
  if (!/[A-Za-z0-9+/=]{40,}/.test(line) && !/(?:^|[\d:|+ -])[A-Za-z0-9+/]{1,76}={0,2}\s*$/.test(line)) return [];
  for (const match of line.matchAll(part)) {
    const [whole, said = ""] = match;
    if (/^\d{1,15}$/.test(said)) continue;
    const start = from + match.index + whole.length - said.length;
    words.push({ start, end: start + said.length });
  }
  return words;
}

const account = /:\/\/([^\s/:@"'`<>?#]{0,256}):([^\s/@"'`<>]{1,512})@[\w.[-]/y;

/** The password in an address, where there is one that is meant. */
function inAddress(text: string, at: number): SecretSpan | undefined {
  account.lastIndex = at;
  const [whole, user = "", password = ""] = account.exec(text) ?? [];
  if (whole === undefined || password === user || !isSecretValue(password, "variable")) return undefined;
  const start = at + 3 + user.length + 1;
  return { start, end: start + password.length };
}

const value = /[ \t]{0,3}(?:>[ \t]?)?(?:(\\?["'`])|)/y;
const bare = /[^\s"'`,;(){}<>[\]|&\\]+/y;

const credential = /[ \t]{0,3}(?:\\?["'`])?(?:[A-Za-z][A-Za-z-]{2,15}[ \t]+)?([\w.~+/-]{12,}={0,2})/y;

const isQuote = (code: number): boolean => code === 34 || code === 39 || code === 96 || code === backslash;

/** Matches a header `Authorization: Bearer …`, however it is written down. */
function inHeader(text: string, at: number): SecretSpan | undefined {
  let end = at;
  while (end > at - 3 && isQuote(text.charCodeAt(end - 1))) end--;
  if ((text.charCodeAt(end - 1) | 32) !== 110 || (text.charCodeAt(end - 13) | 32) !== 97) return undefined;
  if (text.slice(end - 13, end).toLowerCase() !== "authorization") return undefined;
  credential.lastIndex = at + 1;
  const said = credential.exec(text)?.[1] ?? "";
  if (!isSecretValue(said, "quoted")) return undefined;
  return { start: credential.lastIndex - said.length, end: credential.lastIndex };
}

/** Finds the value that a name of a key is given, if there is one. */
function assigned(text: string, at: number, sign: number): SecretSpan | undefined {
  const header = inHeader(text, at);
  if (header) return header;
  const name = nameBefore(text, at);
  if (name === undefined) return undefined;
  const isVariable = sign === equals && /\w/.test(text.charAt(at - 1)) && /^[A-Z][A-Z0-9_]*$/.test(name);
  if (!(isVariable ? isSecretVariable(name) : isSecretName(name))) return undefined;
  value.lastIndex = at + 1;
  const [lead = "", quote] = value.exec(text) ?? [];
  const start = at + 1 + lead.length;
  if (quote !== undefined) {
    const end = text.indexOf(quote, start);
    const line = end < 0 || end - start > 4096 ? "" : text.slice(start, end);
    const isAlone = isVariable && isLine(text, at);
    const isKey = isSecretValue(line, "quoted") || (isAlone && isSecretValue(line, "variable"));
    return isKey && !line.includes("\n") ? { start, end } : undefined;
  }
  bare.lastIndex = start;
  const said = bare.exec(text)?.[0];
  if (said === undefined || text.charCodeAt(bare.lastIndex) === 40) return undefined;
  const place = isVariable && lead === "" ? "variable" : "bare";
  return isSecretValue(said, place) ? { start, end: start + said.length } : undefined;
}

/** The name that stands before a sign, if it may be that of a key. */
function nameBefore(text: string, at: number): string | undefined {
  let end = at;
  for (let n = 0; n < 3 && (text.charCodeAt(end - 1) === 32 || text.charCodeAt(end - 1) === 9); n++) end--;
  let last = text.charCodeAt(end - 1);
  if (last === 34 || last === 39) last = text.charCodeAt(--end - 1);
  if (last === backslash) last = text.charCodeAt(--end - 1);
  if (!endsLikeSecret(text.charCodeAt(end - 2), last)) return undefined;
  let start = end;
  while (end - start < 64 && (word[text.charCodeAt(start - 1)] === 1 || text.charCodeAt(start - 1) === dot)) start--;
  while (start < end && !isLetter(text.charCodeAt(start))) start++;
  return start < end ? text.slice(start, end) : undefined;
}

/** True when an assignment stands alone on its line, as in a file of variables. */
function isLine(text: string, at: number): boolean {
  const line = text.slice(text.lastIndexOf("\n", at) + 1, at);
  return /^(?:[\w./-]*[:|-]?\d*[:|+-]?\s*)(?:export )?[A-Z][A-Z0-9_]*$/.test(line);
}
