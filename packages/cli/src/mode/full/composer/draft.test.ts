import { expect, test } from "bun:test";
import { readdirSync, statSync } from "node:fs";
import { scratch } from "@pith/kit/test";
import { createFakeTimers } from "@pith/tui/test";
import { openDrafts } from "./draft.ts";

function at(home: string, pid: number, alive: readonly number[] = [], cwd = "/work") {
  const timers = createFakeTimers();
  return { timers, drafts: openDrafts({ home, cwd, pid, isAlive: (other) => alive.includes(other), timers }) };
}
const fold = { mark: "[paste #1 +12 lines]", content: { kind: "text" as const, text: "x\n".repeat(12) } };

test("what was typed is there again after the process was killed, with what was pasted", () => {
  using dir = scratch();
  const first = at(dir.path, 1);
  first.drafts.keep(() => ({ text: `look: ${fold.mark}`, folds: [fold] }));
  first.timers.advance(50);
  const { drafts } = at(dir.path, 2);
  expect(drafts.left).toEqual({ text: `look: ${fold.mark}`, folds: [fold] });
  // It has one owner: nobody gets it twice.
  expect(at(dir.path, 3, [2]).drafts.left).toBeUndefined();
  for (const name of readdirSync(dir.at("drafts"))) expect(statSync(dir.at("drafts", name)).mode & 0o777).toBe(0o600);
});

test("a draft of a pith that still runs, or of another directory, is left alone", () => {
  using dir = scratch();
  const first = at(dir.path, 1);
  first.drafts.keep(() => ({ text: "mine", folds: [] }));
  first.drafts.flush();
  expect(at(dir.path, 2, [1]).drafts.left).toBeUndefined();
  expect(at(dir.path, 2, [], "/elsewhere").drafts.left).toBeUndefined();
  expect(at(dir.path, 2).drafts.left?.text).toBe("mine");
});

test("a draft that was sent leaves nothing behind", () => {
  using dir = scratch();
  const { drafts } = at(dir.path, 1);
  drafts.keep(() => ({ text: "soon sent", folds: [fold] }));
  drafts.flush();
  drafts.keep(() => ({ text: "", folds: [] }));
  drafts.flush();
  expect(readdirSync(dir.at("drafts"))).toEqual([]);
});

test("a damaged draft is named, and typing begins empty", () => {
  using dir = scratch();
  const first = at(dir.path, 1);
  first.drafts.keep(() => ({ text: "x", folds: [] }));
  first.drafts.flush();
  const [name = ""] = readdirSync(dir.at("drafts"));
  dir.write({ [`drafts/${name}`]: '{"text": 7' });
  const { drafts } = at(dir.path, 2);
  expect(drafts.left).toBeUndefined();
  expect(drafts.warnings.join()).toContain(name);
});
