import { bash, lines, type Play, read, type Step, search, texts, write } from "./play.ts";

const test = "npm test 2>&1";
const rename = "sed -i 's/\\bparseURL\\b/splitURL/g' src/*.js test/*.js && npm test 2>&1";
const finish = "npm run docs && npm test 2>&1 && git status --short && git diff --stat";

const queryFix = ["/([^=]+)=?([^=]*)/.exec(pair)", "/([^=]+)=?(.*)/.exec(pair)"] as const;
const baseFix = [
  'if (next && next !== "/") return input;',
  'if (next && next !== "/" && next !== "?") return input;',
] as const;
const rows = (text: string) =>
  text
    .split("\n")
    .map((row) => `+${row}`)
    .join("\n");

const fresh = `
/** Removes the query from an address. */
export function withoutQuery(input) {
  const { pathname, hash } = splitURL(input);
  return pathname + hash;
}`;
const freshTest = `
test("a query is removed", () => {
  assert.equal(withoutQuery("/a?b=1#c"), "/a#c");
});`;
const [imports, imported] = [
  "hasHost, splitURL, withoutBase, withQuery }",
  "hasHost, splitURL, withoutBase, withoutQuery, withQuery }",
];
const lastLine = `  return parsed.pathname + (text === "" ? "" : \`?\${text}\`) + parsed.hash;\n}`;
const lastTest = '  assert.equal(splitURL("/a").pathname, "/a");\n});';

const fixQuery = (seen: string) =>
  lines(
    seen,
    `{src/query.js}\nreplace {src/query.js:const [, key, value]}..{src/query.js:const [, key, value]}:\n+    const [, key, value] = ${queryFix[1]} ?? [];\n`,
  );
const fixBase = (seen: string) =>
  lines(seen, `{src/utils.js}\nreplace {src/utils.js:next !== "/"}..{src/utils.js:next !== "/"}:\n+  ${baseFix[1]}\n`);
const both = (seen: string) => {
  const [one, other] = [fixQuery(seen), fixBase(seen)].map(({ args }) => String(args.input));
  return { tool: "edit", args: { input: `${one}${other}` } };
};
const addSource = (seen: string) => lines(seen, `{src/utils.js}\ninsert tail:\n${rows(fresh)}\n`);
const addTest = (seen: string) =>
  lines(
    seen,
    `{test/utils.test.js}\nreplace 3..3:\n+import { ${imported} from "../src/index.js";\ninsert tail:\n${rows(freshTest)}\n`,
  );
const addBoth = (seen: string) => {
  const [one, other] = [addSource(seen), addTest(seen)].map(({ args }) => String(args.input));
  return { tool: "edit", args: { input: `${one}${other}` } };
};
const piSource = texts("src/utils.js", [lastLine, `${lastLine}\n${fresh}`]);
const piTest = texts("test/utils.test.js", [imports, imported], [lastTest, `${lastTest}\n${freshTest}`]);

const anchor = {
  prompt:
    "Two tests fail: fix the bugs in src. Then rename parseURL to splitURL everywhere, add withoutQuery to src/utils.js with a test, and run npm run docs.",
  check: "npm test >/dev/null 2>&1 && grep -q withoutQuery README.md && ! grep -rq parseURL src test",
};
const done = "Both bugs are fixed, parseURL is splitURL in five files, and withoutQuery is there with a test.";

