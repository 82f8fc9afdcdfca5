import { describe, expect, test } from "bun:test";
import { spliceText } from "../../../edit/text/change.ts";
import { planReplace, type Replacement } from "./replace.ts";

function change(text: string, ...edits: Replacement[]): string {
  const planned = planReplace("f", text, edits);
  return planned.ok ? spliceText(text, planned.value.changes) : planned.message;
}
const replaced = (text: string, oldText: string, newText: string) => change(text, { oldText, newText });

describe("the text that was meant is replaced", () => {
  const cases: [string, string, Replacement[], string][] = [
    ["in the middle of a line", "one two\n", [{ oldText: "two", newText: "2" }], "one 2\n"],
    [
      "in several places at once, as the file was",
      "a b c\n",
      [
        { oldText: "c", newText: "a" },
        { oldText: "a", newText: "b" },
      ],
      "b b a\n",
    ],
    ["everywhere when asked", "x y x\nx", [{ oldText: "x", newText: "zz", all: true }], "zz y zz\nzz"],
    [
      "in a CRLF file, from LF",
      "one\r\ntwo\r\nthree\r\n",
      [{ oldText: "one\ntwo", newText: "1\n2\n2b" }],
      "1\r\n2\r\n2b\r\nthree\r\n",
    ],
    ["in an LF file, from CRLF", "one\ntwo\n", [{ oldText: "one\r\ntwo", newText: "1\r\n2" }], "1\n2\n"],
    [
      "in a mixed file, line by line",
      "a\r\nb\nc\r\n",
      [{ oldText: "a\nb\nc\n", newText: "A\nB\nC\n" }],
      "A\r\nB\nC\r\n",
    ],
    ["at the end without a newline", "a\nb", [{ oldText: "b", newText: "B" }], "a\nB"],
    ["with nothing", "a\nb\nc\n", [{ oldText: "b\n", newText: "" }], "a\nc\n"],
    ["by a longer text in an empty file", "", [{ oldText: "", newText: "a\n" }], "a\n"],
    [
      "beside a character of two halves",
      "\u{1f600}x",
      [{ oldText: "\u{1f600}x", newText: "\u{1f601}x" }],
      "\u{1f601}x",
    ],
    [
      "a character with the same second half",
      "\u{1f600}",
      [{ oldText: "\u{1f600}", newText: "\u{1fa00}" }],
      "\u{1fa00}",
    ],
  ];
  test.each(cases)("%s", (_, before, edits, after) => expect(change(before, ...edits)).toBe(after));
});

describe("white space is forgiven where there is one place only", () => {
  test("tabs for spaces: unchanged lines keep their bytes, changed ones get the file's indentation", () => {
    expect(
      replaced("if x {\n\tfoo();\n\t\tbar();\n}\n", "  foo();\n    bar();\n", "  foo();\n    baz();\n  more();\n"),
    ).toBe("if x {\n\tfoo();\n\t\tbaz();\n\tmore();\n}\n");
  });
  test("a block indented too little is moved as a whole", () => {
    expect(
      replaced(
        "class A:\n    def f():\n        return 1\n",
        "def f():\n    return 1",
        "def f():\n    x = 2\n    if x:\n        return x",
      ),
    ).toBe("class A:\n    def f():\n        x = 2\n        if x:\n            return x\n");
  });
  test("a block indented too much is moved as a whole", () => {
    expect(
      replaced(
        "def f(x):\n    return x\n",
        "        return x",
        "        if x:\n            return x\n        return 0",
      ),
    ).toBe("def f(x):\n    if x:\n        return x\n    return 0\n");
  });
  test("a block of spaces comes into a file of tabs as tabs", () => {
    expect(replaced("f() {\n\ta();\n}\n", "    a();", "    if (x) {\n        a();\n    }")).toBe(
      "f() {\n\tif (x) {\n\t\ta();\n\t}\n}\n",
    );
    expect(replaced("f() {\n\ta();\n}\n", "        a();", "        if (x) {\n            a();\n        }")).toBe(
      "f() {\n\tif (x) {\n\t\ta();\n\t}\n}\n",
    );
  });
  test("a block of tabs comes into a file of spaces as spaces", () => {
    expect(replaced("f() {\n  a();\n  b();\n}\n", "\ta();", "\tif (x) {\n\t\ta();\n\t}")).toBe(
      "f() {\n  if (x) {\n    a();\n  }\n  b();\n}\n",
    );
  });
  test("a block of narrow steps comes into a file of wide ones in the file's steps", () => {
    expect(
      replaced(
        "f() {\n    if (a) {\n        b();\n    }\n}\n",
        "  if (a) {\n    b();\n  }",
        "  if (a) {\n    if (c) {\n      b();\n    }\n  }",
      ),
    ).toBe("f() {\n    if (a) {\n        if (c) {\n            b();\n        }\n    }\n}\n");
  });
  test("a line further out than all that matched is moved too", () => {
    expect(replaced("class A:\n    def f():\n        x\n", "            x", "            y\n        z = 1")).toBe(
      "class A:\n    def f():\n        y\n    z = 1\n",
    );
  });
  test("trailing space is kept where nothing changes", () => {
    expect(replaced("a  \nb\t\nc\n", "a\nb\nc", "a\nB\nc")).toBe("a  \nB\nc\n");
  });
  test("a line end is not lost in a CRLF file", () => {
    expect(replaced("\ta\r\n\tb\r\n", " a\n b\n", " a\n B\n")).toBe("\ta\r\n\tB\r\n");
  });
  test("two such places are none", () => {
    expect(replaced("\ta\n\tb\nx\n  a\n  b\n", " a\n b", " c")).toContain("2 times (lines 1, 4)");
  });
});

