import { basename } from "node:path";

/**
 * One row per language: how its files are called, which parser reads it, what can be folded, where a pattern may
 * stand.
 */
export interface LanguageRow {
  /**
   * `wasm` parses through a grammar of `data/`, `native` inside `@ast-grep/napi` where that can be loaded, `lines` has
   * no grammar.
   */
  parser: "native" | "wasm" | "lines";
  extensions: readonly string[];
  /** File names without a telling extension. */
  files?: readonly string[];
  /** Programs of a `#!` line. */
  programs?: readonly string[];
  /** Bodies of functions, as `kind` or `parent>kind`: what a summary leaves out. */
  bodies?: readonly string[];
  /** Long literals and lists: left out only when they are long. */
  data?: readonly string[];
  /** The letter that stands for `$` while a pattern is parsed, where `$` itself is not part of a name. */
  hole?: string;
  /**
   * Where a pattern may stand, tried in order; `§` is the pattern. A whole file is always tried first unless
   * `fragment` is set.
   */
  contexts?: readonly string[];
  /** A pattern does not stand alone in a file: it would be read as something else, or as text. */
  fragment?: true;
  /** A pattern that looks like this is a literal, though it could also be read as a statement. */
  literal?: { looks: RegExp; context: string };
  /** Holes that stand where only a quoted text may. */
  quoted?: RegExp;
  /** `$NAME` is the language's own word: an unknown one in a replacement is kept as it stands. */
  dollar?: true;
}

