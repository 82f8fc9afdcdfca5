// Mounts of the machine are no reason to refuse a command, and a path of the same name on another disk is not the
// project.
import { afterAll, expect, test } from "bun:test";
import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { join } from "node:path";
import { bubblewrapArgs } from "../../packages/host/src/exec/sandbox/bubblewrap.ts";
import { writeMountCheck } from "../../packages/host/src/exec/sandbox/mount-check.ts";
import { makePlan } from "../../packages/host/src/exec/sandbox/plan/plan.ts";
import { need } from "../need.ts";
import { program } from "../pith.ts";
import { run } from "../scratch.ts";

const lacking = ["bwrap", "setpriv", "unshare"].some((name) => need(name) !== undefined);
const root = process.getuid?.() === 0;
const nobody = 65534;
// Not below /tmp, which is another folder behind the wall.
const base = mkdtempSync(join(root ? "/srv" : (process.env.HOME ?? "/"), "pith-mounts-"));
chmodSync(base, 0o755);
afterAll(() => rmSync(base, { recursive: true, force: true }));

/** Runs `pith sandbox` in a project after some mounts, which nobody else sees and which go with it. */
async function behind(name: string, mounts: string, as: "root" | "nobody", work = "work") {
  const at = join(base, name);
  for (const folder of [work, "home", "tmp"]) {
    mkdirSync(join(at, folder), { recursive: true });
    if (as === "nobody") chownSync(join(at, folder), nobody, nobody);
  }
  const who = as === "root" ? "" : `setpriv --reuid=${nobody} --regid=${nobody} --clear-groups`;
  const script = `set -e; cd "$0"; ${mounts}\ncd "$0/${work}"; exec ${who} "$@"`;
  const command = ["sandbox", "--", "sh", "-c", "echo made >made; echo out >../out; cat made"];
  return await run(["unshare", "-m", "bash", "-c", script, at, ...program, ...command], {
    cwd: at,
    env: { HOME: join(at, "home"), TMPDIR: join(at, "tmp"), PATH: process.env.PATH ?? "" },
  });
}

test.skipIf(lacking || !root)(
  "a disk in a folder that the user may not enter does not refuse every command",
  async () => {
    const mounts = "mkdir -p shut/disk; mount -t tmpfs none shut/disk; chmod 700 shut";
    const { out, err } = await behind("shut", mounts, "nobody");
    expect([out, err]).toEqual(["made\n", expect.not.stringContaining("changed")]);
  },
);

test.skipIf(lacking || !root)("a disk that another is mounted over does not refuse every command", async () => {
  const mounts = "mkdir -p a/b; mount -t tmpfs none a/b; mount -t tmpfs none a";
  const { out, err } = await behind("covered", mounts, "root");
  expect([out, err]).toEqual(["made\n", expect.stringContaining("../out: Read-only")]);
});

test.skipIf(lacking || !root)("a project on a disk that covers others is worked in", async () => {
  const mounts = `mkdir -p a/p; mount -t tmpfs none a/p; mount -t tmpfs none a; mkdir a/p
    mount -t tmpfs none a/p; mount -t tmpfs none a/p; mkdir "a/p/$(printf 'd \\377')"; mount -t tmpfs none a/p/d*`;
  const { out, err } = await behind("on-it", mounts, "root", "a/p");
  expect([out, err]).toEqual(["made\n", expect.stringContaining("../out: Read-only")]);
});

test.skipIf(lacking || !existsSync("/dev/shm"))(
  "what stands on another disk under the name of the project is not taken for it",
  async () => {
    const work = realpathSync(base);
    const copy = join("/dev/shm", work);
    const own = join(base, "own");
    for (const folder of [join(work, "p"), join(copy, "p"), join(base, "t"), own])
      mkdirSync(folder, { recursive: true });
    const env = { PATH: process.env.PATH, HOME: join(base, "none") };
    const folders = [join(work, "p")];
    const plan = makePlan({
      mode: "workspace",
      folders,
      home: env.HOME,
      closed: [],
      readable: [],
      tmp: join(base, "t"),
      repositories: [],
      closedByRule: [],
      env,
    });
    const check = writeMountCheck(plan, own);
    const args = bubblewrapArgs({ plan, own, network: "own" });
    const built = (argv: string[]) =>
      run(["bwrap", ...argv, "bash", "-c", `. "$0"; echo ran`, check], { cwd: "/", env: { PATH: env.PATH ?? "" } });
    // As it is where a link stood there for as long as bubblewrap looked at what to mount.
    const swapped = args.map((word, at) => (word === folders[0] && args[at - 1] === "--bind" ? join(copy, "p") : word));
    const [good, bad] = [await built(args), await built(swapped)];
    await run(["rmdir", "-p", "--ignore-fail-on-non-empty", join(copy.slice("/dev/shm/".length), "p")], {
      cwd: "/dev/shm",
      env: { PATH: env.PATH ?? "" },
    });
    expect([good.out, good.err]).toEqual(["ran\n", ""]);
    expect([bad.code, bad.out]).toEqual([125, ""]);
  },
);
