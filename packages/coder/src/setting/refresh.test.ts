import { expect, test } from "bun:test";
import { statSync, utimesSync, writeFileSync } from "node:fs";
import { scratch } from "@pith/kit/test";
import { openSettings } from "../test/settings.ts";

async function opened(dir: ReturnType<typeof scratch>) {
  dir.write({ "home/config.yml": "bash.timeout: 11\n", "work/.keep": "" });
  utimesSync(dir.at("home/config.yml"), 1000, 1000);
  const settings = await openSettings({ cwd: dir.at("work"), home: dir.at("home") });
  if (!settings.ok) throw new Error(settings.message);
  return settings.value;
}

test("a setting that changes while files are read is not seen with the next look either", async () => {
  using dir = scratch();
  const settings = await opened(dir);
  dir.write({ "home/config.yml": "bash.timeout: 222\n" });
  const reading = settings.refresh();
  dir.write({ "home/config.yml": "bash.timeout: 3\n" });
  await reading;
  await settings.refresh();
  expect(settings.get("bash.timeout")).toBe(3);
});

test("a setting that changes below the same size and time is not seen", async () => {
  using dir = scratch();
  const settings = await opened(dir);
  const file = dir.at("home/config.yml");
  const { ctimeMs } = statSync(file);
  // The system counts by its own ticks.
  while (statSync(file).ctimeMs === ctimeMs) {
    writeFileSync(file, "bash.timeout: 22\n");
    utimesSync(file, 1000, 1000);
  }
  expect((await settings.refresh()).changed).toEqual(["bash.timeout"]);
});
