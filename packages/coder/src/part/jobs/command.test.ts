import { expect, test } from "bun:test";
import { ok } from "@pith/kit";
import { scratch } from "@pith/kit/test";
import { listDetached } from "../../shell/job/detached.ts";
import { Jobs } from "../../shell/job/jobs.ts";
import { said } from "../../test/command.ts";
import { jobsCommand } from "./command.ts";

test("people list, cancel and detach jobs", async () => {
  using dir = scratch();
  const jobs = new Jobs({ clock: { now: () => 0 }, maxRunning: 15, before: undefined, store: () => {} });
  const command = jobsCommand({ jobs, cwd: "/", logs: dir.path, now: () => 1000 });
  const say = (words: string) => said(command, words);
  expect(await say("")).toBe("There are no background jobs.");
  jobs.add({
    type: "bash",
    label: "make",
    owner: "main",
    done: new Promise(() => {}),
    pid: process.pid,
    stop() {},
    snapshot: () => "",
    detach: () => ok(dir.at("abc.log")),
  });
  expect(await say("")).toBe("1 job running\nbash-1  running  1.0 s  make");
  expect([await command.complete?.("c"), await command.complete?.("detach b")]).toEqual([
    ["cancel"],
    ["detach bash-1"],
  ]);
  expect(await say("detach bash-1")).toContain(`process ${process.pid}`);
  expect(listDetached(dir.path, 1000)).toMatchObject([
    { id: "abc", pid: process.pid, command: "make", state: "running" },
  ]);
  expect(await say("cancel bash-1")).toBe("failed: bash-1: already detached");
  expect(await say("detach bash-1")).toMatch(/^failed: .*cannot be detached/);
  expect(await say("nonsense")).toContain("failed: Usage");
});
