// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are the shell's
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { scratch, until } from "@pith/kit/test";
import { need } from "../../../../../test/need.ts";
import { processes } from "./table.ts";
import { startWatchdog, watchdogScript } from "./watchdog.ts";

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

test.skipIf(process.getuid?.() !== 0 || need("unshare") !== undefined)(
  "where there is no /proc, as on macOS, a watcher finds by ps what left its group",
  async () => {
    using dir = scratch();
    const start = () => Bun.spawn(["sleep", "60"], { detached: true, stdio: ["ignore", "ignore", "ignore"] });
    const [own, other, stranger] = [start(), start(), start()];
    const rows = [`${other.pid} sleep 60 A=1 RUN=x.1 B=2`, `${stranger.pid} sleep 60 RUN=x.11`, "12 RUN=x.1\\.("];
    dir.write({ "bin/ps": `#!/bin/sh\ntest "$*" = '-A -E -ww -o pid= -o command=' && cat ${dir.at("rows")}\n` });
    dir.write({ rows: rows.map((row) => `  ${row}\n`).join("") });
    Bun.spawnSync(["chmod", "+x", dir.at("bin/ps")]);
    // Once it has ended, ps tells no more of it.
    void other.exited.then(() => dir.write({ rows: "" }));
    const inside = 'mount -t tmpfs none /proc && exec /bin/sh -c "$1"';
    const script = watchdogScript({ groups: [], folders: [], variable: "RUN=x" });
    const watcher = Bun.spawn(["unshare", "--mount", "/bin/sh", "-c", inside, "sh", script], {
      stdin: Buffer.from(`+ 1 ${own.pid}\n`),
      env: { PATH: `${dir.at("bin")}:${process.env.PATH}` },
    });
    await watcher.exited;
    await Promise.all([own.exited, other.exited]);
    expect([own.signalCode, other.signalCode, stranger.signalCode]).toEqual(["SIGKILL", "SIGKILL", null]);
    stranger.kill("SIGKILL");
  },
  30_000,
);
