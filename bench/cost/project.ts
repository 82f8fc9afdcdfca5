// A small library about addresses of the web, made anew for every play: sources, tests and a page that is generated.
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

const parts = ["Protocol", "Host", "Port", "Path", "Search", "Hash", "User", "Segment"];
const verbs = ["has", "get", "set", "clean", "same"];

/** Writes the project; two functions are wrong. */
export function layOut(folder: string): void {
  for (const [name, text] of Object.entries(files())) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  const git = ["git", "-C", folder, "-c", "user.name=bench", "-c", "user.email=bench@localhost"];
  for (const words of [
    ["init", "-q", "-b", "main"],
    ["add", "-A"],
    ["commit", "-q", "-m", "Start"],
  ])
    Bun.spawnSync([...git, ...words]);
}

const files = (): Record<string, string> => ({
  "package.json": `${JSON.stringify(
    {
      name: "addresses",
      type: "module",
      scripts: { test: "node --test --test-reporter=spec test/", docs: "node scripts/docs.js" },
    },
    null,
    2,
  )}\n`,
  "README.md": `# addresses\n\nSmall functions for addresses of the web.\n\n<!-- list -->\n<!-- end -->\n`,
  "scripts/docs.js": docs,
  "src/index.js":
    'export * from "./encoding.js";\nexport * from "./parse.js";\nexport * from "./query.js";\nexport * from "./url.js";\nexport * from "./utils.js";\n',
  "src/encoding.js": encoding,
  "src/parse.js": parse,
  "src/query.js": query,
  "src/url.js": url,
  "src/utils.js": utils(),
  "test/parse.test.js": testFile("parse", 12, parseTests),
  "test/query.test.js": testFile("query", 10, queryTests),
  "test/utils.test.js": testFile("utils", 30, utilsTests),
  "logs/app.log": log(),
});

const comment = (name: string, about: string) => `/**
 * ${about}
 *
 * What it is given stays as it is; the answer is a text of its own.
 *
 * @example
 * ${name}("https://example.com/a/b?c=d#e");
 *
 * @param {string} input the address
 * @returns the answer as a text, or the address where nothing is to be done
 */
`;

function utils(): string {
  const fillers = verbs.flatMap((verb, one) =>
    parts.map((part, other) => filler(`${verb}${part}`, part.toLowerCase(), (one + other) % 4 === 0)),
  );
  const half = fillers.length >> 1;
  return [
    'import { parseURL } from "./parse.js";\nimport { parseQuery, stringifyQuery } from "./query.js";\n',
    ...fillers.slice(0, half),
    `${comment("withoutBase", "Removes the base from an address.")}export function withoutBase(input, base) {
  if (base === "" || base === "/") return input;
  const plain = base.endsWith("/") ? base.slice(0, -1) : base;
  if (!input.startsWith(plain)) return input;
  const next = input[plain.length];
  if (next && next !== "/") return input;
  const rest = input.slice(plain.length);
  return rest.startsWith("/") ? rest : \`/\${rest}\`;
}
`,
    ...fillers.slice(half),
    `${comment("withQuery", "Adds a query to an address.")}export function withQuery(input, query) {
  const parsed = parseURL(input);
  const all = Object.assign(parseQuery(parsed.search), query);
  const text = stringifyQuery(all);
  return parsed.pathname + (text === "" ? "" : \`?\${text}\`) + parsed.hash;
}
`,
  ].join("\n");
}

const filler = (
  name: string,
  part: string,
  parses: boolean,
): string => `${comment(name, `Looks at the ${part} of an address for ${name}.`)}\
export function ${name}(input, wanted = "") {
  const text = String(input).trim();
  if (text === "") return wanted;
${parses ? "  const { pathname } = parseURL(text);\n" : ""}\
  const from = ${parses ? "pathname" : "text"}.indexOf("${part}");
  return from < 0 ? text : text.slice(0, from) + wanted;
}
`;

const parse = `${comment("parseURL", "Takes an address apart.")}export function parseURL(input = "") {
  const [, pathname = "", search = "", hash = ""] = /^([^#?]*)(\\?[^#]*)?(#.*)?$/.exec(input) ?? [];
  return { pathname, search, hash };
}

${comment("joinURL", "Puts addresses together.")}export function joinURL(first, ...more) {
  const pathOf = (next) => parseURL(next).pathname.replace(/^\\//, "");
  return more.reduce((all, next) => \`\${all.replace(/\\/$/, "")}/\${pathOf(next)}\`, first);
}
`;

