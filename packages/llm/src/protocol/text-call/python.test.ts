import { describe, expect, test } from "bun:test";
import { pythonCalls, pythonObject } from "./python.ts";

describe("calls as Python writes them", () => {
  test.each<[string, unknown]>([
    ["read()", {}],
    ['read(path="a")', { path: "a" }],
    ["read(path='it\\'s', deep=True, none=None, n=-1.5e3, list=[1, 'x', {'k': false}],)", null],
    ['read(text="""one "two"\nthree""")', { text: 'one "two"\nthree' }],
    ['read(text="tab\\t, \\u00e4, \\x41, \\d+")', { text: "tab\t, ä, A, \\d+" }],
  ])("%j", (text, args) => {
    const found = pythonCalls(text);
    expect(found?.length).toBe(text.length);
    const read = JSON.parse(found?.calls[0]?.args ?? "");
    if (args) expect(read).toEqual(args);
    else expect(read).toEqual({ path: "it's", deep: true, none: null, n: -1500, list: [1, "x", { k: false }] });
  });

  test("a list of them is several", () => {
    expect(pythonCalls('[read(path="a"), find(pattern="b")] and on')).toEqual({
      calls: [
        { name: "read", args: '{"path":"a"}' },
        { name: "find", args: '{"pattern":"b"}' },
      ],
      length: 35,
    });
  });

  test("one that was cut anywhere, or whose quotes end too early, is none", () => {
    const whole = "[write(path='a', content='one\\n(two)', more=[1, {'a': 2}])]";
    for (let at = 0; at < whole.length; at++) expect(pythonCalls(whole.slice(0, at))).toBeUndefined();
    for (const text of [
      'write(content="print("x")")',
      'write(content="f(")\n")',
      "write(content='it's')",
      "write(open('a'))",
    ])
      expect(pythonCalls(text)).toBeUndefined();
  });
});

test("an object as Python prints it is read whole, or not at all", () => {
  const whole = `{'name': 'write', 'arguments': {'path': 'a', 'content': "it's", 'n': 1}}`;
  expect(pythonObject(whole)?.value).toEqual({ name: "write", arguments: { path: "a", content: "it's", n: 1 } });
  for (let at = 0; at < whole.length; at++) expect(pythonObject(whole.slice(0, at))).toBeUndefined();
  expect(pythonObject(`{'a': ${"[".repeat(5000)}`)).toBeUndefined();
});