export const plays: Readonly<Record<string, Play>> = {
  anchor: {
    ...anchor,
    pith: [
      [bash(test), search("function (parseQuery|withoutBase)\\(", "src"), search("parseURL")],
      (seen) => [both(seen), bash(test)],
      [bash(rename), read("src/utils.js:-14"), read("test/utils.test.js:-14"), read("test/utils.test.js:1-4")],
      (seen) => [addBoth(seen), bash(finish)],
      done,
    ],
    pi: [
      [bash(test), bash("grep -nE -A26 'function (parseQuery|withoutBase)' src/*.js")],
      [texts("src/query.js", [...queryFix]), texts("src/utils.js", [...baseFix])],
      [bash(test), bash("grep -rn parseURL src test")],
      [bash(rename), bash("tail -14 src/utils.js; head -4 test/utils.test.js; tail -14 test/utils.test.js")],
      [piSource, piTest],
      [bash(finish)],
      done,
    ],
  },
  "anchor, one by one": {
    ...anchor,
    pith: [
      [bash(test)],
      [read("src/query.js")],
      (seen) => [fixQuery(seen)],
      [read("src/utils.js")],
      [search("function withoutBase", "src/utils.js")],
      (seen) => [fixBase(seen)],
      [bash(test)],
      [search("parseURL")],
      [bash(rename)],
      [read("test/utils.test.js")],
      (seen) => [addTest(seen)],
      (seen) => [addSource(seen)],
      [bash(finish)],
      done,
    ],
    pi: [
      [bash(test)],
      [read("src/query.js")],
      [texts("src/query.js", [...queryFix])],
      [read("src/utils.js")],
      [texts("src/utils.js", [...baseFix])],
      [bash(test)],
      [bash("grep -rn parseURL src test")],
      [bash(rename)],
      [read("test/utils.test.js")],
      [piTest],
      [piSource],
      [bash(finish)],
      done,
    ],
  },
  question: {
    prompt: "Where is a query put back into an address, and is what was there before kept?",
    check: "git diff --quiet",
    pith: [
      [search("stringifyQuery"), search("function withQuery", "src")],
      "src/utils.js: withQuery reads what is there, adds the new values and writes both.",
    ],
    pi: [
      [bash("grep -rn stringifyQuery src test"), bash("grep -n -A8 'function withQuery' src/utils.js")],
      "src/utils.js: withQuery reads what is there, adds the new values and writes both.",
    ],
  },
  log: {
    prompt: "How often was the pool exhausted in logs/app.log, when, and what came before?",
    check: "git diff --quiet",
    pith: [
      [search("pool exhausted", "logs/app.log")],
      [read("logs/app.log:8991-9002")],
      "300 times, from 10:45:00 to 11:06:25; nothing unusual came before.",
    ],
    pi: [
      [bash("grep -c 'pool exhausted' logs/app.log; grep -n 'pool exhausted' logs/app.log | sed -n '1,3p;$p'")],
      [read("logs/app.log", { offset: 8991, limit: 12 })],
      "300 times, from 10:45:00 to 11:06:25; nothing unusual came before.",
    ],
  },
  rename: {
    prompt: "Rename withQuery to addQuery everywhere, tests included, and check it.",
    check: "! grep -rq withQuery src test",
    pith: [
      [search("withQuery")],
      [bash("sed -i 's/\\bwithQuery\\b/addQuery/g' src/*.js test/*.js; npm test 2>&1; git diff --stat")],
      "withQuery is addQuery in two files. The two tests that fail did so before.",
    ],
    pi: [
      [bash("grep -rn withQuery src test README.md")],
      [bash("sed -i 's/\\bwithQuery\\b/addQuery/g' src/*.js test/*.js; npm test 2>&1; git diff --stat")],
      "withQuery is addQuery in two files. The two tests that fail did so before.",
    ],
  },
  module: {
    prompt: "Add src/slug.js with slugOf(text): lower case, words joined by -, and a test file; export it.",
    check: "node --test test/slug.test.js >/dev/null",
    pith: [
      [read("src/index.js"), read("src/encoding.js"), read("test/query.test.js:1-12")],
      (seen) => [
        ...module(lines(seen, '{src/index.js}\ninsert tail:\n+export * from "./slug.js";\n')),
        bash("node --test test/slug.test.js 2>&1"),
      ],
      "slugOf is in src/slug.js, exported and tested.",
    ],
    pi: [
      [read("src/index.js"), read("src/encoding.js"), read("test/query.test.js", { limit: 12 })],
      [
        ...module(
          texts("src/index.js", ['export * from "./url.js";', 'export * from "./slug.js";\nexport * from "./url.js";']),
        ),
      ],
      [bash("node --test test/slug.test.js 2>&1")],
      "slugOf is in src/slug.js, exported and tested.",
    ],
  },
  trace: {
    prompt: "hasPath gives odd answers for addresses with a query. Find out why, and have it leave the query alone.",
    check:
      'node -e \'import("./src/index.js").then(({ hasPath }) => process.exit(hasPath("/a?path=1") === "/a?path=1" ? 0 : 1))\'',
    pith: trace(
      [search("function hasPath", "src"), search("hasPath")],
      [read("src/parse.js"), read("src/url.js")],
      (seen) => [
        lines(
          seen,
          '{src/utils.js}\nreplace {src/utils.js:text.indexOf("path")}..{src/utils.js:text.indexOf("path")}:\n+  const from = text.split("?")[0].indexOf("path");\n',
        ),
        bash('node -e \'import("./src/index.js").then(({ hasPath }) => console.log(hasPath("/a?path=1")))\''),
      ],
    ),
    pi: [
      ...trace(
        [bash("grep -n -A8 'function hasPath' src/utils.js"), bash("grep -rn hasPath src test")],
        [read("src/parse.js"), read("src/url.js")],
        [texts("src/utils.js", hasPath())],
      ).slice(0, -2),
      [bash('node -e \'import("./src/index.js").then(({ hasPath }) => console.log(hasPath("/a?path=1")))\'')],
      [bash(`${test}; git diff`)],
      "hasPath looked for the word in the query as well; it looks before the query now.",
    ],
  },
};

function trace(...steps: Step[]): Step[] {
  const words = "hasPath looked for the word in the query as well; it looks before the query now.";
  return [[bash("git log --oneline | head -5; git status --short")], ...steps, [bash(`${test}; git diff`)], words];
}

/** The one function of its kind needs more of its text to be unique. */
function hasPath(): [string, string] {
  const head =
    'export function hasPath(input, wanted = "") {\n  const text = String(input).trim();\n  if (text === "") return wanted;\n';
  return [`${head}  const from = text.indexOf("path");`, `${head}  const from = text.split("?")[0].indexOf("path");`];
}

function module(index: ReturnType<typeof write>) {
  return [
    write(
      "src/slug.js",
      'export const slugOf = (text) => text.toLowerCase().split(/[^a-z0-9]+/).filter(Boolean).join("-");\n',
    ),
    write(
      "test/slug.test.js",
      'import assert from "node:assert/strict";\nimport { test } from "node:test";\nimport { slugOf } from "../src/index.js";\n\ntest("words are joined", () => {\n  assert.equal(slugOf("Ein Tag, am Meer"), "ein-tag-am-meer");\n});\n',
    ),
    index,
  ];
}
