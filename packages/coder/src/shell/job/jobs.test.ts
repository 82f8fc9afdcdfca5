import { expect, test } from "bun:test";
import { Jobs, type JobWork } from "./jobs.ts";

function work(label = "make"): JobWork & { end(text: string, failed?: boolean): Promise<void>; stopped: boolean } {
  const over = Promise.withResolvers<{ text: string; failed: boolean }>();
  const made = {
    type: "bash" as const,
    label,
    owner: "main",
    stopped: false,
    snapshot: () => "so far",
    done: over.promise,
    stop: () => {
      made.stopped = true;
      over.resolve({ text: "late words", failed: true });
    },
    async end(text: string, failed = false) {
      over.resolve({ text, failed });
      await over.promise;
      await Bun.sleep(0);
    },
  };
  return made;
}
const never = new AbortController().signal;
function table(maxRunning = 15) {
  const clock = { at: 0, now: () => clock.at };
  return { clock, jobs: new Jobs({ clock, maxRunning }) };
}

test("a job runs, ends, and is handed out once", async () => {
  const { jobs } = table();
  const [good, bad] = [work(), work()];
  expect([jobs.add(good).id, jobs.add(bad).id]).toEqual(["bash-1", "bash-2"]);
  await good.end("fine");
  await bad.end("broken", true);
  expect(jobs.list().map(({ status, text }) => [status, text])).toEqual([
    ["completed", "fine"],
    ["failed", "broken"],
  ]);
  expect(jobs.takeEnded().map(({ id }) => id)).toEqual(["bash-1", "bash-2"]);
  expect(jobs.takeEnded()).toEqual([]);
});

test("a job that somebody waits for or was told of is not handed out again", async () => {
  const { jobs } = table();
  const watched = work();
  jobs.add(watched);
  const waiting = jobs.wait(["bash-1"], "first", 60_000, never);
  await watched.end("x");
  expect(jobs.takeEnded()).toEqual([]);
  await waiting;
  jobs.acknowledge(["bash-1"]);
  expect(jobs.takeEnded()).toEqual([]);
});

test("what could not be told is handed out again", async () => {
  const { jobs } = table();
  const one = work();
  jobs.add(one);
  await one.end("x");
  jobs.putBack(jobs.takeEnded());
  expect(jobs.takeEnded()).toHaveLength(1);
});

test("a cancelled job stays cancelled whatever it says later, and its words are kept", async () => {
  const { jobs } = table();
  const one = work();
  jobs.add(one);
  expect(await jobs.cancel("bash-1")).toBe("cancelled");
  expect(one.stopped).toBe(true);
  expect(jobs.get("bash-1")).toMatchObject({ status: "cancelled", text: "late words" });
  expect(jobs.takeEnded()).toEqual([]);
  expect(await jobs.cancel("bash-1")).toBe("already_cancelled");
  expect(await jobs.cancel("bash-9")).toBe("not_found");
  const failed = work();
  jobs.add(failed);
  await failed.end("x", true);
  expect(await jobs.cancel("bash-2")).toBe("already_failed");
});

test("waiting ends with the first, with all, with the time or with the signal, and cancels nothing", async () => {
  const { jobs } = table();
  const [one, two] = [work(), work()];
  jobs.add(one);
  jobs.add(two);
  await jobs.wait(["bash-1", "bash-2"], "first", 10, never);
  await jobs.wait(["bash-1"], "first", 60_000, AbortSignal.abort());
  const first = jobs.wait(["bash-1", "bash-2"], "first", 60_000, never);
  const all = jobs.wait(["bash-1", "bash-2"], "all", 60_000, never);
  await one.end("1");
  await first;
  expect(jobs.running()).toHaveLength(1);
  await two.end("2");
  await all;
});

test("a finished job is remembered for five minutes, one that nobody was told of for as long as it takes", async () => {
  const { jobs, clock } = table();
  const [told, untold] = [work(), work()];
  jobs.add(told);
  jobs.add(untold);
  await told.end("x");
  await untold.end("y");
  jobs.acknowledge(["bash-1"]);
  clock.at = 5 * 60_000;
  expect(jobs.get("bash-1")).toBeDefined();
  clock.at++;
  expect(jobs.get("bash-1")).toBeUndefined();
  expect(jobs.takeEnded().map(({ id }) => id)).toEqual(["bash-2"]);
});

test("no more than the limit run at once", async () => {
  const { jobs } = table(2);
  jobs.add(work());
  const second = work();
  jobs.add(second);
  expect(jobs.hasRoom()).toMatchObject({ ok: false, kind: "full" });
  await second.end("x");
  expect(jobs.hasRoom().ok).toBe(true);
});

test("an agent sees its own jobs", () => {
  const { jobs } = table();
  jobs.add(work());
  jobs.add({ ...work(), owner: "child" });
  expect(jobs.list("child").map(({ id }) => id)).toEqual(["bash-2"]);
});

test("the end of a session ends all of them", async () => {
  const { jobs } = table();
  const all = [work(), work()];
  for (const one of all) jobs.add(one);
  await jobs.close();
  expect(all.map(({ stopped }) => stopped)).toEqual([true, true]);
});

test("an ended job keeps its text and nothing of what ran it; of many the newest are remembered", async () => {
  const { jobs } = table();
  const first = work();
  const job = jobs.add(first);
  expect(job.snapshot()).toBe("so far");
  await first.end("all of it");
  expect(job.snapshot()).toBe("all of it");
  for (let n = 2; n <= 80; n++) {
    const next = work();
    jobs.add(next);
    await next.end(`end ${n}`);
    // The first was never told of, and stays until it is.
    jobs.acknowledge([`bash-${n}`]);
  }
  const ids = jobs.list().map(({ id }) => id);
  expect(ids).toHaveLength(51);
  expect([ids[0], ids[1], ids.at(-1)]).toEqual(["bash-1", "bash-31", "bash-80"]);
});
