import { expect, test } from "bun:test";
import type { Question } from "@pith/agent";
import { call } from "../../../../test/fake.ts";
import { announcedMove, announcedQuestion } from "./announce.ts";
import { hunksOf, toggle } from "./pick.ts";

test("who listens hears what an edit comes down to, and which hunk is left out", () => {
  const question: Question = {
    id: "q",
    agent: "main",
    form: "approval",
    text: "edit writes /p/a",
    call: call("c", "edit", { path: "a", edits: [{ oldText: "x", newText: "y" }] }),
  };
  const patch = "@@ -1,1 +1,1 @@\n-x\n+y\n@@ -9,1 +9,1 @@\n-v\n+w\n";
  const hunks = hunksOf([{ path: "a", change: "modified", added: 2, removed: 2, patch }]);
  const heard = { question, hunks, picked: { at: -2, ticked: new Set<string>() } };
  const said = announcedQuestion(heard);
  expect(said).toContain("9 + w");
  expect(said).not.toContain("oldText");
  expect(said).toEndWith("Yes (y)\n  No (n)\n  No, and say why (r)");
  heard.picked.at = -1;
  toggle(heard.picked, "a:2");
  expect(announcedMove(heard)).toBe("hunk 2, modified a, is left out");
  toggle(heard.picked, "a:2");
  expect(announcedMove(heard)).toBe("hunk 2, modified a, is in");
});

test("who listens hears where they point and what is ticked", () => {
  const options = [
    { id: "a", label: "one" },
    { id: "b", label: "two" },
  ];
  const one: Question = { id: "q", agent: "main", form: "choose", text: "?", options };
  const several: Question = { ...one, multi: true };
  const ticked = new Set(["b"]);
  expect(announcedMove({ question: several, hunks: [], picked: { at: 1, ticked } })).toBe("2. two, ticked");
  expect(announcedMove({ question: one, hunks: [], picked: { at: 0, ticked } })).toBe("1. one");
});
