import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { parsePatch } from "../../../edit/apply-patch/parse.ts";
import { hashlineGrammar, patchGrammar } from "./grammar.ts";
import { parseHashline } from "./hashline/parse.ts";

type Term = { rule: string; repeat: "" | "?" | "+" } | { text: string } | { pattern: string };
type Rules = Map<string, Term[][]>;

/** Reads as much of Lark as the grammars use: rules, alternatives, texts, patterns, `?` and `+`. */
function readGrammar(grammar: string): Rules {
  return new Map(
    grammar
      .trim()
      .split("\n")
      .map((line): [string, Term[][]] => {
        const [, name = "", body = ""] = /^(\w+): (.*)$/.exec(line) ?? [];
        const terms = [...body.matchAll(/"([^"]*)"|\/((?:\\.|\[[^\]]*\]|[^/])*)\/|(\w+)([?+]?)|(\|)/g)];
        const options: Term[][] = [[]];
        for (const [, text, pattern, rule, repeat, or] of terms) {
          if (or) options.push([]);
          else if (rule) options.at(-1)?.push({ rule, repeat: repeat as "" });
          else options.at(-1)?.push(pattern === undefined ? { text: text ?? "" } : { pattern });
        }
        return [name, options];
      }),
  );
}

/** None of the grammars is recursive, so each is one regular expression. */
function accepts(rules: Rules): RegExp {
  const source = (name: string): string =>
    `(?:${(rules.get(name) ?? []).map((option) => option.map(termSource).join("")).join("|")})`;
  const termSource = (term: Term): string => {
    if ("text" in term) return RegExp.escape(term.text);
    return "pattern" in term ? `(?:${term.pattern})` : `${source(term.rule)}${term.repeat}`;
  };
  return new RegExp(`^${source("start")}$`);
}

/** Sentences of the grammar. */
function sentences(rules: Rules): fc.Arbitrary<string> {
  const rule = (name: string): fc.Arbitrary<string> =>
    fc.oneof(...(rules.get(name) ?? []).map((option) => fc.tuple(...option.map(term)).map((parts) => parts.join(""))));
  const term = (symbol: Term): fc.Arbitrary<string> => {
    if ("text" in symbol) return fc.constant(symbol.text);
    if ("pattern" in symbol)
      return symbol.pattern === "\\n"
        ? fc.constant("\n")
        : fc.stringMatching(new RegExp(`^${symbol.pattern}$`), { maxLength: 6 });
    const one = rule(symbol.rule);
    if (symbol.repeat === "+") return fc.array(one, { minLength: 1, maxLength: 3 }).map((all) => all.join(""));
    return symbol.repeat === "?" ? fc.option(one, { nil: "" }).map((text) => text ?? "") : one;
  };
  return rule("start");
}

describe("what the grammar allows the parser takes", () => {
  test("hashline, but for ranges that end before they start", () => {
    fc.assert(
      fc.property(sentences(readGrammar(hashlineGrammar)), (input) => {
        const parsed = parseHashline(input);
        expect(parsed.ok ? "ends before it begins" : parsed.message).toContain("ends before it begins");
      }),
      { numRuns: 500 },
    );
  });
  test("apply_patch, but for chunks that change nothing", () => {
    fc.assert(
      fc.property(sentences(readGrammar(patchGrammar)), (input) => {
        const parsed = parsePatch(input);
        expect(parsed.ok ? "changes nothing" : parsed.message).toMatch(/changes nothing|begins nothing/);
      }),
      { numRuns: 500 },
    );
  });
});

describe("what is canonical the grammar allows", () => {
  const hashline = accepts(readGrammar(hashlineGrammar));
  const rows: [string, boolean][] = [
    ["[a b/c.ts#0A3B]\nreplace 1..2:\n+x\n+\ninsert head:\n+y\n[d#FFFF]\ndelete 3..3\n", true],
    [
      "[a#0000]\nreplace block 7:\n++\ndelete block 9\ninsert before 1:\n+-\ninsert after 2:\n+x\ninsert tail:\n+\n",
      true,
    ],
    ["[a#0000]\nreplace 2-3:\n+x\n", false],
    ["[a#0000]\nreplace 2..3:\n", false],
    ["[a#0000]\ndelete 2..3\n+x\n", false],
    ["[a#00]\ndelete 2..3\n", false],
    ["[a#0000]\nreplace 1..1:\nx\n", false],
  ];
  test.each(rows)("%p: %p", (input, fits) => expect(hashline.test(input)).toBe(fits));
  const patch = accepts(readGrammar(patchGrammar));
  test("a patch with everything", () => {
    const whole =
      "*** Begin Patch\n*** Add File: a\n+x\n*** Delete File: b\n*** Update File: c\n*** Move to: d\n@@ f\n k\n-o\n+n\n*** End of File\n*** End Patch\n";
    expect(patch.test(whole)).toBe(true);
    expect(patch.test(whole.replace("*** End Patch\n", ""))).toBe(false);
    expect(patch.test(whole.replace("+x\n", "x\n"))).toBe(false);
  });
});
