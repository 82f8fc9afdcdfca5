import { describe, expect, test } from "bun:test";
import { extractCalls } from "./extract.ts";
import { knownTools } from "./known.ts";

const known = knownTools(["read", "write"].map((name) => ({ name, description: "", parameters: {} })));
const calls = (text: string) =>
  extractCalls(text, known).flatMap((piece) => ("name" in piece ? [[piece.name, piece.args]] : []));
const words = (text: string) =>
  extractCalls(text, known).flatMap((piece) => ("text" in piece ? [piece.text.trim()] : []));
const path = '{"path":"a"}';

describe("a call is found", () => {
  test.each([
    ["between tags", `<tool_call>{"name":"read","arguments":${path}}</tool_call>`],
    ["with space around it", `<tool_call>\n {"name": "read", "arguments": ${path}}\n</tool_call>`],
    ["without its closing tag", `<tool_call>{"name":"read","arguments":${path}}`],
    ["with args", `<tool_call>{"name":"read","args":${path}}</tool_call>`],
    ["with params", `<tool_call>{"name":"read","params":${path}}</tool_call>`],
    ["with parameters", `<tool_call>{"name":"read","parameters":${path}}</tool_call>`],
    ["with arguments beside the name", '<tool_call>{"name":"read","path":"a"}</tool_call>'],
    ["with arguments as text", `<tool_call>{"name":"read","arguments":"{\\"path\\":\\"a\\"}"}</tool_call>`],
    ["named by tool", `<tool_call>{"tool":"read","arguments":${path}}</tool_call>`],
    ["named by function", `<tool_call>{"function":"read","arguments":${path}}</tool_call>`],
    ["as a function with parameters", "<function=read>\n<parameter=path>\na\n</parameter>\n</function>"],
    [
      "as such inside tags",
      "<tool_call>\n<function=read>\n<parameter=path>\na\n</parameter>\n</function>\n</tool_call>",
    ],
    ["in brackets", `[TOOL_CALLS][{"name":"read","arguments":${path}}]`],
    ["in brackets without a list", `[TOOL_CALLS]{"name":"read","arguments":${path}}`],
    ["in brackets with its name before", `[TOOL_CALLS]read[ARGS]${path}`],
    ["bare", `{"name":"read","arguments":${path}}`],
    ["bare in a fence", `\`\`\`json\n{"name":"read","arguments":${path}}\n\`\`\``],
  ])("%s", (_, text) => {
    expect(calls(text)).toEqual([["read", path]]);
    expect(words(text)).toEqual([]);
  });
});

test("braces and quotes inside strings do not end it", () => {
  const args = { text: 'if (x) { "}" \\" }', deep: { a: [{ b: "{" }] } };
  expect(calls(`<tool_call>${JSON.stringify({ name: "write", arguments: args })}</tool_call>`)).toEqual([
    ["write", JSON.stringify(args)],
  ]);
});

test("several in a row are several, and text before, between and after survives", () => {
  const call = `<tool_call>{"name":"read","arguments":${path}}</tool_call>`;
  expect(calls(`a\n${call}\nb\n${call} c`)).toHaveLength(2);
  expect(words(`a\n${call}\nb\n${call} c`)).toEqual(["a", "b", "c"]);
  expect(calls(`[TOOL_CALLS][{"name":"read","arguments":${path}}, {"name":"write","arguments":{}}] ok`)).toHaveLength(
    2,
  );
});

test("marked calls count whatever their name, bare ones only with a known name and when nothing is marked", () => {
  expect(calls('<tool_call>{"name":"other","arguments":{}}</tool_call>')).toEqual([["other", "{}"]]);
  expect(calls('{"name":"my-package","version":"1.0.0"}')).toEqual([]);
  expect(words('{"name":"my-package","version":"1.0.0"}')).toEqual(['{"name":"my-package","version":"1.0.0"}']);
  expect(calls(`{"name":"read","arguments":${path}}\n<tool_call>{"name":"write","arguments":{}}</tool_call>`)).toEqual([
    ["write", "{}"],
  ]);
  expect(calls(`the object {"name":"read","arguments":${path}} in a sentence`)).toEqual([]);
});

