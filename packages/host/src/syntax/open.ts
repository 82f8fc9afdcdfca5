import { type LanguageName, languages } from "./language.ts";
import type { SyntaxTree } from "./parse/tree.ts";

/** A language whose parser is loaded. Dispose of the trees it makes. */
export interface Language {
  readonly name: LanguageName;
  parse(text: string): SyntaxTree;
}

// A grammar is loaded once and never changes; it is shared by the whole process, like the module that holds it.
const opened = new Map<LanguageName, Promise<Language>>();

/** Loads the parser of a language on first use. */
export function openLanguage(name: LanguageName): Promise<Language> {
  const known = opened.get(name);
  if (known) return known;
  const opening = load(name);
  opened.set(name, opening);
  // A failed load may be tried again.
  opening.catch(() => opened.delete(name));
  return opening;
}

async function load(name: LanguageName): Promise<Language> {
  const { parser } = languages[name];
  if (parser === "lines") return { name, parse: (await import("./parse/prose.ts")).parseProse };
  const native = parser === "native" ? await nativeParser() : undefined;
  return { name, parse: native ? native.openNative(name) : await (await import("./parse/wasm.ts")).openWasm(name) };
}

/** Undefined where it cannot be loaded: a built program has to write it to the temporary directory first, and there may be none. */
async function nativeParser(): Promise<typeof import("./parse/native.ts") | undefined> {
  try {
    return await import("./parse/native.ts");
  } catch {
    return undefined;
  }
}
