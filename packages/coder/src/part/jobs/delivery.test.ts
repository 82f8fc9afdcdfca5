import { expect, test } from "bun:test";
import { until } from "@pith/kit/test";
import { Jobs, type JobWork, type StoredJobs } from "../../shell/job/jobs.ts";
import { turn } from "../../test/scripted.ts";
import { backoff, jobDelivery } from "./delivery.ts";

function made(
  send: (text: string) => Promise<void> = async () => {},
  more: { before?: StoredJobs; after?: "more" | "end" } = {},
) {
  const state = {
    busy: false,
    told: [] as string[],
    sent: [] as string[],
    kept: undefined as StoredJobs | undefined,
    notes: [] as string[],
  };
  const store = (kept: StoredJobs) => {
    state.kept = structuredClone(kept);
  };
  const jobs = new Jobs({ clock: { now: () => 0 }, maxRunning: 15, before: more.before, store });
  const hook = jobDelivery({
    jobs,
    owner: "main",
    busy: () => state.busy,
    chance: () => 0,
    after: more.after ?? "more",
    record: (draft) => void state.notes.push(String((draft as { content?: unknown }).content)),
    send: async (text) => {
      await send(text);
      state.sent.push(text);
    },
    tell: (text) => void state.told.push(text),
  });
  return { jobs, hook, state, [Symbol.dispose]: () => hook[Symbol.dispose]() };
}
const work = (more: Partial<JobWork> = {}): JobWork => ({
  type: "bash",
  label: "make",
  owner: "main",
  done: Bun.sleep(5).then(() => ({ text: "built", failed: false })),
  stop() {},
  snapshot: () => "",
  ...more,
});
const done = { reason: "done" } as const;

test("a job that ends while nobody works begins a turn, once", async () => {
  using it = made();
  it.jobs.add(work());
  await until(() => it.state.sent.length > 0, "the turn");
  expect(it.state.sent).toEqual(["Background job bash-1 (make) has completed after 0.0 s.\n\nbuilt"]);
  expect(await it.hook.settle?.(turn())).toEqual({ do: "done" });
});

test("a job that ends during a turn is told with its next step, once", async () => {
  using it = made();
  it.state.busy = true;
  await it.hook.step?.(turn());
  it.jobs.add(work());
  await until(() => it.jobs.running().length === 0, "the end of the job");
  await it.hook.step?.(turn());
  expect(it.state.notes).toEqual(["Background job bash-1 (make) has completed after 0.0 s.\n\nbuilt"]);
  await it.hook.step?.(turn());
  expect([it.state.notes.length, await it.hook.settle?.(turn())]).toEqual([1, { do: "done" }]);
});

test("a job that ends after the last step of a turn is told before the turn ends, once", async () => {
  using it = made();
  it.state.busy = true;
  it.jobs.add(work());
  await until(() => it.jobs.running().length === 0, "the end of the job");
  expect(it.state.sent).toEqual([]);
  expect(await it.hook.settle?.(turn())).toMatchObject({ do: "go on", note: expect.stringContaining("built") });
  it.state.busy = false;
  it.hook.idle?.(done, turn());
  await Bun.sleep(0);
  expect(it.state.sent).toEqual([]);
});

test("what a turn did not tell before it ended is told after it", async () => {
  using it = made();
  it.state.busy = true;
  it.jobs.add(work());
  await until(() => it.jobs.running().length === 0, "the end of the job");
  it.state.busy = false;
  it.hook.idle?.(done, turn());
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

test("what ran when pith was killed is told by the next run, once, and its name is not given out again", async () => {
  using first = made();
  first.jobs.add(work({ label: "make\nall", done: new Promise(() => {}) }));
  using next = made(undefined, { before: first.state.kept as StoredJobs });
  expect(next.jobs.list()).toMatchObject([{ id: "bash-1", status: "lost", label: "make\nall" }]);
  await next.hook.step?.(turn());
  expect(next.state.notes).toEqual([
    "Background job bash-1 (make) was lost when pith ended.\n\n(what it wrote is lost)",
  ]);
  await next.hook.step?.(turn());
  expect(await next.hook.settle?.(turn())).toEqual({ do: "done" });
  expect(next.state.notes).toHaveLength(1);
  expect(await next.jobs.cancel("bash-1")).toBe("already_lost");
  expect(next.jobs.add(work()).id).toBe("bash-2");
  expect(next.state.kept).toMatchObject({ count: 2, open: [{ id: "bash-2" }] });
});

test("what ended untold, or with the session, is told by the next run with what it said", async () => {
  using first = made();
  first.state.busy = true;
  first.jobs.add(work());
  let stop = () => {};
  const done = new Promise<{ text: string; failed: boolean }>((end) => {
    stop = () => end({ text: "half", failed: true });
  });
  first.jobs.add(work({ label: "serve", done, stop: () => stop() }));
  await first.jobs.wait(["bash-1"], "first", 5000, new AbortController().signal);
  first.jobs.putBack(first.jobs.list());
  await first.jobs.close();
  using next = made(undefined, { before: first.state.kept as StoredJobs });
  await next.hook.step?.(turn());
  expect(next.state.notes).toEqual([
    "Background job bash-1 (make) has completed after 0.0 s.\n\nbuilt\n\nBackground job bash-2 (serve) was ended with the session.\n\nhalf",
  ]);
  expect(next.state.kept?.open).toEqual([]);
});

test("where the session ends with the turn, a model that would leave a job behind is told so once", async () => {
  using it = made(undefined, { after: "end" });
  it.jobs.add(work({ done: new Promise(() => {}) }));
  expect(await it.hook.settle?.(turn())).toMatchObject({ do: "go on", note: expect.stringContaining("bash-1 (make)") });
  expect(await it.hook.settle?.(turn())).toEqual({ do: "done" });
});
