import { expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileStorage, Journal } from "../../packages/agent/src/index.ts";
import { hasher, systemClock } from "../../packages/kit/src/index.ts";
import { scratch } from "../scratch.ts";

test("processes that fight for a session, and die with it in hand, never write to it at the same time", async () => {
  using dir = scratch();
  const file = dir.at("session.jsonl");
  const first = Journal.create(
    { storage: () => fileStorage(file), clock: systemClock, onFault: () => {} },
    { cwd: "/project" },
  );
  first.append({ type: "custom", customType: "turn" });
  await first.close();
  const racers = Array.from({ length: 4 }, () =>
    Bun.spawn([process.execPath, join(import.meta.dir, "session-racer.ts"), file, "1500"], {
      stdout: "pipe",
      stderr: "pipe",
    }),
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
}, 120_000);

test("a process killed while it took over a dead one's session is in nobody's way", async () => {
  using dir = scratch();
  const file = dir.at("session.jsonl");
  const parts = { clock: systemClock, onFault: () => {} };
  const first = Journal.create({ ...parts, storage: () => fileStorage(file) }, { cwd: "/project" });
  first.append({ type: "custom", customType: "turn" });
  const lock = `${file}.lock`;
  const owner = JSON.parse(readFileSync(lock, "utf8"));
  await first.close();
  const dead = (start: number) => JSON.stringify({ ...owner, pid: 2 ** 22 + start, start: String(start) });
  writeFileSync(lock, dead(1));
  // Three in a row died with the right to remove in their hands, each that of the one before.
  let held = lock;
  for (const at of [1, 2, 3]) {
    const id = hasher("sha1")
      .update(held + dead(at))
      .digest("hex");
    const guard = `${lock}.take-${id}`;
    writeFileSync(guard, dead(at + 1));
    held = guard;
  }
  const opened = Journal.open({ ...parts, storage: fileStorage(file) });
  if (!opened.ok) throw new Error(opened.message);
  opened.value.journal.append({ type: "custom", customType: "turn" });
  expect(JSON.parse(readFileSync(lock, "utf8"))).toEqual(owner);
  await opened.value.journal.close();
  expect(readdirSync(dir.at()).filter((name) => name.includes(".lock"))).toEqual([]);
});
