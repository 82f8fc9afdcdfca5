import { expect, test } from "bun:test";
import type { Outcome } from "@pith/agent";
import { until } from "@pith/kit/test";
import { Jobs, type JobWork } from "../../../shell/job/jobs.ts";
import { intentOf, runTool } from "../../../test/run.ts";
import { job } from "./job.ts";

const over = (ms: number, text: string, failed = false) => Bun.sleep(ms).then(() => ({ text, failed }));
const work = (done: JobWork["done"], owner = "main"): JobWork => ({
  type: "bash",
  label: "make all",
  owner,
  done,
  stop() {},
  snapshot: () => "building",
});
const call = (signal = new AbortController().signal, progress: (part: Outcome) => void = () => {}) => ({
  id: "1",
  signal,
  progress,
});
function made(wait: "5s" | "30s" = "30s") {
  const jobs = new Jobs({ clock: { now: () => 0 }, maxRunning: 15 });
  return { jobs, tool: job({ jobs, owner: "main", wait, now: () => 2500 }) };
}

test("without jobs it says so", async () => {
  expect((await runTool(job({ now: () => 0 }), {}, call())).text).toBe(
    "There are no background jobs here: async.enabled is off.",
  );
});

test("with nothing to wait for it says so", async () => {
  const { tool } = made();
  expect((await runTool(tool, {}, call())).text).toBe("Nothing runs in the background; there is nothing to wait for.");
  expect((await runTool(tool, { poll: ["bash-7"] }, call())).text).toBe("There is no job bash-7; `list` shows them.");
  expect((await runTool(tool, { list: true }, call())).text).toBe("No background jobs.");
});

test("a list stands alone and shows the agent's own jobs", async () => {
  const { jobs, tool } = made();
  jobs.add(work(new Promise(() => {})));
  jobs.add(work(new Promise(() => {}), "child"));
  expect(await runTool(tool, { list: true, poll: ["bash-1"] }, call())).toMatchObject({ failed: true });
  const { data, text } = await runTool(tool, { list: true }, call());
  expect(data).toMatchObject({
    jobs: [{ id: "bash-1", type: "bash", status: "running", label: "make all", durationMs: 2500 }],
  });
  expect(text).toBe("## Still Running (1)\n\n### bash-1 [running] make all (2.5 s)\nbuilding");
});

test("it waits for the first to end, tells it, and nobody tells it again", async () => {
  const { jobs, tool } = made();
  jobs.add(work(over(20, "done", true)));
  jobs.add(work(new Promise(() => {})));
  const shown: Outcome[] = [];
  const got = await runTool(
    tool,
    {},
    call(undefined, (part) => shown.push(part)),
  );
  expect(shown.length).toBeGreaterThanOrEqual(1);
  expect(got.text).toContain("## Completed (1)\n\n### bash-1 [failed] make all (0.0 s)\ndone\n\n## Still Running (1)");
  expect(got.data).toMatchObject({ jobs: [{ errorText: "done" }, { status: "running" }] });
  expect(jobs.takeEnded()).toEqual([]);
});

test("it waits for all when asked to", async () => {
  const { jobs, tool } = made();
  jobs.add(work(over(10, "one")));
  jobs.add(work(over(40, "two")));
  expect((await runTool(tool, { poll: ["bash-1", "bash-2"], all: true }, call())).text).toContain("## Completed (2)");
});

test("an interruption is no error and ends no job", async () => {
  const { jobs, tool } = made();
  jobs.add(work(new Promise(() => {})));
  const stop = new AbortController();
  // It shows what it waits for as soon as it waits.
  const got = await runTool(
    tool,
    { poll: ["bash-1", "bash-8"] },
    call(stop.signal, () => stop.abort()),
  );
  expect(got.failed).toBeUndefined();
  expect(got.text).toEndWith("No such job: bash-8");
  expect(jobs.running()).toHaveLength(1);
});

test("each wish to end a job has its outcome, and alone it does not wait", async () => {
  const { jobs, tool } = made();
  const end = Promise.withResolvers<{ text: string; failed: boolean }>();
  jobs.add({ ...work(end.promise), stop: () => end.resolve({ text: "ended", failed: true }) });
  jobs.add(work(over(0, "x")));
  jobs.add(work(new Promise(() => {})));
  await until(() => jobs.get("bash-2")?.status === "completed", "the end of a job");
  const got = await runTool(tool, { cancel: ["bash-1", "bash-2", "bash-9"] }, call());
  expect(got.data).toMatchObject({
    cancelled: [
      { id: "bash-1", outcome: "cancelled" },
      { id: "bash-2", outcome: "already_completed" },
      { id: "bash-9", outcome: "not_found" },
    ],
  });
  expect(got.text).toBe(
    "## Cancelled (2)\n\n- bash-1: cancelled\n\n- bash-2: already_completed\n\nNo such job: bash-9",
  );
});

test("a list that shows an end has told it, in its first and last lines; a poll shows all of it", async () => {
  const { jobs, tool } = made();
  const lines = Array.from({ length: 30 }, (_, i) => `line ${i + 1}`);
  jobs.add(work(over(0, lines.join("\n"))));
  await jobs.wait(["bash-1"], "first", 5000, new AbortController().signal);
  jobs.putBack(jobs.list());
  const { text } = await runTool(tool, { list: true }, call());
  expect(text.split("\n").slice(3)).toEqual([...lines.slice(0, 5), "[… 15 more …]", ...lines.slice(20)]);
  expect(jobs.takeEnded()).toEqual([]);
  expect((await runTool(tool, { poll: ["bash-1"] }, call())).text).toContain(lines.join("\n"));
});

test("of one that runs the first and the last lines are shown, and more when asked for", async () => {
  const { jobs, tool } = made();
  const lines = Array.from({ length: 40 }, (_, i) => (i === 0 ? "listening on 3000" : `request ${i}`));
  jobs.add({ ...work(new Promise(() => {})), snapshot: () => `${lines.join("\n")}\n` });
  const { text } = await runTool(tool, { list: true }, call());
  expect(text).toContain("listening on 3000\n");
  expect(text).toEndWith("\n[… 25 more …]\n".concat(lines.slice(30).join("\n")));
  expect((await runTool(tool, { list: true, lines: 40 }, call())).text).toEndWith(lines.join("\n"));
});

test("what tells the end of a job does not run beside other calls", () => {
  expect(made().tool.beside).toBeUndefined();
});

test("a job is ended when a call runs, not when it is looked at", async () => {
  const { jobs, tool } = made();
  let stopped = 0;
  jobs.add({ ...work(new Promise(() => {})), stop: () => void stopped++ });
  await intentOf(tool, { cancel: ["bash-1"] });
  expect(stopped).toBe(0);
});