describe("a call counts only where it stands as one", () => {
  const call = `<tool_call>{"name":"read","arguments":${path}}</tool_call>`;
  const bare = `{"name":"read","arguments":${path}}`;
  test.each([
    ["behind a line number", `1: ${call}\nThat is all.`],
    ["behind a line number and a bar", `12| ${call}`],
    ["behind a line number, and another behind it", `1: ${call}${call}`],
    ["in a sentence", `The notes say ${call} and so on.`],
    ["at the end of a sentence", `The notes say ${call}`],
    ["between quotes", `"${call}" stands there.`],
    ["between curly quotes", `It says:\n“${call}”`],
    ["in a list", `- ${call}`],
    ["bare, with words behind it", `It says:\n${bare} which does nothing.`],
    ["bare, in a sentence", `It says ${bare}.`],
    ["a control token in a sentence", `It says [TOOL_CALLS][${bare}] and no more.`],
    ["a control token behind a line number", `1: [TOOL_CALLS][${bare}]`],
    ["a control token behind a quote", `It says "[TOOL_CALLS][${bare}]`],
  ])("not %s", (_, text) => {
    expect(calls(text)).toEqual([]);
    expect(words(text)).toEqual([text]);
  });

  test("but where a template writes it right behind the words, and it ends the answer", () => {
    expect(calls(`I look.[TOOL_CALLS][${bare}]</s>`)).toEqual([["read", path]]);
    expect(calls(`I look.\n  ${call}`)).toEqual([["read", path]]);
  });
});

test("a call that was cut at any byte is never mended into another one", () => {
  const whole = '<tool_call>{"name":"write","arguments":{"path":"a","content":"line 1\\nline 2"}}</tool_call>';
  for (let at = 0; at < whole.length; at++) {
    const cut = whole.slice(0, at);
    for (const [name, args = ""] of calls(cut)) {
      expect(name).toBe("write");
      // Either all of it came, or what came is not JSON and will not be run.
      if (args !== '{"path":"a","content":"line 1\\nline 2"}') expect(() => JSON.parse(args)).toThrow();
    }
  }
});

test("values of parameters are what they look like, and stay text when they are text", () => {
  const body =
    '<function=write><parameter=path>a b</parameter><parameter=lines>[1, 2]</parameter><parameter=quoted>"x"</parameter></function>';
  expect(JSON.parse(calls(body)[0]?.[1] ?? "")).toEqual({ path: "a b", lines: [1, 2], quoted: '"x"' });
});

describe("a call that was cut gives the arguments that came, as they came", () => {
  test.each([
    ["between tags", '<tool_call>{"name":"read","arguments":{"path":"src/a', '{"path":"src/a'],
    ["beside its name", '<tool_call>{"name":"read","path":"src/a', '{"path":"src/a'],
    ["as a function", "<function=read><parameter=path>src/a", '{"path":"src/a'],
    ["in GLM's keys", "<tool_call>read\n<arg_key>path</arg_key>\n<arg_value>src/a", '{"path":"src/a'],
    ["with a comma too much", '<tool_call>{"name":"read","arguments":{"path":"a",}}</tool_call>', '{"path":"a",}'],
  ])("%s", (_, text, args) => {
    expect(calls(text)).toEqual([["read", args]]);
  });
});

test("JSON in a fence between the tags is read like JSON", () => {
  const text = `<tool_call>\n\`\`\`json\n{"name":"read","arguments":${path}}\n\`\`\`\n</tool_call>`;
  expect(calls(text)).toEqual([["read", path]]);
  expect(words(text)).toEqual([]);
});

test("the content of a file stays a text, whatever it looks like", () => {
  const parameters = { type: "object", properties: { content: { type: "string" } } };
  const writing = knownTools([{ name: "write", description: "", parameters }]);
  const body = '<function=write>\n<parameter=content>\n{"a": 1}\n</parameter>\n</function>';
  expect(extractCalls(body, writing)).toEqual([{ name: "write", args: '{"content":"{\\"a\\": 1}"}' }]);
});

test("OpenAI's own objects are calls where they name known tools", () => {
  const one = { type: "function", function: { name: "read", arguments: path } };
  expect(calls(JSON.stringify(one))).toEqual([["read", path]]);
  expect(calls(JSON.stringify([one, one]))).toHaveLength(2);
  expect(calls(JSON.stringify({ tool_calls: [one] }))).toEqual([["read", path]]);
  expect(calls(JSON.stringify({ function_call: { name: "read", arguments: path } }))).toEqual([["read", path]]);
  expect(calls(JSON.stringify({ tool_calls: [{ function: { name: "other", arguments: "{}" } }] }))).toEqual([]);
});

test("a call as Python writes it is read where its values are plain, and refused where they are not", () => {
  expect(calls('<|python_tag|>read.call(path="a", deep=True, lines=[1, 2])')).toEqual([
    ["read", '{"path":"a","deep":true,"lines":[1,2]}'],
  ]);
  expect(calls("<|python_tag|>write(path='it\\'s \"x\"')")).toEqual([["write", '{"path":"it\'s \\"x\\""}']]);
  const [[, args = ""] = []] = calls('<|python_tag|>write(path=open("a"))');
  expect(() => JSON.parse(args)).toThrow();
});
