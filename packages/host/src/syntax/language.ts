import { basename } from "node:path";

/** A language: the names of its files, its parser, the constructs that can be folded, the places of a pattern. */
export interface LanguageRow {
  /**
   * `wasm` parses through a grammar of `data/`, `native` inside `@ast-grep/napi` where that can be loaded, `lines` has
   * no grammar.
   */
  parser: "native" | "wasm" | "lines";
  extensions: readonly string[];
  /** Names of files without a telling extension. */
  files?: readonly string[];
  /** Programs of a `#!` line. */
  programs?: readonly string[];
  /** Bodies of functions, which a summary leaves out, as `kind` or `parent>kind`. */
  bodies?: readonly string[];
  /** Literals, lists and comments, which are left out only when they are long. */
  data?: readonly string[];
  /** The letter that stands for `$` while a pattern is parsed, where `$` itself is not part of a name. */
  hole?: string;
  /** Code in which a pattern (`§`) may stand, tried in order; first as a whole file, unless `fragment` is set. */
  contexts?: readonly string[];
  /** A pattern alone in a file would be read as something else, or as text. */
  fragment?: true;
  /** The look of a literal that could also be read as a statement, and the code in which it is none. */
  literal?: { looks: RegExp; context: string };
  /** Holes in places where only a quoted text may stand. */
  quoted?: RegExp;
  /** `$NAME` is a word of the language: an unknown one in a replacement is kept as it stands. */
  dollar?: true;
}

const below = (parents: string, kind: string): string[] => parents.split(" ").map((parent) => `${parent}>${kind}`);

const functions = "function_declaration generator_function_declaration method_definition arrow_function";
const script = {
  bodies: [
    ...below(`${functions} function_expression generator_function class_static_block`, "statement_block"),
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
    bodies: [...below("function_declaration method_declaration func_literal", "block"), "import_spec_list"],
    data: ["literal_value", "raw_string_literal", "comment"],
    hole: "µ",
    fragment: true,
    contexts: ["package p\nfunc f() { § }", "package p\n§"],
  },
  java: {
    parser: "wasm",
    extensions: ["java"],
    bodies: [...below("method_declaration lambda_expression static_initializer", "block"), "constructor_body"],
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
      ...below("method_declaration constructor_declaration destructor_declaration operator_declaration", "block"),
      ...below("local_function_statement accessor_declaration lambda_expression", "block"),
    ],
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
    bodies: below("method_declaration function_definition anonymous_function", "compound_statement"),
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
      ...below("function_declaration getter setter", "function_body"),
      "secondary_constructor>block",
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
const namesBy = (words: "extensions" | "files" | "programs") =>
  new Map(rows.flatMap(([name, row]) => (row[words] ?? []).map((word) => [word, name] as const)));
const byExtension = namesBy("extensions");
const byFile = namesBy("files");
const byProgram = namesBy("programs");

/** The first known program in `#!/usr/bin/env -S python3 -u`, `#!/bin/bash` and the like. */
function byShebang(text: string): LanguageName | undefined {
  const words = text.slice(2, 200).split("\n", 1)[0]?.trim().split(/\s+/) ?? [];
  const known = words.map(
    (word) => byProgram.get(basename(word).replace(/[\d.]+$/, "")) ?? byProgram.get(basename(word)),
  );
  return known.find((language) => language !== undefined);
}
