import { tryOr } from "@pith/kit";
import { CleanTexts } from "./clean-texts.ts";
import { type MaskDeltas, maskDeltas } from "./delta.ts";
import { KnownValues } from "./known-values.ts";
import { maskKey } from "./mask-key.ts";
import { isSecretValue, isSecretVariable } from "./name.ts";
import { findSecrets, type ScanState, type SecretSpan } from "./scan.ts";
import { type MaskStream, maskStream, named } from "./stream.ts";
import { withoutEscapes } from "./without-escapes.ts";

type Env = Readonly<Record<string, string | undefined>>;

export interface SecretSources {
  env: Env;
  /** The directory of pith's own files. */
  home: string;
  /** Keys that pith knows otherwise, as far as they have been read. */
  keys?(): readonly string[];
}

const sign = /\[\[secret:([0-9a-f]{8})\]\]/g;

/**
 * Masks secrets in everything that is kept or sent: requests, the record, files of long outputs, logs, exports. A
 * secret becomes `[[secret:<8 hex>]]`, always the same for the same one.
 */
export class Secrets {
  readonly #sources: SecretSources;
  readonly #known = new KnownValues();
  /** The masked values, by name. */
  readonly #hidden = new Map<string, string>();
  readonly #names = new Map<string, string>();
  readonly #shaped = new Set<string>();
  readonly #clean = new WeakSet<object>();
  readonly #looked = new CleanTexts();
  #hmac: ((value: string) => string) | undefined;
  #begun = false;
  #keys = 0;

  constructor(sources: SecretSources) {
    this.#sources = sources;
  }

  /** The number of different secrets met so far. */
  get met(): number {
    return this.#hidden.size;
  }

