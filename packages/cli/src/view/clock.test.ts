import { expect, test } from "bun:test";
import { join } from "node:path";

test.each([
  ["Asia/Kolkata", "2030-01-01 01:05 01:05"],
  ["America/New_York", "2029-12-31 14:35 14:35"],
])("a time is told by the clock of %s, where the reader is", (TZ, said) => {
  const from = JSON.stringify(join(import.meta.dir, "clock.ts"));
  const time = Date.UTC(2029, 11, 31, 19, 35);
  const code = `import { dayAndMinute, minuteOf } from ${from}; console.log(dayAndMinute(${time}), minuteOf(${time}))`;
  const { stdout } = Bun.spawnSync([process.execPath, "-e", code], { env: { TZ } });
  expect(stdout.toString()).toBe(`${said}\n`);
});
