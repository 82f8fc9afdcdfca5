import { expect, test } from "bun:test";
import type { Draft, Entry, Tree } from "@pith/agent";
import type { Request } from "@pith/llm";
import { Pending, pendingReminder, sessionPending } from "./pending.ts";

const action = { tool: "ast_edit", label: "2 replacements in 1 file", plan: { print: "x" } };
const request = { tools: [{ name: "resolve" }] } as unknown as Request;
const turn = {} as never;

/** A session that keeps what is recorded in it. */
function session() {
  const entries: Draft[] = [];
  const tree = {
    lastCustom: (code: string) => entries.findLast((entry) => "customType" in entry && entry.customType === code),
  } as unknown as Tree;
  const record = (draft: Draft) => {
    entries.push(draft);
    return draft as Entry;
  };
  return { entries, open: () => new Pending(sessionPending(tree, record)), record };
}

test("the first request after a preview has to decide about it, and no other", async () => {
  const { open, record, entries } = session();
  const pending = open();
  const own = pendingReminder(pending, record);
  const asked = async () => {
    own.step?.(turn);
    return (await own.context?.(request))?.demand;
  };
  expect(await asked()).toBeUndefined();
  pending.push(action);
  expect([await asked(), await asked()]).toEqual(["resolve", undefined]);
  expect(entries.filter((entry) => entry.type === "custom_message")).toHaveLength(1);
  expect(await own.settle?.(turn)).toMatchObject({ do: "go on" });
  expect(await own.settle?.(turn)).toEqual({ do: "done" });
});

test("a preview still waits after a resume: the model is reminded of it, and not made to answer about nothing else", async () => {
  const { open, record } = session();
  open().push(action);
  const later = open();
  const own = pendingReminder(later, record);
  own.step?.(turn);
  expect((await own.context?.(request))?.demand).toBeUndefined();
  const plans: unknown[] = [];
  later.serve("ast_edit", async (plan) => {
    plans.push(plan);
    return { kind: "prose", data: {}, text: "done" };
  });
  await later.prepare(later.top ?? action, { signal: new AbortController().signal, without: [] });
  expect(plans).toEqual([{ print: "x" }]);
  expect(later.take(action)).toBe(true);
  expect([later.top, open().top]).toEqual([undefined, undefined]);
});
