import { expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ok } from "@pith/kit";
import { until } from "../../../../test/until.ts";
import { listDetached } from "../job/detached.ts";
import { Jobs, type Work } from "../job/table.ts";
import { backoff, jobDelivery } from "./jobs.ts";

function made(send: (text: string) => Promise<void> = async () => {}) {
  const folder = mkdtempSync(join(tmpdir(), "pith-jobs-"));
  const jobs = new Jobs({ clock: { now: () => 0 }, most: 15 });
  const state = { busy: false, told: [] as string[], sent: [] as string[] };
  const own = jobDelivery({
    ...{ jobs, owner: "main", cwd: "/", folder, now: () => 1000, busy: () => state.busy, chance: () => 0 },
    send: async (text) => {
      await send(text);
      state.sent.push(text);
    },
    tell: (text) => void state.told.push(text),
  });
  return {
    ...{ jobs, own, state, folder },
    [Symbol.dispose]() {
      own[Symbol.dispose]();
      rmSync(folder, { recursive: true });
    },
  };
}
const work = (more: Partial<Work> = {}): Work => ({
  ...{ type: "bash", label: "make", owner: "main", done: Bun.sleep(5).then(() => ({ text: "built", failed: false })), stop() {}, snapshot: () => "" },
  ...more,
});
const turn = {} as never;

test("a job that ends while nobody works begins a turn, once", async () => {
  using it = made();
  it.jobs.add(work());
  await until(() => it.state.sent.length > 0, "the turn");
  expect(it.state.sent).toEqual(["Background job bash-1 (make) has completed after 0.0 s.\n\nbuilt"]);
  expect(await it.own.settle?.(turn)).toEqual({ do: "done" });
});

test("a job that ends during a turn is told at its end, once", async () => {
  using it = made();
  it.state.busy = true;
  it.jobs.add(work());
  await until(() => it.jobs.running().length === 0, "the end of the job");
  expect(it.state.sent).toEqual([]);
  expect(await it.own.settle?.(turn)).toMatchObject({ do: "go on", note: expect.stringContaining("built") });
  it.state.busy = false;
  it.own.idle();
  await Bun.sleep(0);
  expect(it.state.sent).toEqual([]);
});

test("what a turn did not tell before it ended is told after it", async () => {
  using it = made();
  it.state.busy = true;
  it.jobs.add(work());
  await until(() => it.jobs.running().length === 0, "the end of the job");
  it.state.busy = false;
  it.own.idle();
  await until(() => it.state.sent.length === 1, "the message");
});

test("a delivery that fails is tried again later, with growing patience", async () => {
  let tries = 0;
  using it = made(async () => {
    if (++tries === 1) throw new Error("not now");
  });
  it.jobs.add(work());
  await until(() => it.state.sent.length === 1, "the message");
  expect(tries).toBe(2);
  expect([0, 1, 5, 6, 20].map((n) => backoff(n, 0))).toEqual([500, 1000, 16_000, 30_000, 30_000]);
  expect(backoff(0, 0.999)).toBe(699);
});

test("people list, cancel and detach jobs", async () => {
  using it = made();
  const say = async (text: string) => {
    await it.own.input?.({ text });
    return it.state.told.at(-1);
  };
  expect(await say("/jobs")).toBe("There are no background jobs.");
  it.jobs.add(work({ done: new Promise(() => {}), pid: process.pid, detach: () => ok(join(it.folder, "abc.log")) }));
  expect(await say("/jobs")).toBe("1 job running\nbash-1  running  1.0 s  make");
  expect(await say("/jobs detach bash-1")).toContain(`process ${process.pid}`);
  expect(listDetached(it.folder, 1000)).toMatchObject([{ id: "abc", pid: process.pid, command: "make", state: "running" }]);
  expect(await say("/jobs cancel bash-1")).toBe("bash-1: already detached");
  expect(await say("/jobs detach bash-1")).toContain("cannot be detached");
  expect(await say("/jobs nonsense")).toContain("Usage");
  expect(await it.own.input?.({ text: "/jobsite" })).toEqual({ text: "/jobsite" });
});
