// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are the shell's
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { until } from "@pith/kit/test";
import { processes } from "./table.ts";
import { startWatchdog } from "./watchdog.ts";

test("a watcher that is killed is replaced by one that knows what runs", async () => {
  const cookie = `pith-test-${crypto.randomUUID()}`;
  const child = Bun.spawn(["sleep", "60"], { detached: true, stdio: ["ignore", "ignore", "ignore"] });
  const watcher = startWatchdog({ groups: [], folders: [], variable: cookie, env: process.env });
  watcher?.begin("1", child.pid);
  const said = (pid: number) => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, "utf8");
    } catch {
      return "";
    }
  };
  const watching = () => processes().find(({ pid }) => said(pid).includes(cookie))?.pid;
  await until(() => watching() !== undefined, "a watcher");
  const first = watching();
  if (first) process.kill(first, "SIGKILL");
  await until(() => (watching() ?? first) !== first, "another watcher");
  watcher?.[Symbol.dispose]();
  await child.exited;
  expect(child.signalCode).toBe("SIGKILL");
});