  mask(text: string): string {
    if (text.length < shortest) return text;
    this.#begin();
    if (this.#looked.has(text)) return text;
    const hits = this.#find(text);
    if (hits.length === 0) {
      this.#looked.add(text);
      return text;
    }
    return named(text, hits, (value) => this.#name(value));
  }

  /** The same for every text in a value; it is the same object where nothing was hidden. Its form is kept. */
  readonly maskAll = <T>(value: T): T => this.#walk(value, "") as T;

  /** The last look at what goes out; what was looked at once is known by its object. */
  maskRequest<R extends { system: readonly string[]; messages: readonly object[] }>(request: R): R {
    const seen = <T extends object>(value: T): T => {
      const known = this.#clean.has(value);
      const made = known ? value : this.maskAll(value);
      if (!known) this.#clean.add(made);
      return made;
    };
    let messages: object[] | undefined;
    for (let at = 0; at < request.messages.length; at++) {
      const message = request.messages[at] as object;
      const made = seen(message);
      if (made === message) continue;
      messages ??= [...request.messages];
      messages[at] = made;
    }
    const system = seen(request.system);
    return system === request.system && !messages
      ? request
      : { ...request, system, messages: messages ?? request.messages };
  }

  stream(): MaskStream {
    return maskStream({
      find: (text, state) => this.#find(text, state),
      name: (value) => this.#name(value),
      longest: () => this.#known.maxLength,
    });
  }

  /** The same for what a model streams, one answer after another. */
  deltas(): MaskDeltas {
    return maskDeltas({
      find: (text, state) => this.#find(text, state),
      name: (value) => this.#name(value),
      words: () => {
        this.#begin();
        return this.#known.words;
      },
    });
  }

  /** Remembers what a whole file holds, so that a part of it is known too. */
  learn(text: string): void {
    this.#begin();
    for (const { start, end } of findSecrets(text)) this.#know(text.slice(start, end));
  }

  /** Puts back into what is to be written to a file what that file holds now, and nothing else. */
  restore(file: string, said: string): string {
    if (!said.includes("[[secret:")) return said;
    let held: Map<string, string> | undefined;
    return said.replace(sign, (name, id: string) => {
      const value = this.#hidden.get(id);
      if (value !== undefined && file.includes(value)) return value;
      held ??= this.#heldBy(file);
      return held.get(id) ?? name;
    });
  }

  /** The names in a text that stand for nothing its file holds. */
  static left(said: string): number {
    return said.match(sign)?.length ?? 0;
  }

  #heldBy(file: string): Map<string, string> {
    const held = new Map<string, string>();
    const take = (text: string) => {
      for (const { start, end } of this.#find(text)) {
        const value = text.slice(start, end);
        held.set(this.#name(value).slice(9, 17), value);
      }
    };
    take(file);
    for (const line of file.split(/\r?\n/)) take(line);
    return held;
  }

  /** Also what colours stand in; and within them, where an address may stand. */
  #find(text: string, state: ScanState = { inKey: 0 }): SecretSpan[] {
    this.#begin();
    const bare = withoutEscapes(text);
    if (!bare) return this.#hits(text, state);
    return joined(this.#hits(text, { ...state }), bare.back(this.#hits(bare.text, state)));
  }

  #hits(text: string, state: ScanState): SecretSpan[] {
    const shaped = findSecrets(text, state);
    // What looked like a key by itself is one wherever it stands.
    for (const { start, end, form } of shaped) if (form === "shape") this.#meet(text.slice(start, end));
    const known = this.#known.find(text);
    if (known.length === 0) return shaped;
    if (shaped.length === 0) return known;
    return joined(shaped, known);
  }

  /** The environment is read when something is first looked at, and keys as they become known. */
  #begin(): void {
    const keys = this.#sources.keys?.() ?? [];
    if (keys.length !== this.#keys) for (const key of keys) this.#know(key);
    this.#keys = keys.length;
    if (this.#begun) return;
    this.#begun = true;
    for (const [name, value = ""] of Object.entries(this.#sources.env)) {
      if (isSecretVariable(name) && isSecretValue(value, "variable")) this.#know(value);
      else for (const { start, end } of findSecrets(value)) this.#know(value.slice(start, end));
    }
  }

  #meet(value: string): void {
    if (this.#shaped.has(value) || this.#shaped.size >= mostShaped) return;
    this.#shaped.add(value);
    this.#know(value);
  }

  /** Also as it stands in JSON or in an address; a value of several lines line by line. */
  #know(value: string): void {
    if (!isDistinct(value)) return;
    this.#looked.forget();
    // Streams are looked at byte by byte.
    const [bytes, json] = [Buffer.from(value).toString("latin1"), JSON.stringify(value).slice(1, -1)];
    const forms = [value, bytes, json, tryOr(() => encodeURIComponent(value), value)];
    for (const form of forms) this.#known.add(form);
    if (value.includes("\n")) for (const line of value.split(/\r?\n/)) if (line.length >= 16) this.#know(line);
  }

  #name(said: string): string {
    const value = withoutEscapes(said)?.text ?? said;
    const known = this.#names.get(value);
    if (known !== undefined) return known;
    if (!this.#hmac) {
      const key = maskKey(this.#sources.home);
      const { createHmac } = process.getBuiltinModule("node:crypto");
      this.#hmac = (text) => createHmac("sha256", key).update(text).digest("hex");
    }
    const id = this.#hmac(value).slice(0, 8);
    this.#hidden.set(id, value);
    const name = `[[secret:${id}]]`;
    this.#names.set(value, name);
    return name;
  }

  #walk(value: unknown, key: string): unknown {
    if (typeof value === "string") return asItIs.has(key) ? value : this.mask(value);
    if (typeof value !== "object" || value === null || kept(value)) return value;
    if (Array.isArray(value)) {
      // Nearly always nothing is hidden, so nothing is made.
      let items: unknown[] | undefined;
      for (let at = 0; at < value.length; at++) {
        const made = this.#walk(value[at], key);
        if (made === value[at]) continue;
        items ??= [...value];
        items[at] = made;
      }
      return items ?? value;
    }
    const fields = value as Record<string, unknown>;
    let changed: Record<string, unknown> | undefined;
    for (const name of Object.keys(fields)) {
      const made = this.#walk(fields[name], name);
      if (made === fields[name]) continue;
      changed ??= { ...fields };
      changed[name] = made;
    }
    return changed ?? value;
  }
}

const shortest = 8;
/** Keys that were found by their shape: all that are known are compared with words that begin alike. */
const mostShaped = 200;

/** Fields that others made or signed, or that name the conversation: they are not text. */
const asItIs: ReadonlySet<string> = new Set(
  `id parentId type timestamp toolCallId mimeType thinkingSignature thoughtSignature textSignature signature
  encrypted_content responseId api provider model role customType`.split(/\s+/),
);

/** Images, what a model thought where a vendor checks it by its signature, and what is no plain data. */
function kept(value: object): boolean {
  const { type, thinkingSignature } = value as { type?: unknown; thinkingSignature?: unknown };
  if (type === "image" || type === "redactedThinking" || (type === "thinking" && thinkingSignature)) return true;
  const form = Object.getPrototypeOf(value);
  return form !== Object.prototype && form !== Array.prototype && form !== null;
}

/** A value that is also a word would hide that word wherever it stands. */
const isDistinct = (value: string): boolean =>
  value.length >= shortest && (value.length >= 16 || /\d|[^\w]/.test(value) || /[a-z][A-Z]/.test(value));

/** Both in order; where two overlap they are one. */
function joined(one: readonly SecretSpan[], other: readonly SecretSpan[]): SecretSpan[] {
  const all = [...one, ...other].sort((a, b) => a.start - b.start);
  const hits: SecretSpan[] = [];
  for (const hit of all) {
    const last = hits.at(-1);
    if (last && hit.start < last.end) last.end = Math.max(last.end, hit.end);
    else hits.push({ ...hit });
  }
  return hits;
}

/** The environment that commands of the model get, and the keys that it is without. */
export function withoutKeys(env: Env, pass: string | undefined): { env: Env; keys: Record<string, string> } {
  const passed = passedNames(pass);
  const keys: Record<string, string> = {};
  const rest: Record<string, string | undefined> = {};
  for (const [name, value] of Object.entries(env)) {
    if (value !== undefined && !passed.has(name) && isKey(name, value)) keys[name] = value;
    else rest[name] = value;
  }
  return { env: rest, keys };
}

/** The variables that commands get although they hold keys. */
export const passedNames = (pass: string | undefined): ReadonlySet<string> => new Set((pass ?? "").split(/[\s,]+/));

/** True when a variable holds a key, by its name or by the look of its value. */
export const isKey = (name: string, value: string): boolean =>
  value !== "" &&
  ((isSecretVariable(name) && !/^(?:\/|~\/|\d{1,5}$|true$|false$)/.test(value)) || findSecrets(value).length > 0);
