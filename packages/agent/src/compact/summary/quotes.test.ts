import { expect, test } from "bun:test";
import type { Message } from "@pith/llm";
import { quotesPart, withoutQuotes } from "../../session/compaction/quotes.ts";
import { textOf } from "../../session/text.ts";
import { answered, placed, resulted, said } from "../../test/entries.ts";
import { measurePath } from "../cut.ts";
import { collectQuotes, keptText, lastErrors, quotesIn } from "./quotes.ts";

const tokens = (message: Message) => textOf(message.content).length;
const length = (text: string) => text.length;
const none = { said: [] };

test("the user's words are carried from compaction to compaction, the first request first", () => {
  const one = collectQuotes(measurePath([said("fix it"), answered("ok"), said("and test it")], tokens), none);
  expect(one).toEqual({ first: "fix it", said: ["and test it"] });
  const entry = placed({
    type: "compaction",
    summary: "",
    firstKeptEntryId: "x",
    tokensBefore: 1,
    details: { kept: one },
  });
  const two = collectQuotes(measurePath([said("now the docs")], tokens), quotesIn(entry));
  expect(two).toEqual({ first: "fix it", said: ["and test it", "now the docs"] });
  for (const details of [undefined, null, 7, { kept: 7 }, { kept: { first: 7, said: [7] } }])
    expect(quotesIn({ ...entry, details } as typeof entry)).toEqual({ first: undefined, said: [] });
});

test("a long text of the user is cut and names the address of the whole", () => {
  const long = said("w".repeat(5000));
  const { first = "" } = collectQuotes(measurePath([long], tokens), none);
  expect(first).toStartWith("w".repeat(2000));
  expect(first).toEndWith(`… (3000 more characters: history://session/${long.id})`);
});

test("the newest words stay where not all fit, and no part costs another its place", () => {
  const words = Array.from({ length: 50 }, (_, at) => `word ${at} ${"x".repeat(50)}`);
  const { text, carried } = keptText(
    { first: "first".repeat(20), said: words },
    [{ title: "Tasks", text: "t".repeat(3000) }],
    [],
    2000,
    length,
  );
  expect(text.length).toBeLessThan(2300);
  for (const part of ["## Kept word for word", "### First request", "### Tasks", "### Later words", "word 49"])
    expect(text).toContain(part);
  expect(text).not.toContain("word 0 ");
  expect(carried.said.length).toBeLessThan(50);
  expect(withoutQuotes(`## Current state\nx\n\n${text}`)).toBe("## Current state\nx");
});

test("a request that says the very heading does not split a summary", () => {
  const first = "Explain this:\n## Kept word for word\nwhat is it?";
  const { text, carried } = keptText({ first, said: [first] }, [{ title: "Plan", text: first }], [], 2000, length);
  expect(withoutQuotes(`## Current state\nx\n\n${text}`)).toBe("## Current state\nx");
  expect(quotesPart(`## Current state\nx\n\n${text}`)).toBe(text);
  expect(carried.first).toBe(first);
});

test("the last errors are told", () => {
  const path = Array.from({ length: 5 }, (_, at) => resulted(String(at), "bash", `error ${at}`, undefined, true));
  expect(lastErrors(measurePath(path, tokens))[0]?.text).toBe("- bash: error 2\n- bash: error 3\n- bash: error 4");
  expect(lastErrors([])).toEqual([]);
});
