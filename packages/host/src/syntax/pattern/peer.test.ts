// Against ast-grep's own program, where it is installed: what it finds, we find. We find more where a list hole stands
// for nothing, and where its first list hole takes too little.
import { expect, test } from "bun:test";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { needPeer } from "../../../../../test/need.ts";
import type { LanguageName } from "../language.ts";
import { openLanguage } from "../open.ts";
import { compilePattern } from "./goal.ts";
import { findMatches } from "./match.ts";

const peer = needPeer("PITH_PEER_AST_GREP");
const program = join(peer ?? "", "ast-grep");

const cases: Partial<Record<LanguageName, { text: string; patterns: string[] }>> = {
  typescript: {
    text: `fetch(url); fetch(url, opts, more); fetch();
f(x); f(a, x); f(x, b); f(a, b, x, c);
const y = [1, 2, 3]; const o = { a: 1, b: 2 };
import { a, b } from "m"; import d, { c } from "m";
function g() { return 1; } function g3(a, b = 1) { log(a); return b; } async function g4(a: number) { await a; }
class C { m() {} n(a) { return a; } } class D extends C { m() { super.m(); } }
if (a) { b(); } else { c(); } if (a) b();
a === a; a.b.c === a.b.c; a === b;
console.log("x", y); new Map(); new Map([[1, 2]]); x = y ? z : w;
const fn = (a) => a; const fn2 = (a, b) => { return a + b; };
try { a(); } catch (e) { b(); } finally { c(); }
for (const i of list) { use(i); } switch (v) { case 1: a(); break; default: b(); }
g(a /* c */, b); type T = { a: number; b?: string }; a?.b?.(c); f(a, ...args);
`,
    patterns: [
      "fetch($URL, $$$)",
      "fetch($$$)",
      "fetch($A, $B)",
      "f($$$A, x, $$$B)",
      "f($$$, x)",
      "[$A, $$$]",
      "{ a: $X, $$$ }",
      'import { $$$ } from "m"',
      "import $D, { $$$ } from $M",
      "function $F($$$) { $$$ }",
      "async function $F($$$) { $$$ }",
      "class $C { $$$ }",
      "class $C extends $D { $$$ }",
      "if ($C) { $$$ }",
      "if ($C) $B",
      "$A === $A",
      "$A === $B",
      "console.log($A, $$$)",
      "new Map($$$)",
      "$A ? $B : $C",
      "($$$) => $B",
      "try { $$$ } catch ($E) { $$$ }",
      "for (const $I of $L) { $$$ }",
      "switch ($V) { $$$ }",
      "g($A, $B)",
      "const $A = $B",
      "type $T = { a: $A; $$$ }",
      "$A?.b?.($$$)",
      "$O.$M($$$ARGS)",
      "await $X",
      "f($$$, ...$A)",
      "return $A",
      "$F($A, $B, $$$)",
    ],
  },
  python: {
    text: `fetch(url)\nfetch(url, opts)\nf(a, x, b)\nf(a, x=1)\ndef g():\n    return 1\ndef h(a, b=1, *c):
    log(a)\n    return b
class C:\n    def m(self):\n        pass\nclass D(C):\n    x = 1\n[1, 2]\n{"a": 1, "b": 2}\nprint("x", y)
import os, sys
from a import b, c\nassert x == x\nfor i in x:\n    use(i)\nif a:\n    b()\nelse:\n    c()\n`,
    patterns: [
      "fetch($URL, $$$)",
      "f($$$A, x, $$$B)",
      "f($$$, x=$V)",
      "def $F($$$): $$$",
      "def $F($A, $$$): $$$",
      "class $C: $$$",
      "class $C($$$): $$$",
      "[$A, $$$]",
      '{"a": $X, $$$}',
      "print($A, $$$)",
      "import $A",
      "from a import b, $$$",
      "assert $A == $A",
      "for $I in $X: $$$",
      "if $C: $$$",
      "return $A",
    ],
  },
  rust: {
    text: `use std::{io, fs};\nfn f() {}\nfn h(a: i32, b: &str) -> i32 { foo(a, b); foo(a); a }
struct S { a: i32, b: i32 }
fn main() { let v = vec![1, 2]; S { a: 1, b: 2 }; match x { 1 => a, _ => b }; if a { b } else { c }; }\n`,
    patterns: [
      "foo($A, $$$)",
      "foo($$$)",
      "fn $F($$$) { $$$ }",
      "fn $F($$$) -> $R { $$$ }",
      "use std::{$$$};",
      "struct $S { a: i32, $$$ }",
      "S { a: $A, $$$ }",
      "match $X { $$$ }",
      "if $C { $$$ } else { $$$ }",
      "let $A = $B;",
      "vec![$$$]",
    ],
  },
  java: {
    text: `class A extends B { void m() { f(x); f(a, x, b); f(); }
int o(int a, int b) { if (a) { b(); } return b; } }\n`,
    patterns: [
      "f($$$)",
      "f(x, $$$)",
      "f($$$A, x, $$$B)",
      "class $C { $$$ }",
      "void $M() { $$$ }",
      "int $M($$$) { $$$ }",
      "int $M(int $A, $$$) { $$$ }",
      "if ($C) { $$$ }",
      "return $A;",
    ],
  },
};

test.skipIf(peer === undefined).each(Object.entries(cases) as [LanguageName, { text: string; patterns: string[] }][])(
  "what ast-grep finds in %s is found",
  async (name, { text, patterns }) => {
    const file = join(tmpdir(), `pith-peer-${process.pid}.txt`);
    await Bun.write(file, text);
    const language = await openLanguage(name);
    for (const pattern of patterns) {
      const run = Bun.spawnSync([program, "run", "-p", pattern, "--lang", name, "--json=compact", file]);
      const theirs: { range: { byteOffset: { start: number } } }[] = JSON.parse(run.stdout.toString() || "[]");
      const compiled = compilePattern(pattern, language);
      if (!compiled.ok) throw new Error(compiled.message);
      using tree = language.parse(text);
      const ours = tree ? findMatches(compiled.value, tree, text).map(({ from }) => from.index) : [];
      const missed = theirs.map(({ range }) => range.byteOffset.start).filter((at) => !ours.includes(at));
      expect([pattern, missed]).toEqual([pattern, []]);
    }
  },
);
