// The weak model that small models' help is measured with: it can do its tasks, and stays what it was.
import { expect, test } from "bun:test";
import { join } from "node:path";
import { root } from "../need.ts";
import { scratch } from "../scratch.ts";
import { play } from "../weak/play.ts";
import { faultless, rates } from "../weak/rate.ts";
import { tasks } from "../weak/task.ts";

test.each(["default", "local"])("a model without faults finishes its task with the profile %s", async (profile) => {
  const [task] = tasks;
  if (!task) throw new Error("no task");
  using dir = scratch();
  const played = await play(dir, task, 1, faultless, profile);
  expect(played.finished).toBe(true);
  expect(played.requests).toBeGreaterThan(task.steps.length);
});

test("rates, tasks and faults are those that were fixed before anything was built against them", async () => {
  const hash = new Bun.CryptoHasher("sha256").update(JSON.stringify([rates, tasks]));
  // Without comments, which may be rewritten at any time.
  const code = new Bun.Transpiler({ loader: "ts" });
  for (const name of ["mind.ts", "call.ts"])
    hash.update(code.transformSync(await Bun.file(join(root, "test/weak", name)).text()));
  expect(hash.digest("hex")).toBe("980b60c6bca026c4b3aa1942ac026b9d8e803a01b31bdb0613f1088ffcfcd4e9");
});
