import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileStorage, Journal } from "../../packages/agent/src/index.ts";
import { systemClock } from "../../packages/kit/src/index.ts";
import { scratch } from "../scratch.ts";

test("processes that fight for a session, and die with it in their hands, never write to it at the same time", async () => {
  using dir = scratch();
  const file = dir.at("session.jsonl");
  const first = Journal.create({ storage: () => fileStorage(file), clock: systemClock, onFault: () => {} }, { cwd: "/project" });
  first.append({ type: "custom", customType: "turn" });
  await first.close();
  const racers = Array.from({ length: 4 }, () =>
    Bun.spawn([process.execPath, join(import.meta.dir, "session-racer.ts"), file, "1500"], { stdout: "pipe", stderr: "pipe" }),
  );
  const complaints = await Promise.all(racers.map((racer) => new Response(racer.stderr).text()));
  await Promise.all(racers.map((racer) => racer.exited));
  expect(complaints.join("")).toBe("");
  const opened = Journal.open({ storage: fileStorage(file), clock: systemClock, onFault: () => {} });
  if (!opened.ok) throw new Error(opened.message);
  const { tree } = opened.value.journal;
  // Two that wrote at the same time would have hung their entries on the same one.
  expect(tree.pathTo()).toHaveLength(tree.size);
  expect(tree.size).toBeGreaterThan(10);
  await opened.value.journal.close();
  expect(existsSync(`${file}.lock`)).toBe(false);
}, 30_000);
