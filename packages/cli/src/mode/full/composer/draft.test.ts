import { expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, rmSync, statSync, symlinkSync, utimesSync } from "node:fs";
import { scratch } from "@pith/kit/test";
import { createFakeTimers } from "@pith/tui/test";
import { Drafts } from "./draft.ts";

function at(home: string, pid: number, alive: readonly number[] = [], cwd = "/work") {
  const timers = createFakeTimers();
  const told: string[] = [];
  const isAlive = (other: number) => alive.includes(other);
  const drafts = new Drafts({ home, cwd, pid, isAlive, timers, warn: (text) => told.push(text) });
  return { timers, told, drafts };
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
  expect(readdirSync(dir.at("drafts"))).toEqual([`${name}.damaged`]);
  expect(at(dir.path, 3).drafts.warnings).toEqual([]);
});

test("what is no draft but is called like one keeps nobody from typing", () => {
  using dir = scratch();
  const first = at(dir.path, 100);
  first.drafts.keep(() => ({ text: "mine", folds: [] }));
  first.drafts.flush();
  const [name = ""] = readdirSync(dir.at("drafts"));
  const called = (pid: number) => dir.at("drafts", name.replace("-100.", `-${pid}.`));
  mkdirSync(called(7));
  dir.write({ elsewhere: '{"text": "not mine"}' });
  symlinkSync(dir.at("elsewhere"), called(999));
  expect(at(dir.path, 2).drafts.left?.text).toBe("mine");
  expect(existsSync(called(7)) && existsSync(called(999))).toBeTrue();
});

test("of two drafts that were left, the newer one comes back first", () => {
  using dir = scratch();
  for (const [pid, text] of [
    [9, "newer"],
    [10, "older"],
  ] as const) {
    const { drafts } = at(dir.path, pid, [9, 10]);
    drafts.keep(() => ({ text, folds: [] }));
    drafts.flush();
  }
  const old = readdirSync(dir.at("drafts")).find((name) => name.endsWith("-10.json")) ?? "";
  utimesSync(dir.at("drafts", old), 1, 1);
  expect(at(dir.path, 20).drafts.left?.text).toBe("newer");
  expect(at(dir.path, 21, [20]).drafts.left?.text).toBe("older");
});

test("a home without room is said once, and what is typed is kept as soon as there is some", () => {
  using dir = scratch();
  dir.write({ drafts: "in the way" });
  const { drafts, told } = at(dir.path, 1);
  for (const text of ["a", "ab"]) {
    drafts.keep(() => ({ text, folds: [] }));
    drafts.flush();
  }
  expect(told).toHaveLength(1);
  rmSync(dir.at("drafts"));
  drafts.keep(() => ({ text: "abc", folds: [] }));
  drafts.flush();
  expect(at(dir.path, 2).drafts.left?.text).toBe("abc");
});
