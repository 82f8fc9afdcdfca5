import { expect, test } from "bun:test";
import { rewritten } from "../../test/pattern.ts";
import { type LanguageName, languages } from "../language.ts";

/** A rewrite for each language: pattern, replacement, before, after. */
const rewrites: Partial<Record<LanguageName, [pat: string, out: string, before: string, after: string]>> = {
  typescript: ["console.log($A)", "log($A)", "if (x) console.log(a + 1);\n", "if (x) log(a + 1);\n"],
  tsx: ["<B $$$P>$C</B>", "<I $$$P>$C</I>", 'x = <B a="1" b>{t}</B>;\n', 'x = <I a="1" b>{t}</I>;\n'],
  javascript: ["require($M)", "load($M)", "const a = require('b');\n", "const a = load('b');\n"],
  html: ["<b>$A</b>", "<i>$A</i>", "<p><b>hi</b></p>", "<p><i>hi</i></p>"],
  css: ["color: $A", "background: $A", ".a { color: red; }\n", ".a { background: red; }\n"],
  python: ["print($$$A)", "log($$$A)", "def f():\n    print(1, 2)\n", "def f():\n    log(1, 2)\n"],
  rust: ["$A.unwrap()", "$A?", "fn f() { let x = g(1).unwrap(); }\n", "fn f() { let x = g(1)?; }\n"],
  go: [
    "fmt.Println($$$A)",
    "log.Print($$$A)",
    "package p\nfunc f() {\n\tfmt.Println(1, x)\n}\n",
    "package p\nfunc f() {\n\tlog.Print(1, x)\n}\n",
  ],
  java: [
    "System.out.println($A)",
    "log.info($A)",
    "class A { void f() { System.out.println(x); } }\n",
    "class A { void f() { log.info(x); } }\n",
  ],
  c: [
    "strcpy($A, $B)",
    "strlcpy($A, $B, sizeof($A))",
    "void f() { strcpy(d, s); }\n",
    "void f() { strlcpy(d, s, sizeof(d)); }\n",
  ],
  cpp: ["std::cout << $A", "log($A)", "void f() { std::cout << x; }\n", "void f() { log(x); }\n"],
  "c-sharp": [
    "Console.WriteLine($A)",
    "Log($A)",
    "class A { void F() { Console.WriteLine(x); } }\n",
    "class A { void F() { Log(x); } }\n",
  ],
  ruby: ["puts $A", "log $A", "def f\n  puts x\nend\n", "def f\n  log x\nend\n"],
  php: ["var_dump($A)", "dump($A)", "<?php\nvar_dump($x);\n", "<?php\ndump($x);\n"],
  bash: ["echo $A", "printf $A", "f() {\n  echo hi\n}\n", "f() {\n  printf hi\n}\n"],
  json: ['"a": $V', '"b": $V', '{ "a": [1, 2] }\n', '{ "b": [1, 2] }\n'],
  yaml: ["a: $V", "b: $V", "x: 1\na: two\n", "x: 1\nb: two\n"],
  toml: ["a = 1", "a = 2", "a = 1\n[b]\nc = 1\n", "a = 2\n[b]\nc = 1\n"],
  lua: ["print($A)", "log($A)", "function f()\n  print(x)\nend\n", "function f()\n  log(x)\nend\n"],
  kotlin: ["println($A)", "log($A)", "fun f() {\n  println(x)\n}\n", "fun f() {\n  log(x)\n}\n"],
  scala: ["println($A)", "log($A)", "object A { def f = println(1) }\n", "object A { def f = log(1) }\n"],
  elixir: ["IO.puts($A)", "Log.info($A)", "def f do\n  IO.puts(x)\nend\n", "def f do\n  Log.info(x)\nend\n"],
  zig: ["print($A)", "log($A)", "fn f() void { print(x); }\n", "fn f() void { log(x); }\n"],
  swift: ["print($A)", "log($A)", "func f() {\n  print(x)\n}\n", "func f() {\n  log(x)\n}\n"],
  dart: ["print($A);", "log($A);", "void f() { print(x); }\n", "void f() { log(x); }\n"],
};

for (const [name, [pat, out, before, after]] of Object.entries(rewrites) as [
  LanguageName,
  [string, string, string, string],
][])
  test(`${name}: what a pattern finds is rewritten, with what its holes stand for`, async () =>
    expect(await rewritten(name, before, [pat, out])).toBe(after));

test("every language with a grammar can be rewritten", () => {
  expect(Object.keys(rewrites).sort()).toEqual(
    (Object.keys(languages) as LanguageName[]).filter((name) => languages[name].parser !== "lines").sort(),
  );
});

test("replacements that touch the same code are refused", async () => {
  const overlap = "Two replacements touch the same code; make the pattern narrower";
  expect(await rewritten("typescript", "f(f(1));", ["f($A)", "g($A)"])).toBe(overlap);
  expect(await rewritten("typescript", "f(1);", ["f($A)", "g($A)"], ["f(1)", "h()"])).toBe(overlap);
  expect(await rewritten("typescript", "f(1); h(2);", ["h($A)", "i($A)"], ["f($A)", "g($A)"])).toBe("g(1); i(2);");
});

test("a hole that the pattern does not know is refused, unless the language writes names that way", async () => {
  expect(await rewritten("typescript", "f(1);", ["f($A)", "g($B)"])).toBe(
    "`$B` in the replacement is not captured by `f($A)`",
  );
  expect(await rewritten("bash", "echo hi\n", ["echo $A", "echo $HOME $A"])).toBe("echo $HOME hi\n");
});

test("an empty list leaves no comma behind in a replacement", async () => {
  const code = "fetch(url);\nfetch(url, a, b);\n";
  expect(await rewritten("typescript", code, ["fetch($U, $$$R)", "get(o, $U, $$$R)"])).toBe(
    "get(o, url);\nget(o, url, a, b);\n",
  );
  expect(await rewritten("typescript", "f(x);\nf(a, x);\n", ["f($$$A, x)", "g($$$A, y)"])).toBe("g(y);\ng(a, y);\n");
});

test("a deleted statement takes its line with it, a deleted part does not", async () => {
  expect(await rewritten("typescript", "a();\n  debug(1);\nb();\n", ["debug($A);", ""])).toBe("a();\nb();\n");
  expect(await rewritten("typescript", "a(); debug(1); b();\n", ["debug($A);", ""])).toBe("a();  b();\n");
});

test("code moves with its indentation, and the inside of a text never changes", async () => {
  expect(
    await rewritten("typescript", "  if (x) {\n    a();\n    b();\n  }\n", [
      "if ($C) { $$$B }",
      "when($C, () => {\n  $$$B\n});",
    ]),
  ).toBe("  when(x, () => {\n    a();\n    b();\n  });\n");
  expect(
    await rewritten("python", "def f():\n    wrap(lambda: g(\n        1,\n    ))\n", ["wrap(lambda: $A)", "$A"]),
  ).toBe("def f():\n    g(\n        1,\n    )\n");
  expect(await rewritten("typescript", "{\n    f(`a\n    b`);\n}\n", ["f($A);", "if (x) {\n  f($A);\n}"])).toBe(
    "{\n    if (x) {\n      f(`a\n    b`);\n    }\n}\n",
  );
});

test("new lines end like the lines of the file", async () => {
  expect(await rewritten("typescript", "a();\r\nf(1);\r\n", ["f($A);", "g();\nh($A);"])).toBe(
    "a();\r\ng();\r\nh(1);\r\n",
  );
});
