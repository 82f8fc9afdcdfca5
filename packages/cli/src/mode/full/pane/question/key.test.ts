import { expect, test } from "bun:test";
import type { Question } from "@pith/agent";
import type { KeyEvent } from "@pith/tui";
import { inWords, type QuestionState, readKey } from "./key.ts";
import { type EditHunk, nothingPicked } from "./pick.ts";

const key = (combo: string): KeyEvent => ({
  type: "key",
  name: combo,
  combo,
  text: combo.length === 1 ? combo : "",
  phase: "press",
});
const approval: Question = { id: "q", agent: "main", form: "approval", text: "may I?", scope: "npm test" };
const choice: Question = {
  id: "q",
  agent: "main",
  form: "choose",
  text: "which?",
  recommended: "b",
  options: [
    { id: "a", label: "one" },
    { id: "b", label: "two" },
  ],
};
const asked = (question: Question, more: Partial<QuestionState> = {}): QuestionState => ({
  question,
  hunks: [],
  picked: nothingPicked(question),
  free: true,
  ...more,
});
const press = (state: QuestionState, ...combos: string[]) => combos.map((combo) => readKey(state, key(combo))).at(-1);
const hunk = (name: string): EditHunk => ({ name, title: name, path: name, patch: "" });

test("every question has the same keys: arrows and Enter, digits, letters, Tab for a reason, Esc for no", () => {
  expect(press(asked(approval), "enter")).toEqual({ say: "yes" });
  expect(press(asked(approval), "down", "enter")).toEqual({ say: "yes", holds: "session" });
  expect(press(asked(approval), "up", "enter")).toBe("words");
  expect(press(asked(approval), "4")).toEqual({ say: "no" });
  expect(press(asked(approval), "p")).toEqual({ say: "yes", holds: "project" });
  for (const question of [approval, choice, { ...approval, form: "confirm" as const }]) {
    expect(press(asked(question), "escape")).toEqual({ say: "no" });
    expect(press(asked(question), "n")).toEqual({ say: "no" });
    expect(press(asked(question), "tab")).toBe("words");
    expect(press(asked(question), "9")).toBeUndefined();
    expect(press(asked(question), "y")).toMatchObject({ say: "yes" });
  }
  expect(press(asked(choice), "enter")).toEqual({ say: "yes", option: "b" });
  expect(press(asked(choice), "y")).toEqual({ say: "yes", option: "b" });
  expect(press(asked(choice), "1")).toEqual({ say: "yes", option: "a" });
});

test("while something is typed only letters of an approval and digits are answers", () => {
  for (const combo of ["enter", "tab", "up", "escape"])
    expect(press(asked(approval, { free: false }), combo)).toBe(undefined);
  expect(press(asked(approval, { free: false }), "y")).toEqual({ say: "yes" });
  expect(press(asked(choice, { free: false }), "y")).toBeUndefined();
});

test("of several hunks each can be left out, a yes to some is for once, and none of them is a no", () => {
  const hunks = [hunk("a:1"), hunk("a:2")];
  const some = asked(approval, { hunks });
  expect(press(some, "up", "space", "down", "enter")).toEqual({ say: "yes", choices: ["a:2"] });
  expect(press(some, "s")).toBeUndefined();
  expect(press(some, "1", "y")).toEqual({ say: "no" });
  expect(press(asked(approval, { hunks }), "enter")).toEqual({ say: "yes" });
});

test("several options are ticked by space or their digit, and Enter answers with all", () => {
  const several = { ...choice, multi: true as const };
  expect(press(asked(several), "1", "down", "space", "enter")).toEqual({ say: "yes", choices: ["a", "b"] });
  expect(press(asked(several), "enter")).toEqual({ say: "yes", option: "b" });
});

test("typed words are a reason for a no, and never a number of the list", () => {
  expect(inWords(choice, "2")).toEqual({ say: "no", words: "2" });
  expect(inWords(approval, "")).toEqual({ say: "no" });
});
