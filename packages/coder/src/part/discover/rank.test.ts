import { describe, expect, test } from "bun:test";
import { type Document, rank, tokens } from "./rank.ts";

const tool = (name: string, summary: string, more: Partial<Document> = {}): Document => ({
  name,
  label: name,
  original: "",
  source: "",
  summary,
  keys: [],
  ...more,
});

test.each([
  ["readFile", ["read", "file"]],
  ["HTMLParser2", ["html", "parser", "2"]],
  ["mcp__github_create-issue", ["mcp", "github", "create", "issue"]],
  ["Crème Brûlée", ["creme", "brulee"]],
  ["ｆｕｌｌ　ｗｉｄｔｈ", ["full", "width"]],
  ["a1b22", ["a", "1", "b", "22"]],
  ["名前を変える", ["名前を変える".normalize("NFKD").replace(/\p{M}/gu, "")]],
  ["?! — …", [] as string[]],
])("%s is cut into its words", (text, words) => {
  expect(tokens(text)).toEqual(words);
});

test("scores are those of BM25+ over weighted fields", () => {
  const documents = [tool("alpha", "beta beta", { label: "" }), tool("gamma", "delta", { label: "", keys: ["beta"] })];
  // Of beta: 4 in the first (length 10), 1 in the second (length 9), in both of two; the average length is 9.5.
  const rarity = Math.log(1 + 0.5 / 2.5);
  const score = (often: number, length: number) =>
    rarity * ((often * 2.2) / (often + 1.2 * (0.25 + (0.75 * length) / 9.5)) + 1);
  const found = rank(documents, "beta");
  expect(found.map(({ document }) => document.name)).toEqual(["alpha", "gamma"]);
  expect(found[0]?.score).toBeCloseTo(score(4, 10), 10);
  expect(found[1]?.score).toBeCloseTo(score(1, 9), 10);
  expect(rank(documents, "omega")).toEqual([]);
  expect(rank([], "beta")).toEqual([]);
});

test("equal scores are in the order of the names", () => {
  const documents = ["c", "a", "b"].map((name) => tool(`${name}_list`, "the same"));
  expect(rank(documents, "list").map(({ document }) => document.name)).toEqual(["a_list", "b_list", "c_list"]);
});

describe("what a model would write finds what it means", () => {
  const documents = [
    tool("ast_grep", "Finds code by its structure in 25 languages.", {
      label: "Search code by its structure: AST and syntax patterns",
      keys: ["pat", "paths"],
    }),
    tool("ast_edit", "Rewrites code by its structure.", {
      label: "Rewrite code by its structure: rename, refactor, codemod",
      keys: ["ops", "paths"],
    }),
    tool("resolve", "Decides about the newest preview of ast_edit.", { label: "Apply or discard a preview" }),
    tool("mcp__github__create_issue", "Create a new issue in a repository", {
      original: "create_issue",
      source: "github",
      keys: ["owner", "repo", "title", "body"],
    }),
    tool("mcp__github__list_pull_requests", "List pull requests of a repository", {
      original: "list_pull_requests",
      source: "github",
      keys: ["owner", "repo", "state"],
    }),
    tool("mcp__postgres__query", "Run a read-only SQL query against the database", {
      original: "query",
      source: "postgres",
      keys: ["sql"],
    }),
    tool("mcp__browser__screenshot", "Take a screenshot of the current page", {
      original: "screenshot",
      source: "browser",
      keys: ["selector", "fullPage"],
    }),
    tool("web_search", "Searches the web and answers with sources.", { keys: ["query"] }),
    tool("lsp", "Asks language servers: definitions, references, renames, diagnostics.", { keys: ["action", "file"] }),
  ];
  test.each([
    ["ast grep", "ast_grep"],
    ["search code structurally", "ast_grep"],
    ["find syntax patterns in the AST", "ast_grep"],
    ["a tool to rewrite code by structure", "ast_edit"],
    ["codemod / refactoring", "ast_edit"],
    ["rename a symbol across files", "ast_edit"],
    ["discard the preview", "resolve"],
    ["open a github issue", "mcp__github__create_issue"],
    ["creating issues", "mcp__github__create_issue"],
    ["listing PRs / pull requests", "mcp__github__list_pull_requests"],
    ["query a SQL database", "mcp__postgres__query"],
    ["postgres", "mcp__postgres__query"],
    ["take screenshots of a web page", "mcp__browser__screenshot"],
    ["search the web", "web_search"],
    ["go to definition", "lsp"],
    ["find references", "lsp"],
  ])("%s", (query, name) => {
    expect(rank(documents, query)[0]?.document.name).toBe(name);
  });

  test("words that say nothing find nothing", () => {
    expect(rank(documents, "weather forecast for Berlin")).toEqual([]);
  });
});
