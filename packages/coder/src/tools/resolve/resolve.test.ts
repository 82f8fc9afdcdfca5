import { expect, test } from "bun:test";
import type { Outcome } from "@pith/agent";
import { Pending } from "../../behaviour/pending.ts";
import { intentOf, pathsOf, runTool } from "../../test/run.ts";
import { resolve } from "./resolve.ts";

const call = { id: "1", signal: new AbortController().signal, progress() {} };
const done: Outcome = { kind: "prose", data: {}, text: "done" };

test("apply does the newest shown action, once", async () => {
  const pending = new Pending();
  const log: string[] = [];
  pending.serve("t", async (plan) => {
    log.push(String(plan));
    return done;
  });
  for (const label of ["old", "new"]) pending.push({ tool: "t", label, paths: [`/${label}`], plan: label });
  const own = resolve(pending);
  const apply = { action: "apply" as const, reason: "right" };
  expect((await intentOf(own, apply)).effect).toBe("write");
  expect(await pathsOf(own, apply)).toEqual(["/new"]);
  expect(await runTool(own, apply, call)).toBe(done);
  expect(await runTool(own, apply, call)).toBe(done);
  expect(log).toEqual(["new", "old"]);
  expect(await runTool(own, apply, call)).toMatchObject({
    failed: true,
    text: expect.stringContaining("Nothing waits"),
  });
});

test("discard drops it and writes nothing", async () => {
  const pending = new Pending();
  pending.serve("t", () => Promise.reject(new Error("must not run")));
  pending.push({ tool: "t", label: "3 replacements", paths: ["/a"], plan: undefined });
  const own = resolve(pending);
  const discard = { action: "discard" as const, reason: "too much" };
  expect([(await intentOf(own, discard)).effect, await pathsOf(own, discard)]).toEqual(["read", []]);
  expect((await runTool(own, discard, call)).text).toBe(
    "Discarded: 3 replacements. Nothing was changed. Reason: too much",
  );
  expect(pending.top).toBeUndefined();
});
