import { afterAll, expect, test } from "bun:test";
import { join } from "node:path";
import { fileStorage, Journal } from "../../packages/agent/src/index.ts";
import { systemClock } from "../../packages/kit/src/index.ts";
import { scratch } from "../scratch.ts";

const { path: root } = scratch(afterAll);

/** More rounds by hand: `PITH_KILLS=500 bun test test/flow/session-kill.test.ts`. */
const kills = Number(process.env.PITH_KILLS ?? 12);

test("a process killed at any moment has lost no entry that it told, and the next one goes on", async () => {
  const file = join(root, "session.jsonl");
  const told: string[] = [];
  for (let round = 0; round < kills; round++) {
    const child = Bun.spawn([process.execPath, join(import.meta.dir, "session-writer.ts"), file, join(root, "blobs")], {
      stdout: "pipe",
      stderr: "pipe",
    });
    const complaints = new Response(child.stderr).text();
    let said = "";
    for await (const chunk of child.stdout) {
      // From its first word on, so that a slow start does not end every round before it began.
      if (said === "") setTimeout(() => child.kill("SIGKILL"), Math.random() * 120);
      said += Buffer.from(chunk).toString();
    }
    expect(await complaints).toBe("");
    told.push(...said.split("\n").filter((id, at, all) => at < all.length - 1 && id !== ""));
  }
  const opened = Journal.open({ storage: fileStorage(file), clock: systemClock, onFault: () => {} });
  if (!opened.ok) throw new Error(opened.message);
  const path = new Set(opened.value.journal.tree.pathTo().map((entry) => entry.id));
  expect(told.length).toBeGreaterThan(kills);
  expect(told.filter((id) => !path.has(id))).toEqual([]);
  await opened.value.journal.close();
}, 600_000);
