import { type LanguageName, languages } from "./language.ts";
import type { Parse, ParseAside, SyntaxTree } from "./parse/tree.ts";

/** A language whose parser is loaded. */
export interface Language {
  readonly name: LanguageName;
  /** The number of the WebAssembly machine that it runs in. */
  readonly engine: number;
  readonly parse: Parse;
  /** Parses beside everything else, where the parser can. */
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

/** Parses a text and uses its tree; undefined where it cannot be parsed in a reasonable time. */
export function withTree<T>(text: string, language: Language, use: (tree: SyntaxTree) => T): T | undefined {
  try {
    using tree = language.parse(text);
    return tree && use(tree);
  } catch (error) {
    if (!(error instanceof WebAssembly.RuntimeError)) throw error;
    // A text has brought down the machine that the grammars run in. Languages that are opened next get another one.
    if (language.engine === engine) {
      engine++;
      opened.clear();
    }
    return undefined;
  }
}

/** The same, parsed beside everything else where that is possible. */
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

/** Undefined where it cannot be loaded: a built program has to write it to a temporary directory, which may be missing. */
const nativeParser = (): Promise<typeof import("./parse/native.ts") | undefined> =>
  import("./parse/native.ts").catch(() => undefined);
