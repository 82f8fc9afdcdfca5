// Killing pith at any moment leaves nothing behind: no process, network, folder or mount point.
import { expect, test } from "bun:test";
import { chownSync, existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { alive, until } from "../../packages/kit/src/test/index.ts";
import { need } from "../need.ts";
import { scratch } from "../scratch.ts";

const lacking = need("bwrap") !== undefined;
/** By hand more: PITH_KILLS=50. */
const kills = Number(process.env.PITH_KILLS ?? 3);
const places = ["/dev/shm", "/var/tmp", "/tmp"].filter((place) => existsSync(place));
const foldersOf = (pid: number) =>
  places.flatMap((place) => readdirSync(place).filter((name) => new RegExp(`^pith-shell-\\d+\\.${pid}-`).test(name)));

/** Network namespaces that somebody is in. */
function networks(): Set<string> {
  const found = new Set<string>();
  for (const pid of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
    try {
      found.add(readFileSync(`/proc/${pid}/net/dev`, "utf8").split("\n").length > 4 ? "shared" : pid);
    } catch {
      // It has ended meanwhile.
    }
  }
  return found;
}

const root = process.getuid?.() === 0;
const nobody = 65534;
const users = root ? (["root", "another user"] as const) : (["a user"] as const);

/** Mount points of this machine. */
const mountsBelow = (path: string) =>
  readFileSync("/proc/self/mounts", "utf8")
    .split("\n")
    .filter((line) => line.includes(path));

test.skipIf(lacking || need("setpriv") !== undefined).each(users)(
  "as %s: nothing stays behind when pith is killed while commands run behind the wall",
  async (who) => {
    using dir = scratch();
    mkdirSync(dir.at("p/.git/hooks"), { recursive: true });
    const isOther = who === "another user";
    const as = isOther ? ["setpriv", `--reuid=${nobody}`, `--regid=${nobody}`, "--clear-groups"] : [];
    if (isOther) for (const path of ["", "p", "p/.git", "p/.git/hooks"]) chownSync(dir.at(path), nobody, nobody);
    const before = readdirSync(dir.at("p"));
    const mark = `77${process.pid}`;
    for (let round = 0; round < kills; round++) {
      const child = Bun.spawn([...as, process.execPath, join(import.meta.dir, "wall-loop.ts"), dir.path, mark], {
        // Nothing else of the environment: a runner that ends all it began would end the watcher too.
        env: { PATH: process.env.PATH ?? "" },
        stdio: ["ignore", "pipe", "inherit"],
      });
      // Every second time also while it begins.
      if (round % 2 === 0) await child.stdout.getReader().read();
      await Bun.sleep(Math.random() * 250);
      child.kill("SIGKILL");
      await child.exited;
      await until(() => alive(mark).length === 0, "the end of all commands");
      await until(
        () => alive(dir.path).length === 0 && mountsBelow(dir.path).length === 0,
        "the end of everything that knows the project",
      );
      await until(() => foldersOf(child.pid).length === 0, "the end of its folders");
      expect(readdirSync(dir.at("p")).filter((name) => name !== "made")).toEqual(before);
      expect(networks().has(String(child.pid))).toBe(false);
    }
  },
  120_000,
);