const script = {
  bodies: [
    ...[
      "function_declaration",
      "generator_function_declaration",
      "method_definition",
      "arrow_function",
      "function_expression",
      "generator_function",
    ].map((kind) => `${kind}>statement_block`),
    "class_static_block>statement_block",
    "named_imports",
    "export_clause",
  ],
  data: ["object", "array", "template_string", "comment"],
  contexts: ["class C { § }", "({ § })", "function f() { § }", "switch (x) { § }"],
  literal: { looks: /^\{\s*(?:["'\w$[\]-]+\s*:|\$\$\$\w*\s*,|\.\.\.)/, context: "(§)" },
  quoted: /(?<=\b(?:from|import)\s+)\$[A-Z_][A-Z0-9_]*$|(?<=\bfrom\s+)\$[A-Z_][A-Z0-9_]*(?=\s*;)/,
} as const;

const table = {
  typescript: {
    parser: "native",
    extensions: ["ts", "mts", "cts"],
    programs: ["bun", "deno", "tsx", "ts-node"],
    ...script,
    data: [...script.data, "object_type"],
  },
  tsx: { parser: "native", extensions: ["tsx"], ...script, data: [...script.data, "object_type"] },
  javascript: { parser: "native", extensions: ["js", "jsx", "mjs", "cjs"], programs: ["node"], ...script },
  html: {
    parser: "wasm",
    extensions: ["html", "htm", "xhtml"],
    bodies: ["script_element>raw_text", "style_element>raw_text"],
    data: ["comment"],
    hole: "qZ",
  },
  css: {
    parser: "wasm",
    extensions: ["css"],
    bodies: ["rule_set>block", "keyframe_block>block"],
    data: ["comment"],
    hole: "qZ",
    contexts: ["a { § }"],
  },
  python: {
    parser: "wasm",
    extensions: ["py", "pyi", "pyw"],
    programs: ["python", "python3"],
    bodies: ["function_definition>block"],
    data: ["list", "dictionary", "set", "tuple", "string"],
    hole: "µ",
    contexts: ["§\ndef f(): pass"],
  },
  rust: {
    parser: "wasm",
    extensions: ["rs"],
    bodies: ["function_item>block", "use_list"],
    data: ["array_expression", "block_comment", "token_tree"],
    hole: "µ",
    contexts: ["fn f() { § }", "impl T { § }", "fn f() { §; }"],
  },
  go: {
    parser: "wasm",
    extensions: ["go"],
    bodies: ["function_declaration>block", "method_declaration>block", "func_literal>block", "import_spec_list"],
    data: ["literal_value", "raw_string_literal", "comment"],
    hole: "µ",
    fragment: true,
    contexts: ["package p\nfunc f() { § }", "package p\n§"],
  },
  java: {
    parser: "wasm",
    extensions: ["java"],
    bodies: ["method_declaration>block", "constructor_body", "lambda_expression>block", "static_initializer>block"],
    data: ["array_initializer", "block_comment"],
    contexts: ["class C { § }", "class C { void f() { § } }", "class C { void f() { §; } }", "§ class C {}"],
  },
  c: {
    parser: "wasm",
    extensions: ["c", "h"],
    bodies: ["function_definition>compound_statement"],
    data: ["initializer_list", "comment"],
    hole: "µ",
    contexts: ["void f() { § }", "void f() { §; }"],
  },
  cpp: {
    parser: "wasm",
    extensions: ["cc", "cpp", "cxx", "c++", "hpp", "hh", "hxx", "h++", "ipp", "cu", "ino"],
    bodies: ["function_definition>compound_statement", "lambda_expression>compound_statement"],
    data: ["initializer_list", "comment"],
    hole: "µ",
    contexts: ["void f() { § }", "void f() { §; }", "class C { § };"],
  },
  "c-sharp": {
    parser: "wasm",
    extensions: ["cs", "csx"],
    bodies: [
      "method_declaration",
      "constructor_declaration",
      "destructor_declaration",
      "operator_declaration",
      "local_function_statement",
      "accessor_declaration",
      "lambda_expression",
    ].map((kind) => `${kind}>block`),
    data: ["initializer_expression", "comment"],
    hole: "µ",
    contexts: [
      "class C { § }",
      "class C { void F() { § } }",
      "class C { void F() { §; } }",
      "class C { void F() { f(§); } }",
      "§ class C {}",
    ],
  },
  ruby: {
    parser: "wasm",
    extensions: ["rb", "rake", "gemspec", "ru"],
    files: ["Rakefile", "Gemfile", "Podfile", "Vagrantfile", "Brewfile"],
    programs: ["ruby"],
    bodies: ["method>body_statement", "singleton_method>body_statement", "do_block", "block"],
    data: ["hash", "array", "heredoc_body", "comment"],
    hole: "µ",
  },
  php: {
    parser: "wasm",
    extensions: ["php", "phtml", "php5", "php7"],
    programs: ["php"],
    bodies: [
      "method_declaration>compound_statement",
      "function_definition>compound_statement",
      "anonymous_function>compound_statement",
    ],
    data: ["array_creation_expression", "comment"],
    hole: "µ",
    fragment: true,
    contexts: ["<?php §", "<?php §;", "<?php class C { § }"],
    dollar: true,
  },
  bash: {
    parser: "wasm",
    extensions: ["sh", "bash", "zsh", "ksh", "bats"],
    files: [".bashrc", ".bash_profile", ".profile", ".zshrc", "PKGBUILD"],
    programs: ["sh", "bash", "zsh", "dash", "ksh"],
    bodies: ["function_definition>compound_statement"],
    data: ["heredoc_body", "array"],
    dollar: true,
  },
  json: {
    parser: "wasm",
    extensions: ["json", "jsonc", "geojson", "webmanifest"],
    files: [".babelrc", ".eslintrc"],
    data: ["object", "array"],
    quoted: /\$\$\$(?:[A-Z_][A-Z0-9_]*)?|\$[A-Z_][A-Z0-9_]*/g,
    contexts: ["{ § }"],
  },
  yaml: { parser: "wasm", extensions: ["yaml", "yml"], data: ["block_mapping_pair>block_node"] },
  toml: { parser: "wasm", extensions: ["toml"], data: ["array", "string"] },
  lua: {
    parser: "wasm",
    extensions: ["lua"],
    programs: ["lua"],
    bodies: ["function_declaration>block", "function_definition>block"],
    data: ["table_constructor", "comment"],
    hole: "µ",
    contexts: ["return §"],
  },
  kotlin: {
    parser: "wasm",
    extensions: ["kt", "kts"],
    bodies: [
      "function_declaration>function_body",
      "secondary_constructor>block",
      "getter>function_body",
      "setter>function_body",
      "lambda_literal",
    ],
    data: ["block_comment"],
    hole: "µ",
    contexts: ["class C { § }", "fun f() { § }"],
  },
  scala: {
    parser: "wasm",
    extensions: ["scala", "sc", "sbt"],
    bodies: ["function_definition>block", "function_definition>indented_block"],
    data: ["block_comment"],
    contexts: ["object O { § }"],
  },
  elixir: {
    parser: "wasm",
    extensions: ["ex", "exs"],
    bodies: ["do_block"],
    data: ["list", "map", "string"],
    hole: "µ",
  },
  zig: {
    parser: "wasm",
    extensions: ["zig"],
    bodies: ["function_declaration>block", "test_declaration>block"],
    data: ["initializer_list"],
    hole: "qZ",
    contexts: ["fn f() void { § }", "fn f() void { §; }"],
  },
  swift: {
    parser: "wasm",
    extensions: ["swift"],
    bodies: ["function_body", "computed_property", "lambda_literal"],
    data: ["array_literal", "dictionary_literal", "multiline_comment"],
    hole: "µ",
    contexts: ["class C { § }", "func f() { § }"],
  },
  dart: {
    parser: "wasm",
    extensions: ["dart"],
    bodies: ["function_body", "function_expression_body"],
    data: ["list_literal", "set_or_map_literal"],
    contexts: ["void f() { § }", "void f() { §; }", "class C { § }"],
  },
  markdown: { parser: "lines", extensions: ["md", "markdown", "mdx"] },
} satisfies Record<string, LanguageRow>;

export type LanguageName = keyof typeof table;

export const languages: Readonly<Record<LanguageName, LanguageRow>> = table;

/** The language of a file by its name, else by the `#!` line of its text. */
export function languageOf(path: string, text?: string): LanguageName | undefined {
  const name = basename(path);
  const dot = name.lastIndexOf(".");
  const extension = dot > 0 ? name.slice(dot + 1).toLowerCase() : "";
  return (
    byExtension.get(extension) ??
    byFile.get(name) ??
    (extension === "" && text?.startsWith("#!") ? byShebang(text) : undefined)
  );
}

const rows = Object.entries(languages) as [LanguageName, LanguageRow][];
const byExtension = new Map(
  rows.flatMap(([name, row]) => row.extensions.map((extension) => [extension, name] as const)),
);
const byFile = new Map(rows.flatMap(([name, row]) => (row.files ?? []).map((file) => [file, name] as const)));
const byProgram = new Map(
  rows.flatMap(([name, row]) => (row.programs ?? []).map((program) => [program, name] as const)),
);

/** `#!/usr/bin/env -S python3 -u` and `#!/bin/bash` alike: the first word that is a program we know. */
function byShebang(text: string): LanguageName | undefined {
  const words = text.slice(2, 200).split("\n", 1)[0]?.trim().split(/\s+/) ?? [];
  for (const word of words) {
    const language = byProgram.get(basename(word).replace(/[\d.]+$/, "")) ?? byProgram.get(basename(word));
    if (language) return language;
  }
  return undefined;
}
