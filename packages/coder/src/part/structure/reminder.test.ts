import { expect, test } from "bun:test";
import { memoryStorage } from "@pith/agent";
import type { Request } from "@pith/llm";
import { Pending, sessionPending } from "../../session/pending.ts";
import { journalIn, turn } from "../../test/scripted.ts";
import { pendingReminder } from "./reminder.ts";

const action = { tool: "ast_edit", label: "2 replacements in 1 file", plan: { print: "x" } };
const request = { tools: [{ name: "resolve" }] } as unknown as Request;

/** The pending actions of a session, and its reminder; opened again with the same storage, it is a resume. */
function session(storage = memoryStorage()) {
  const journal = journalIn(storage);
  const pending = new Pending(sessionPending(journal.tree, (draft) => void journal.append(draft)));
  const hook = pendingReminder(pending, (draft) => void journal.append(draft));
  const asked = async () => {
    hook.step?.(turn());
    return (await hook.context?.(request))?.demand;
  };
  const notes = () => journal.tree.pathTo().filter((entry) => entry.type === "custom_message").length;
  return { storage, pending, hook, asked, notes };
}

test("the first request after a preview has to decide about it, and no other", async () => {
  const { pending, hook, asked, notes } = session();
  expect(await asked()).toBeUndefined();
  pending.push(action);
  expect([await asked(), await asked()]).toEqual(["resolve", undefined]);
  expect(notes()).toBe(1);
  expect(await hook.settle?.(turn())).toMatchObject({ do: "go on" });
  expect(await hook.settle?.(turn())).toEqual({ do: "done" });
});

test("after a resume the model is reminded of a preview, and not made to answer about nothing else", async () => {
  const first = session();
  first.pending.push(action);
  const { asked, notes } = session(first.storage);
  expect(await asked()).toBeUndefined();
  expect(notes()).toBe(1);
});
