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
  switch (languages[name].parser) {
    case "native":
      return { name, parse: (await import("./parse/native.ts")).openNative(name) };
    case "wasm":
      return { name, parse: await (await import("./parse/wasm.ts")).openWasm(name) };
    case "lines":
      return { name, parse: (await import("./parse/prose.ts")).parseProse };
  }
}
