import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { type Arguments, writers } from "../../test/written.ts";
import { dialects } from "./dialect.ts";
import { extractCalls } from "./extract.ts";
import { knownTools } from "./known.ts";

const text = { type: "string" };
const known = knownTools([
  { name: "read", description: "", parameters: { type: "object", properties: { path: text } } },
  { name: "write", description: "", parameters: { type: "object", properties: { path: text, content: text } } },
]);
const calls = (said: string) => extractCalls(said, known).flatMap((piece) => ("name" in piece ? [piece] : []));
const words = (said: string) =>
  extractCalls(said, known).flatMap((piece) => ("text" in piece ? [piece.text.trim()] : []));

const rows = Object.entries(writers);

test("every dialect of the table is tried", () => {
  expect(Object.keys(writers).sort()).toEqual(dialects.map(({ of }) => of).sort());
});

const samples: readonly Arguments[] = [
  { path: "src/a.ts" },
  { path: "a b/ä.md", content: 'line "one"\n\tline {two} </b> <x> `z`\n' },
  { path: "package.json", content: '{"name": "write", "arguments": {"path": "b"}}' },
  { path: "n", content: "42" },
];

describe.each(rows)("as %s writes it", (_, write) => {
  test.each(samples)("%j comes whole, and nothing of it is left in the words", (args) => {
    const said = write("write", args);
    const [call, ...more] = calls(`I write.\n${said}`);
    expect(more).toEqual([]);
    expect({ name: call?.name, args: JSON.parse(call?.args ?? "null") }).toEqual({ name: "write", args });
    expect(words(`I write.\n${said}`)).toEqual(["I write."]);
  });

  test("two in a row are two", () => {
    const [one, two] = [write("read", { path: "a" }), write("write", { path: "b", content: "c" })];
    expect(calls(`${one}\n${two}`).map(({ name }) => name)).toEqual(["read", "write"]);
  });

  test("a call that was cut at any place is never taken for a whole one", () => {
    for (const args of samples.slice(1)) {
      const said = write("write", args);
      for (let at = 0; at < said.length; at++)
        for (const { name, args: text } of calls(said.slice(0, at)))
          expect({ name, whole: parsed(text) ?? args }).toEqual({ name: "write", whole: args });
    }
  });

  test("whatever a model puts into it without care, it is whole or refused", () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...scraps), { maxLength: 8 }), (bits) => {
        const content = bits.join("");
        const said = write("write", { path: "a", content: "HERE" }).replace("HERE", () => content);
        for (const call of calls(said)) {
          const whole = parsed(call.args);
          if (whole === undefined || call.name !== "write") continue;
          const meant = [content, unescaped(content)];
          expect(meant).toContain((whole as { content?: string }).content ?? "-");
        }
      }),
      { numRuns: 200 },
    );
  });
});

const scraps = ['"', '"}', '"}}', "}", "{", "\n", "\\n", "\\", "word ", "'", ",", ":", "]", "[", "`", "<", ">"];

const parsed = (args: string): unknown => {
  try {
    return JSON.parse(args);
  } catch {
    return undefined;
  }
};
const unescaped = (content: string): unknown => parsed(`"${content}"`) ?? content;

describe("a file that shows how calls are written", () => {
  const nested: Readonly<Record<string, (content: string) => string>> = {
    "Qwen Coder": (content) =>
      `<function=write>\n<parameter=path>\na\n</parameter>\n<parameter=content>\n${content}\n</parameter>\n</function>`,
    GLM: (content) =>
      `<tool_call>write\n<arg_key>path</arg_key>\n<arg_value>a</arg_value>\n<arg_key>content</arg_key>\n<arg_value>${content}</arg_value>\n</tool_call>`,
    "Anthropic, MiniMax": (content) =>
      `<invoke name="write"><parameter name="path">a</parameter><parameter name="content">${content}</parameter></invoke>`,
  };
  test.each(Object.entries(nested))("is written whole by %s, and never half", (_, write) => {
    const inner = write("b");
    const content = `See:\n${inner}\nand so on`;
    expect(calls(write(content)).map(({ args }) => JSON.parse(args))).toEqual([{ path: "a", content }]);
    for (const shown of [inner, inner.slice(inner.indexOf("content") - 20)]) {
      const cut = write(`See:\n${shown}@`).replace(/@.*/s, "");
      expect(calls(cut).map(({ name }) => name)).toEqual(["write"]);
      expect(() => JSON.parse(calls(cut)[0]?.args ?? "")).toThrow();
    }
  });
});

test("lines may end as on Windows", () => {
  const said = "<function=read>\r\n<parameter=path>\r\na\r\n</parameter>\r\n</function>";
  expect(calls(said)).toEqual([{ name: "read", args: '{"path":"a"}' }]);
});

test("gpt-oss may call while it thinks", () => {
  const said = '<|channel|>analysis to=functions.read code<|message|>{"path":"a"}<|call|>';
  expect(calls(said)).toEqual([{ name: "read", args: '{"path":"a"}' }]);
});

test.each([
  ['<invoke name="bash"><parameter name="command">rm @<function=read><parameter=path>a</parameter></function>'],
  ['<invoke name="bash"><parameter name="command">rm @</parameter></function>'],
  ['<function=bash><parameter=command>rm @<parameter name="path">a</parameter></function>'],
  [
    '<function name="bash"><parameter name="command">rm @<invoke name="read"><parameter name="path">a</parameter></invoke>',
  ],
])("a value that was broken off is not ended by the marks of another call: %s", (said) => {
  expect(calls(said).map(({ name }) => name)).toEqual(["bash"]);
  expect(() => JSON.parse(calls(said)[0]?.args ?? "")).toThrow();
});

test("a value may hold a tag of the same name that ends itself", () => {
  const said = '<function=write><parameter=content><parameter name="a" value="b"/></parameter></function>';
  expect(calls(said)).toEqual([{ name: "write", args: '{"content":"<parameter name=\\"a\\" value=\\"b\\"/>"}' }]);
});
