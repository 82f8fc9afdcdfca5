import { expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { scratch } from "@pith/kit/test";
import { need } from "../../../../../test/need.ts";
import { trySandbox } from "./trial.ts";

const missing = process.platform !== "linux" ? "Linux" : (need("curl") ?? need("bwrap"));
const shut = (folder: string, ...more: string[]) => [
  "bwrap",
  ...["--ro-bind", "/", "/", "--dev", "/dev", "--tmpfs", "/tmp", "--tmpfs", folder, "--unshare-net"],
  ...more,
];

test.skipIf(missing !== undefined)(
  "a sandbox passes its trial only where reads, writes, sockets and hosts are all refused",
  async () => {
    using dir = scratch();
    const trial = (wrap: (argv: readonly string[]) => string[]) => trySandbox(dir.path, wrap);
    expect(await trial((argv) => [...shut(dir.path), ...argv])).toBe("");
    expect(await trial((argv) => [...argv])).toBe("a command can read what its sandbox hides");
    const holes: readonly [string[], string][] = [
      [["--ro-bind", dir.path, dir.path], "a command can read what its sandbox hides"],
      [["--share-net"], "a command can reach a socket or host outside of its sandbox"],
      [["--bind", "/tmp", "/tmp", "--tmpfs", dir.path], "a command can reach a socket or host outside of its sandbox"],
    ];
    for (const [hole, why] of holes) expect(await trial((argv) => [...shut(dir.path, ...hole), ...argv])).toBe(why);
    // What it wrote is there afterwards, and goes.
    const written = (argv: readonly string[]) => ["/bin/sh", "-c", `: > ${dir.at("written")}; exit 0`, ...argv];
    expect(await trial(written)).toBe("a command can write outside of its sandbox");
    expect(await trial(() => ["/bin/sh", "-c", "exit 15"])).toContain("no curl");
    expect(await trial(() => ["/nonexistent/sandbox-exec"])).not.toBe("");
    expect(readdirSync(dir.path)).toEqual([]);
  },
  60_000,
);
