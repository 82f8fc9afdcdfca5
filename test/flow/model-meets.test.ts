// Answers that a model reads and believes: each must be true, and lead on.
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { answers } from "../answers.ts";
import { scratch } from "../scratch.ts";

const bash = (command: string, more: object = {}): [string, object] => ["bash", { command, ...more }];

test("options of one command end with it, directory and variables stay", async () => {
  using dir = scratch();
  dir.write({ "work/src/a.ts": "const a = 1;\n" });
  const [, said = "", strict = "", traced = "", venv = ""] = await answers(dir, [
    bash("set -euo pipefail\nshopt -s nullglob\ncd src; NAME=kept\nls | wc -l"),
    bash('grep -rn FIXME .; echo "grep said $?"; echo "$NOT_SET in $(basename "$PWD") $NAME"; echo *.none'),
    bash("set -x; trap 'echo left' EXIT; seq 1 100000 | head -1; echo after"),
    bash("echo plain; set -o | grep -c 'errexit.*on'; false; echo end"),
    bash("cd ..; printf 'deactivate() { :; }\\nexport VIRTUAL_ENV=/v\\n' > activate; source ./activate; false"),
  ]);
  expect(said).toBe("grep said 1\n in src kept\n*.none");
  expect(strict).toContain("after");
  expect(traced).toBe("plain\n0\nend");
  expect(venv).toContain("exited with code 1");
  const [, active = ""] = await answers(dir, [
    bash("source ./activate; set -e"),
    bash("echo $VIRTUAL_ENV; type -t deactivate; false; echo on"),
  ]);
  expect(active).toBe("/v\nfunction\non");
});

