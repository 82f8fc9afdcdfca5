// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are the shell's
import { expect, test } from "bun:test";
import { endTree, leftovers, members, type ProcessTree, windowsKill } from "./tree.ts";

test("without control groups, what left its group, session and parent is found by its cookie and ended", async () => {
  const cookie = `PITH_RUN=test-${process.pid}.1`;
  const child = Bun.spawn(
    ["/bin/sh", "-c", "setsid sleep 333 & (setsid nohup sleep 334 >/dev/null 2>&1 &) ; sleep 0.05"],
    {
      env: { PATH: process.env.PATH, PITH_RUN: cookie.split("=")[1] },
      detached: true,
      stdio: ["ignore", "ignore", "ignore"],
    },
  );
  await child.exited;
  const tree: ProcessTree = { group: child.pid, cgroup: undefined, variable: cookie, orphans: "lost" };
  expect(members(tree)).toHaveLength(2);
  expect(leftovers(tree)).toBe("some");
  await endTree(tree);
  expect(leftovers(tree)).toBe("none");
});

test("on Windows a process is ended with all its children", () => {
  expect(windowsKill(42)).toEqual(["taskkill", "/PID", "42", "/T", "/F"]);
});