const query = `import { decode, encode } from "./encoding.js";

${comment("parseQuery", "Reads a query into an object.")}export function parseQuery(text = "") {
  const query = {};
  for (const pair of text.replace(/^\\?/, "").split("&")) {
    const [, key, value] = /([^=]+)=?([^=]*)/.exec(pair) ?? [];
    if (key === undefined || key === "__proto__") continue;
    const name = decode(key);
    const said = decode(value ?? "");
    if (query[name] === undefined) query[name] = said;
    else if (Array.isArray(query[name])) query[name].push(said);
    else query[name] = [query[name], said];
  }
  return query;
}

${comment("stringifyQuery", "Writes an object as a query.")}export function stringifyQuery(query) {
  return Object.entries(query)
    .filter(([, value]) => value !== undefined)
    .flatMap(([key, value]) => [value].flat().map((one) => \`\${encode(key)}=\${encode(one)}\`))
    .join("&");
}
`;

const encoding = `${comment("encode", "Encodes a text for a query.")}\
export const encode = (text) =>
  encodeURIComponent(String(text)).replace(/%20/g, "+");

${comment("decode", "Decodes a text of a query.")}export function decode(text) {
  try {
    return decodeURIComponent(String(text).replace(/\\+/g, " "));
  } catch {
    return text;
  }
}
`;

const url = `import { parseURL } from "./parse.js";

/** An address as an object. */
export class Address {
  constructor(input) {
    Object.assign(this, parseURL(input));
  }
  get isRelative() {
    return !/^[a-z]+:/i.test(this.pathname);
  }
  toString() {
    return this.pathname + this.search + this.hash;
  }
}

export const addressOf = (input) => new Address(parseURL(input).pathname);
`;

const docs = `import { readFileSync, writeFileSync } from "node:fs";

const found = /^export (?:function|const|class) (\\w+)/gm;
const names = ["encoding", "parse", "query", "url", "utils"].flatMap((name) =>
  [...readFileSync(\`src/\${name}.js\`, "utf8").matchAll(found)].map(([, one]) => one),
);
const list = names.map((name) => \`- \\\`\${name}\\\`\`).join("\\n");
const page = readFileSync("README.md", "utf8");
writeFileSync("README.md", page.replace(/<!-- list -->[^]*<!-- end -->/, \`<!-- list -->\\n\${list}\\n<!-- end -->\`));
console.log(\`\${names.length} functions\`);
`;

const testFile = (name: string, count: number, more: string): string => `import assert from "node:assert/strict";
import { test } from "node:test";
import { ${imported[name]} } from "../src/index.js";

${Array.from({ length: count }, (_, at) => plainTest(name, at)).join("\n")}
${more}`;

const imported: Readonly<Record<string, string>> = {
  utils: "hasHost, parseURL, withoutBase, withQuery",
  query: "parseQuery, stringifyQuery",
  parse: "joinURL, parseURL",
};

const plainTest = (name: string, at: number): string => {
  const call =
    name === "query"
      ? `stringifyQuery({ a: ${at} }), "a=${at}"`
      : name === "parse"
        ? `joinURL("/a", "/b${at}"), "/a/b${at}"`
        : `hasHost("/page/${at}"), "/page/${at}"`;
  return `test("${name} keeps address ${at} as it is", () => {\n  assert.equal(${call});\n});\n`;
};

const parseTests = `test("an address is taken apart", () => {
  assert.deepEqual(parseURL("/a?b#c"), { pathname: "/a", search: "?b", hash: "#c" });
});
`;
const queryTests = `test("a value may hold the sign between names and values", () => {
  assert.deepEqual(parseQuery("?token=abc=def&x=1"), { token: "abc=def", x: "1" });
});
`;
const utilsTests = `test("a base before a query is removed", () => {
  assert.equal(withoutBase("/base?x=1", "/base"), "/?x=1");
});

test("a query is added", () => {
  assert.equal(withQuery("/a?b=1", { c: 2 }), "/a?b=1&c=2");
  assert.equal(parseURL("/a").pathname, "/a");
});
`;

/** A day of a server: one sort of error stands in it 300 times, within five minutes. */
function log(): string {
  const two = (value: number) => String(value).padStart(2, "0");
  return Array.from({ length: 20_000 }, (_, at) => {
    const seconds = Math.floor(at * 4.3);
    const time = `${two(Math.floor(seconds / 3600))}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
    if (at >= 9000 && at < 9300) return `${time} ERROR db pool exhausted, ${at - 8999} requests wait`;
    return `${time} INFO request ${at} answered in ${(at * 7) % 90} ms`;
  }).join("\n");
}
