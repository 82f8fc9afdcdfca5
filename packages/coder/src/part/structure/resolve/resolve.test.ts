import { expect, test } from "bun:test";
import { type Intent, type Outcome, refusal, touch } from "@pith/agent";
import { Pending } from "../../../session/pending.ts";
import { intentOf, pathsOf, runTool } from "../../../test/run.ts";
import { resolve } from "./resolve.ts";

const call = { id: "1", signal: new AbortController().signal, progress() {} };
const done: Outcome = { kind: "prose", data: {}, text: "done" };
const apply = { action: "apply" as const, reason: "right" };
const discard = { action: "discard" as const, reason: "too much" };

/** A tool that would write the file it is asked for. */
const writes =
  (log: string[]) =>
  async (plan: unknown): Promise<Intent> => ({
    effect: "write",
    paths: [touch("write", `/${plan}`)],
    run: async () => {
      log.push(String(plan));
      return done;
    },
  });

test("apply does the newest shown action, once, and is judged by what that writes now", async () => {
  const pending = new Pending();
  const log: string[] = [];
  pending.serve("t", writes(log));
  for (const label of ["old", "new"]) pending.push({ tool: "t", label, plan: label });
  const tool = resolve(pending);
  expect((await intentOf(tool, apply)).effect).toBe("write");
  expect(await pathsOf(tool, apply)).toEqual(["/new"]);
  expect(await runTool(tool, apply, call)).toBe(done);
  expect(await runTool(tool, apply, call)).toBe(done);
  expect(log).toEqual(["new", "old"]);
  expect(await runTool(tool, apply, call)).toMatchObject({
    failed: true,
    text: expect.stringContaining("Nothing waits"),
  });
});

test("discard drops it and writes nothing", async () => {
  const pending = new Pending();
  pending.serve("t", () => Promise.reject(new Error("must not be prepared")));
  pending.push({ tool: "t", label: "3 replacements", plan: undefined });
  const intent = await intentOf(resolve(pending), discard);
  expect(intent).toMatchObject({ effect: "read", paths: [] });
  expect(pending.top).toBeDefined();
  expect((await intent.run(call)).text).toBe("Discarded: 3 replacements. Nothing was changed. Reason: too much");
  expect(pending.top).toBeUndefined();
});

test("what can no longer be done is told and goes, so that the one before it can be decided", async () => {
  const pending = new Pending();
  pending.serve("t", async () => refusal("stale"));
  pending.push({ tool: "t", label: "first", plan: 1 });
  pending.push({ tool: "gone", label: "second", plan: 2 });
  expect((await runTool(resolve(pending), apply, call)).text).toContain(
    "The tool gone, which has shown this, is not there any more",
  );
  expect(await runTool(resolve(pending), apply, call)).toMatchObject({ failed: true, text: "stale" });
  expect(pending.top).toBeUndefined();
});

test("an answer about one preview does not decide about another that came in between", async () => {
  const pending = new Pending();
  const log: string[] = [];
  pending.serve("t", writes(log));
  pending.push({ tool: "t", label: "judged", plan: "judged" });
  const intents = [await intentOf(resolve(pending), apply), await intentOf(resolve(pending), discard)];
  pending.push({ tool: "t", label: "later", plan: "later" });
  for (const intent of intents) expect(await intent.run(call)).toMatchObject({ failed: true });
  expect([log, pending.top?.label]).toEqual([[], "later"]);
});

test("a record that holds something else than previews is no reason to fail", async () => {
  const waiting = [null, 7, { tool: 1 }, { label: "x" }] as never[];
  const pending = new Pending({ load: () => waiting, save() {} });
  expect(await runTool(resolve(pending), apply, call)).toMatchObject({ failed: true });
});