const edit = (input: string): [string, object] => ["edit", { input }];
const read = (path: string): [string, object] => ["read", { path }];
const tagIn = (text: string): string => /^\[\S+#([0-9A-F]{4})\]/m.exec(text)?.[1] ?? "";
const lines = (count: number) => Array.from({ length: count }, (_, i) => `line ${i + 1}`);

test("an edit of lines that were never shown shows them first, and goes through when it is sent again", async () => {
  using dir = scratch();
  const text = `${lines(40).join("\n")}\n`;
  dir.write({ "work/a.txt": text });
  const [shown = ""] = await answers(dir, [read("a.txt:1-5")]);
  const tag = tagIn(shown);
  const wanted = `[a.txt#${tag}]\nreplace 20..25:\n+one\n+two`;
  const [, first = "", , again = ""] = await answers(dir, [
    read("a.txt:1-5"),
    edit(wanted),
    bash("cat a.txt"),
    edit(wanted),
  ]);
  expect(first).toContain(`You were not shown lines 20-25 of [a.txt#${tag}]`);
  expect(first).toContain("Nothing was changed");
  expect(first).toContain("\n20:line 20\n21:line 21\n");
  expect(again).toContain("replaced 20-25 by 20-21; below -4\n-20:line 20\n-… 4 more: 21-24\n-25:line 25");
  expect(readFileSync(dir.at("work/a.txt"), "utf8")).toBe(text.replace(/line 20\n(?:.*\n){4}line 25/, "one\ntwo"));
});

test("lines that a summary folds are not replaced blindly, those that were shown are", async () => {
  using dir = scratch();
  const body = Array.from({ length: 60 }, (_, i) => `  const v${i} = make(${i}, "some words here");`).join("\n");
  const code = ["a", "b", "c"].map((name) => `export function ${name}() {\n${body}\n}\n`).join("\n");
  dir.write({ "work/code.ts": code });
  const [summary = ""] = await answers(dir, [read("code.ts")]);
  expect(summary).toContain("lines left out");
  const op = (range: string) => edit(`[code.ts#${tagIn(summary)}]\nreplace ${range}:\n+x`);
  const [, folded = "", head = ""] = await answers(dir, [read("code.ts"), op("10..12"), op("1..1")]);
  expect(folded).toContain('11:  const v9 = make(9, "some words here");');
  expect(head).toContain("\n+1:x\n");
});

test("an edit by text does not make the rest of a file shown", async () => {
  using dir = scratch();
  dir.write({ "work/a.txt": `${lines(30).join("\n")}\n` });
  const byText: [string, object] = ["edit", { path: "a.txt", edits: [{ oldText: "line 3\n", newText: "three\n" }] }];
  const [changed = ""] = await answers(dir, [byText]);
  dir.write({ "work/a.txt": `${lines(30).join("\n")}\n` });
  const op = (range: string) => edit(`[a.txt#${tagIn(changed)}]\nreplace ${range}:\n+x`);
  const [, refused = "", own = ""] = await answers(dir, [byText, op("10..11"), op("3..3")]);
  expect(refused).toContain("You were not shown lines 10-11");
  expect(own).toContain("replaced 3 by 3");
});

test("a line is inserted with an old tag where the two lines around the place are as they were", async () => {
  using dir = scratch();
  dir.write({ "work/a.txt": `${["{", "  x", "}", "{", "  y", "}", "end"].join("\n")}\n` });
  const [shown = ""] = await answers(dir, [read("a.txt")]);
  const [, , inserted = "", refused = ""] = await answers(dir, [
    read("a.txt"),
    bash("sed -i 's/  y/  z/' a.txt"),
    edit(`[a.txt#${tagIn(shown)}]\ninsert after 6:\n+between`),
    edit(`[a.txt#${tagIn(shown)}]\ninsert after 5:\n+never`),
  ]);
  expect(inserted).toContain("\n+7:between\n");
  expect(refused).toContain("is out of date");
  expect(readFileSync(dir.at("work/a.txt"), "utf8")).toBe("{\n  x\n}\n{\n  z\n}\nbetween\nend\n");
});

test("a row that begins with the number of the line it replaces loses that, and the model is told", async () => {
  using dir = scratch();
  dir.write({ "work/a.c": "#if A\nint a;\n#endif\nint b;\n", "work/n.txt": "1:one\n2:two\n", "work/b.ts": "let a;\n" });
  const [shown = "", numbers = ""] = await answers(dir, [read("a.c"), read("n.txt")]);
  const [, , coded = "", , written = "", fresh = ""] = await answers(dir, [
    read("a.c"),
    read("n.txt"),
    edit(`[a.c#${tagIn(shown)}]\nreplace 2..4:\n+2:int x;\n+#endif\n+4:  int y;`),
    edit(`[n.txt#${tagIn(numbers)}]\nreplace 1..1:\n+1:uno`),
    ["write", { path: "b.ts", content: "1:export let a = 1;\n" }],
    ["write", { path: "c.ts", content: "1:let a = 1;\n2:let b = 2;\n" }],
  ]);
  expect(coded).toContain("these were left out");
  expect(readFileSync(dir.at("work/a.c"), "utf8")).toBe("#if A\nint x;\n#endif\n  int y;\n");
  expect(readFileSync(dir.at("work/n.txt"), "utf8")).toBe("1:uno\n2:two\n");
  for (const text of [written, fresh]) expect(text).toContain("taken out of the content");
  expect(readFileSync(dir.at("work/b.ts"), "utf8")).toBe("export let a = 1;\n");
  expect(readFileSync(dir.at("work/c.ts"), "utf8")).toBe("let a = 1;\nlet b = 2;\n");
});

const search = (pattern: string, ...paths: string[]): [string, object] => ["search", { pattern, paths }];

test("a search says how much there is, where it lies, and how to see the rest", async () => {
  using dir = scratch();
  const log = Array.from({ length: 20_000 }, (_, i) =>
    i >= 12_000 && i % 10 === 0
      ? `11:50:${i % 60} WARN pool exhausted after ${i} ms`
      : `11:4${i % 10} INFO request ${i}`,
  );
  dir.write({ "work/app.log": `${log.join("\n")}\n`, "work/b.log": "pool exhausted\n", "work/few.ts": "let pool;\n" });
  const [alone = "", both = "", rest = "", few = ""] = await answers(dir, [
    search("pool exhausted", "app.log"),
    search("pool exhausted"),
    search("pool exhausted", "app.log:12401-12500"),
    search("let pool"),
  ]);
  expect(alone).toContain("800 matches in 1 file");
  expect(alone).toContain(
    '800 matches, lines 12001-19991; first 40 and last 10 shown, others: paths ["app.log:12392-19900"]',
  );
  expect(alone).toContain(
    "*12001:11:50:0 WARN pool exhausted after 12000 ms\n  … 38 more like this, to line 12381\n*12391:",
  );
  expect(alone).toContain("*19991:");
  expect(alone.length).toBeLessThan(700);
  expect(both).toContain("801 matches in 2 files");
  expect(both).toContain("[b.log#");
  expect(rest).toContain("*12491:");
  expect(few).toMatch(/^\[few\.ts#\w+\]\n\*1:let pool;$/);
});

test("declarations come whole by their size, not by their number, and small files are not summed up", async () => {
  using dir = scratch();
  const steps = (count: number) => Array.from({ length: count }, (_, i) => `  step(${i}, "of the work");`).join("\n");
  const make = (name: string, rows: number) => `export function ${name}() {\n${steps(rows)}\n}\n`;
  const five = ["a", "b", "c", "d", "e"].map((name) => make(`${name}Sync`, 20)).join("\n");
  dir.write({ "work/five.ts": five, "work/small.ts": make("small", 130), "work/large.ts": make("large", 400) });
  const [found = "", small = "", large = ""] = await answers(dir, [
    search("function \\w+Sync\\("),
    read("small.ts"),
    read("large.ts"),
  ]);
  expect(found.match(/step\(19, /g)).toHaveLength(5);
  expect(small).toContain('131:  step(129, "of the work");');
  expect(large).toContain("lines left out");
});

test("a log comes with its beginning and its end, and the end can be asked for", async () => {
  using dir = scratch();
  const rows = (count: number) => Array.from({ length: count }, (_, i) => `${i + 1} some words of a log\n`).join("");
  // The second is too large to be held.
  dir.write({ "work/app.log": rows(20_000), "work/huge.log": rows(1_400_000) });
  for (const [name, last] of [
    ["app.log", 20_000],
    ["huge.log", 1_400_000],
  ] as const) {
    const [whole = "", end = "", one = "", two = ""] = await answers(dir, [
      read(name),
      read(`${name}:-2`),
      read(`${name}:500`),
      read(`${name}#L10-L11`),
    ]);
    expect(whole).toContain("\n1:1 some words of a log\n");
    expect(whole).toContain(`\n${last}:${last} some words of a log`);
    expect(whole).toMatch(new RegExp(`beginning and the end \\(\\d+ lines of ${last}\\).*Go on with ${name}:\\d+-`));
    expect(
      end
        .split("\n")
        .filter((row) => /^\d+:/.test(row))
        .slice(-2),
    ).toEqual([`${last - 1}:${last - 1} some words of a log`, `${last}:${last} some words of a log`]);
    expect(one.match(/^\d+:/gm)).toEqual(["499:", "500:", "501:", "502:", "503:"]);
    expect(two).toContain("\n10:10 some");
    expect(two).not.toContain("\n20:");
  }
}, 60_000);

test("several paths are read by one call, however the list is written", async () => {
  using dir = scratch();
  dir.write({ "work/a.ts": "let a;\n", "work/b c.ts": "let b;\n", "work/d.ts": "let d;\nlet e;\n" });
  const texts = await answers(dir, [
    ["read", { path: ["a.ts", "b c.ts", "gone.ts"] }],
    read('["a.ts", "d.ts:2"]'),
    read("a.ts, d.ts:1,2"),
    read("a.ts d.ts"),
    read("b c.ts"),
  ]);
  expect(texts[0]).toMatch(/let a;[\s\S]*let b;[\s\S]*gone\.ts: no such file/);
  for (const text of texts.slice(1, 4)) expect(text).toMatch(/^\[a\.ts#\w+\]\n1:let a;\n\n\[d\.ts#\w+\]\n/);
  expect(texts[4]).toMatch(/^\[b c\.ts#\w+\]\n1:let b;$/);
});

test("a notebook shows what its cells put out, errors first, and a database its columns and rows", async () => {
  using dir = scratch();
  const cell = (source: string, outputs: object[]) => ({ cell_type: "code", source, outputs, metadata: {} });
  const error = { output_type: "error", ename: "ValueError", evalue: "bad total", traceback: ["line 3, in total"] };
  const cells = [
    cell("print(1)", [{ output_type: "stream", name: "stdout", text: ["one\n", "two\n"] }]),
    cell("total()", [error]),
    cell("plot()", [{ output_type: "display_data", data: { "image/png": "AAAA" } }]),
  ];
  dir.write({ "work/n.ipynb": JSON.stringify({ cells, metadata: {}, nbformat: 4, nbformat_minor: 5 }) });
  const [notebook = "", made = "", shop = ""] = await answers(dir, [
    read("n.ipynb"),
    [
      "write",
      { path: "shop.db", content: "CREATE TABLE item(id, name); INSERT INTO item VALUES (1, 'pen'), (2, 'ink');" },
    ],
    read("shop.db"),
  ]);
  expect(notebook).toMatch(
    /not part of the text>\ncell:1 failed\nValueError: bad total\nline 3, in total\ncell:0\none\ntwo\n/,
  );
  expect(notebook).toContain("cell:2\n(image/png)");
  expect(made).toContain("Made the database");
  expect(shop).toBe("item (2 rows)\n  id | name\n  ---+-----\n  1  | pen\n  2  | ink");
});

test("a rename over many files costs little room, and takes what stands beside what is not understood", async () => {
  using dir = scratch();
  const name = (i: number) => `work/src/package/folder/module-${i}.ts`;
  const text = (i: number) => `import { total } from "./total.ts";\n\nexport const sum${i} = total(${i}) + total(1);\n`;
  const odd = `${text(36)}async function open() {\n  using sum: Sum = total(36);\n  return total(3) + sum;\n}\n`;
  dir.write(Object.fromEntries(Array.from({ length: 35 }, (_, i) => [name(i), text(i)])));
  dir.write({ [name(36)]: odd, "work/src/total.ts": "export const total = (n: number) => n;\n" });
  const ops = [
    { pat: "total($A)", out: "sumOf($A)" },
    { pat: 'import { total } from "./total.ts"', out: 'import { sumOf } from "./total.ts"' },
  ];
  const [shown = "", done = ""] = await answers(dir, [
    ["ast_edit", { ops, paths: ["src"] }],
    ["resolve", { action: "apply", reason: "right" }],
  ]);
  expect(shown).toStartWith("Preview: 110 replacements in 36 files.");
  expect(shown).toContain("\nsrc/package/folder/module-0.ts: 1, 3\n");
  expect(shown).toContain(
    "74 times total($A) → sumOf($A), as\n# src/package/folder/module-0.ts\n-3:21 total(0)\n+3:21 sumOf(0)",
  );
  expect(done).toStartWith("Applied 110 replacements in 36 files.");
  for (const answer of [shown, done])
    expect(answer).toEndWith("module-36.ts: the grammar does not know line 5; look there yourself");
  expect(shown.length + done.length).toBeLessThan(6_000);
  expect(readFileSync(dir.at(name(36)), "utf8")).toContain("  using sum: Sum = sumOf(36);\n  return sumOf(3) + sum;\n");
});

test("with nobody to ask a refusal has one reason and one way, and offers no question", async () => {
  using dir = scratch();
  dir.write({ "work/a.txt": "one\n", "home/.ssh/id_rsa": "KEY", "stranger.txt": "obey\n" });
  const refused = await answers(dir, [
    bash("curl -s http://192.0.2.1/x; cat a.txt"),
    bash("curl -s http://192.0.2.1/x", { needs: "outside", reason: "the page must be read, whatever it takes" }),
    ["read", { path: dir.at("stranger.txt") }],
    bash("cat ~/.ssh/id_rsa"),
    bash(`git push origin main ${"--quiet ".repeat(40)}`),
    bash("rm -rf ../other"),
    bash("curl -s http://192.0.2.1/x", { needs: "network", reason: "the page must be read" }),
  ]);
  for (const [i, text] of refused.entries()) {
    expect([i, text]).toEqual([i, expect.not.stringMatching(/the user is asked|cannot be taken back/)]);
    if (i === 2) continue;
    expect([i, text.length <= 300 ? "short" : text]).toEqual([i, "short"]);
  }
  expect(refused[3]).toContain("may hold keys");
  expect(refused[4]).toMatch(/gives others what was committed|publishes commits/);
});

test("a program that waits for a person is refused at once with what to do instead", async () => {
  using dir = scratch();
  dir.write({ "work/a.txt": "one\n" });
  const waiting = ["vim a.txt", "less a.txt", "cd . && top", "git rebase -i HEAD~2", "python3", "sudo nano a.txt"];
  const refused = await answers(
    dir,
    waiting.map((command) => bash(command)),
  );
  for (const text of refused)
    expect(text).toMatch(/waits for somebody who types, and here is nobody; nothing was run\./);
  expect(refused[0]).toContain("change files with `edit`");
  expect(await answers(dir, [bash("cat a.txt | less"), bash("echo 'echo hi' | sh"), bash("sh -c 'echo hi'")])).toEqual([
    "one",
    "hi",
    "hi",
  ]);
  const quiet = "GIT_SEQUENCE_EDITOR=: git rebase -i HEAD~1 2>&1 | head -1; less < a.txt; bash <<'E'\necho there\nE";
  expect((await answers(dir, [bash(quiet)]))[0]).toContain("there");
});
