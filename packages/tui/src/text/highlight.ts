import type { HLJSApi, LanguageFn } from "highlight.js";
import type { StyleName, Theme } from "../theme/theme.ts";
import { printable } from "./clean.ts";

export interface Highlighter {
  /** Coloured lines of the code, or nothing as long as the language is not loaded or not known. */
  lines(code: string, language: string): readonly string[] | undefined;
  /** Number of loaded languages: code that was drawn before the last one can be drawn again. */
  readonly arrived?: number;
}

/** Nothing is imported until the first code block wants colour; `ready` is called when the language has arrived. */
export function createHighlighter(
  theme: Theme,
  ready: () => void,
): Highlighter & { load(language: string): Promise<boolean>; readonly waiting: boolean; repaint(): void } {
  const asked = new Map<string, Promise<boolean>>();
  const loaded = new Set<string>();
  // A growing block asks again for the runs it has closed: the last few answers are kept.
  const answers = new Map<string, readonly string[]>();
  let waiting = 0;
  let core: HLJSApi | undefined;

  function load(language: string): Promise<boolean> {
    const name = nameOf(language);
    const known = asked.get(name);
    if (known) return known;
    const fetched = fetchLanguage(name).catch(() => false);
    asked.set(name, fetched);
    if (Object.hasOwn(languages, name)) {
      waiting++;
      void fetched.finally(() => waiting--);
    }
    return fetched;
  }
  async function fetchLanguage(name: string): Promise<boolean> {
    const importer = Object.hasOwn(languages, name) ? languages[name] : undefined;
    if (!importer) return false;
    const [{ default: api }, { default: language }] = await Promise.all([import("highlight.js/lib/core"), importer()]);
    core = api;
    core.registerLanguage(name, language);
    loaded.add(name);
    return true;
  }
  function lines(code: string, language: string): readonly string[] | undefined {
    const name = nameOf(language);
    if (!core || !loaded.has(name)) {
      if (!asked.has(name)) void load(name).then((grammar) => grammar && ready());
      return undefined;
    }
    const key = `${name}\n${code}`;
    const html = () => core?.highlight(printable(code), { language: name, ignoreIllegals: true }).value ?? "";
    const known = answers.get(key) ?? toLines(html(), theme);
    answers.delete(key);
    answers.set(key, known);
    if (answers.size > kept) answers.delete(answers.keys().next().value ?? "");
    return known;
  }
  return {
    load,
    lines,
    get arrived() {
      return loaded.size;
    },
    /** True while a language is on its way. */
    get waiting() {
      return waiting > 0;
    },
    /** Forgets coloured lines: the theme has changed. */
    repaint: () => answers.clear(),
  };
}

const nameOf = (language: string) => (Object.hasOwn(aliases, language) ? aliases[language] : undefined) ?? language;

const kept = 64;
type Importer = () => Promise<{ default: LanguageFn }>;
const languages: Record<string, Importer> = {
  bash: () => import("highlight.js/lib/languages/bash"),
  c: () => import("highlight.js/lib/languages/c"),
  cpp: () => import("highlight.js/lib/languages/cpp"),
  csharp: () => import("highlight.js/lib/languages/csharp"),
  css: () => import("highlight.js/lib/languages/css"),
  diff: () => import("highlight.js/lib/languages/diff"),
  dockerfile: () => import("highlight.js/lib/languages/dockerfile"),
  elixir: () => import("highlight.js/lib/languages/elixir"),
  go: () => import("highlight.js/lib/languages/go"),
  haskell: () => import("highlight.js/lib/languages/haskell"),
  ini: () => import("highlight.js/lib/languages/ini"),
  java: () => import("highlight.js/lib/languages/java"),
  javascript: () => import("highlight.js/lib/languages/javascript"),
  json: () => import("highlight.js/lib/languages/json"),
  kotlin: () => import("highlight.js/lib/languages/kotlin"),
  lua: () => import("highlight.js/lib/languages/lua"),
  makefile: () => import("highlight.js/lib/languages/makefile"),
  markdown: () => import("highlight.js/lib/languages/markdown"),
  perl: () => import("highlight.js/lib/languages/perl"),
  php: () => import("highlight.js/lib/languages/php"),
  python: () => import("highlight.js/lib/languages/python"),
  ruby: () => import("highlight.js/lib/languages/ruby"),
  rust: () => import("highlight.js/lib/languages/rust"),
  scss: () => import("highlight.js/lib/languages/scss"),
  sql: () => import("highlight.js/lib/languages/sql"),
  swift: () => import("highlight.js/lib/languages/swift"),
  typescript: () => import("highlight.js/lib/languages/typescript"),
  xml: () => import("highlight.js/lib/languages/xml"),
  yaml: () => import("highlight.js/lib/languages/yaml"),
};

const aliases: Record<string, string> = {
  sh: "bash", shell: "bash", zsh: "bash", console: "bash", h: "c", "c++": "cpp", hpp: "cpp", cc: "cpp", cs: "csharp",
  docker: "dockerfile", ex: "elixir", golang: "go", hs: "haskell", toml: "ini", js: "javascript", jsx: "javascript",
  mjs: "javascript", cjs: "javascript", jsonc: "json", json5: "json", kt: "kotlin", make: "makefile", md: "markdown",
  pl: "perl", py: "python", rb: "ruby", rs: "rust", ts: "typescript", tsx: "typescript", mts: "typescript", html: "xml",
  svg: "xml", vue: "xml", yml: "yaml", patch: "diff",
}; // biome-ignore format: a table

const classes: Record<string, StyleName> = {
  keyword: "keyword", built_in: "function", type: "type", literal: "literal", number: "number", string: "string",
  regexp: "string", subst: "text", symbol: "literal", title: "function", comment: "comment", doctag: "comment",
  meta: "comment", attr: "type", attribute: "type", name: "keyword", tag: "keyword", variable: "text", property: "text",
  params: "text", section: "heading", addition: "added", deletion: "removed", bullet: "keyword", code: "code",
  link: "link", quote: "quote", "selector-tag": "keyword", "selector-class": "type", "selector-id": "type",
  "template-variable": "text", operator: "text", punctuation: "text",
}; // biome-ignore format: a table

/** Coloured lines of the HTML that highlight.js gives; a span may go over line ends. */
function toLines(html: string, theme: Theme): string[] {
  const out: string[] = [];
  const stack: StyleName[] = [];
  let line = "";
  const put = (text: string) => {
    const token = stack.at(-1);
    line += text === "" || token === undefined || token === "text" ? text : theme.paint(token, text);
  };
  for (const [piece] of html.matchAll(/<span class="[^"]*">|<\/span>|\n|[^<\n]+/g)) {
    if (piece === "\n") {
      out.push(line);
      line = "";
    } else if (piece === "</span>") stack.pop();
    else if (piece.startsWith("<span"))
      stack.push(classes[/hljs-([\w-]+)/.exec(piece)?.[1] ?? ""] ?? stack.at(-1) ?? "text");
    else put(piece.replace(/&(lt|gt|quot|amp|#x27);/g, (_, name: string) => entities[name] ?? ""));
  }
  out.push(line);
  return out;
}
const entities: Record<string, string> = { lt: "<", gt: ">", quot: '"', amp: "&", "#x27": "'" };
