import { type LanguageName, languages } from "./language.ts";
import type { Parse, ParseAside, SyntaxTree } from "./parse/tree.ts";

/** A language whose parser is loaded. */
export interface Language {
  readonly name: LanguageName;
  /** Which of the machines it runs in. */
  readonly engine: number;
  readonly parse: Parse;
  /** Where the parser can work beside everything else. */
  readonly aside?: ParseAside;
}

// A grammar is loaded once and never changes; it is shared by the whole process, like the module that holds it.
const opened = new Map<LanguageName, Promise<Language>>();
let engine = 0;

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

/** Parses a text and does something with its tree. Undefined: the text cannot be parsed in a reasonable time. */
export function withTree<T>(text: string, language: Language, use: (tree: SyntaxTree) => T): T | undefined {
  try {
    using tree = language.parse(text);
    return tree && use(tree);
  } catch (error) {
    if (!(error instanceof WebAssembly.RuntimeError)) throw error;
    // A text has brought down the machine that the grammars run in. Whoever opens a language next gets another one.
    if (language.engine === engine) {
      engine++;
      opened.clear();
    }
    return undefined;
  }
}

/** The same for somebody who has time: what can be parsed beside everything else is. */
export async function withTreeAside<T>(
  text: string,
  language: Language,
  use: (tree: SyntaxTree) => T,
): Promise<T | undefined> {
  if (!language.aside) return withTree(text, language, use);
  using tree = await language.aside(text);
  return tree && use(tree);
}

async function load(name: LanguageName): Promise<Language> {
  const { parser } = languages[name];
  if (parser === "lines") return { name, engine, parse: (await import("./parse/prose.ts")).parseProse };
  const native = parser === "native" ? await nativeParser() : undefined;
  const used = engine;
  if (native) return { name, engine: used, ...native.openNative(name) };
  return { name, engine: used, parse: await (await import("./parse/wasm.ts")).openWasm(name, used) };
}

/**
 * Undefined where it cannot be loaded: a built program has to write it to the temporary directory first, and there may
 * be none.
 */
async function nativeParser(): Promise<typeof import("./parse/native.ts") | undefined> {
  try {
    return await import("./parse/native.ts");
  } catch {
    return undefined;
  }
}