describe("nothing is guessed", () => {
  const source = "function alpha() {\n  return 1;\n}\n";
  const cases: [string, string, Replacement[], string][] = [
    [
      "two places",
      "a\nb\na\n",
      [{ oldText: "a", newText: "c" }],
      "oldText stands 2 times in f (lines 1, 3). Add lines around it until it is the only one, or set all: true.",
    ],
    [
      "places that overlap",
      "aaa",
      [{ oldText: "aa", newText: "b" }],
      "oldText stands 2 times in f (lines 1, 1). Add lines around it until it is the only one, or set all: true.",
    ],
    [
      "a line that is only alike",
      source,
      [{ oldText: "function alpha(x) {", newText: "" }],
      'oldText is not in f. Nothing was changed. The nearest line is 1: "function alpha() {".',
    ],
    [
      "a block that goes on differently",
      source,
      [{ oldText: "function alpha() {\n  return 2;\n}", newText: "" }],
      'oldText is not in f. Nothing was changed. The nearest place differs at line 2: the file has "  return 1;", oldText has "  return 2;".',
    ],
    [
      "a block that goes on beyond the end",
      source,
      [{ oldText: "  return 1;\n}\nmore", newText: "" }],
      'oldText is not in f. Nothing was changed. The file ends after line 3, where oldText goes on with "more".',
    ],
    [
      "line numbers in the text",
      source,
      [{ oldText: "2:  return 1;\n3:}", newText: "" }],
      "oldText is not in f. Nothing was changed. Leave out the line numbers: they are not part of the file.",
    ],
    [
      "nothing alike",
      source,
      [{ oldText: "zzzzzz", newText: "" }],
      "oldText is not in f. Nothing was changed. Read the file again and copy the text as it stands there.",
    ],
    [
      "the second of two",
      source,
      [
        { oldText: "1", newText: "2" },
        { oldText: "zzz", newText: "" },
      ],
      "edits[1].oldText is not in f. Nothing was changed. Read the file again and copy the text as it stands there.",
    ],
    [
      "an empty text",
      source,
      [{ oldText: "", newText: "x" }],
      "oldText is empty, and f is not. Give the text to replace.",
    ],
    [
      "the same text",
      source,
      [{ oldText: "1", newText: "1" }],
      "oldText and its newText are the same: nothing would change in f.",
    ],
    [
      "edits that overlap",
      "abc",
      [
        { oldText: "ab", newText: "1" },
        { oldText: "bc", newText: "2" },
      ],
      "Two edits of f overlap at line 1. Join them into one edit.",
    ],
  ];
  test.each(cases)("%s", (_, before, edits, message) => expect(change(before, ...edits)).toBe(message));
});
