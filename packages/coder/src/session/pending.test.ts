import { expect, test } from "bun:test";
import { memoryStorage } from "@pith/agent";
import { journalIn } from "../test/scripted.ts";
import { Pending, sessionPending } from "./pending.ts";

const action = { tool: "ast_edit", label: "2 replacements in 1 file", plan: { print: "x" } };

test("a preview still waits after a resume, and is decided once", async () => {
  const storage = memoryStorage();
  const open = () => {
    const journal = journalIn(storage);
    return new Pending(sessionPending(journal.tree, (draft) => void journal.append(draft)));
  };
  open().push(action);
  const later = open();
  const plans: unknown[] = [];
  later.serve("ast_edit", async (plan) => {
    plans.push(plan);
    return { kind: "prose", data: {}, text: "done" };
  });
  expect([later.top, later.isFresh(action)]).toEqual([action, false]);
  await later.prepare(later.top ?? action, { signal: new AbortController().signal, without: [] });
  expect(plans).toEqual([{ print: "x" }]);
  expect([later.take(action), later.take(action)]).toEqual([true, false]);
  expect([later.top, open().top]).toEqual([undefined, undefined]);
});
