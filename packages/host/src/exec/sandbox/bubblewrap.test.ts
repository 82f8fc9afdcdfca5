import { expect, test } from "bun:test";
import { bubblewrapArgs } from "./bubblewrap.ts";
import type { SandboxPlan } from "./plan/plan.ts";

const plan: SandboxPlan = {
  writable: ["/work"],
  layered: [],
  readOnly: ["/work/.git/hooks"],
  pinned: ["/work/.git"],
  replaced: [{ path: "/work/.git/config", by: "/own/config" }],
  hidden: [
    { path: "/home/me/.ssh", kind: "folder" },
    { path: "/home/me/.netrc", kind: "file" },
  ],
  scratch: ["/home/me/.cache"],
  readable: ["/home/me/.ssh/known_hosts"],
  given: ["/opt/own"],
  tmp: "/session/tmp",
  machineFiles: ["/proc/sysrq-trigger"],
  watched: [],
  warnings: [],
};
const made = (more: Partial<Parameters<typeof bubblewrapArgs>[0]> = {}) =>
  bubblewrapArgs({ plan, own: "/session/own", network: "own", ...more });
const line = (args: readonly string[]) => ` ${args.join(" ")} `;

test("a command has no part of the machine's processes, names and memory, and no capability", () => {
  const args = line(made());
  for (const alone of ["--unshare-pid", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try", "--unshare-net"])
    expect(args).toContain(` ${alone} `);
  expect(args).toContain(" --cap-drop ALL ");
  expect(args).toEndWith(" -- ");
});

test("the network is its own, unless it stands in that of the session or the machine", () => {
  expect(made({ network: "own" })).toContain("--unshare-net");
  for (const network of ["session", "host"] as const) expect(made({ network })).not.toContain("--unshare-net");
});

test("at a terminal it has a session of its own and goes with us; elsewhere it may outlive us", () => {
  const apart = ["--new-session", "--die-with-parent"];
  expect(made({ where: "at a terminal" })).toEqual(expect.arrayContaining(apart));
  for (const where of ["alone", undefined] as const)
    expect(made({ where }).filter((arg) => apart.includes(arg))).toEqual([]);
});

test("what a command may write without being asked has a size", () => {
  const args = line(made());
  expect(args).toContain(` --size ${256 * 1024 * 1024} --tmpfs /var/tmp `);
  expect(args).toContain(` --size ${512 * 1024 * 1024} --tmpfs /home/me/.cache `);
});

test("the root is only to be read, and every rule holds in the folder that it is about", () => {
  const args = made();
  expect(args.slice(0, 3)).toEqual(["--ro-bind", "/", "/"]);
  const at = (...words: string[]) => {
    const place = args.findIndex((_, index) => words.every((word, next) => args[index + next] === word));
    expect([words, place >= 0]).toEqual([words, true]);
    return place;
  };
  const work = at("--bind", "/work", "/work");
  const git = at("--bind", "/work/.git", "/work/.git");
  const home = at("--tmpfs", "/home/me/.ssh");
  const order = [at("--bind", "/session/tmp", "/tmp"), work, git, at("--ro-bind", "/own/config", "/work/.git/config")];
  expect(order).toEqual(order.toSorted((a, b) => a - b));
  expect(at("--ro-bind", "/work/.git/hooks", "/work/.git/hooks")).toBeGreaterThan(git);
  expect(at("--ro-bind", "/dev/null", "/home/me/.netrc")).toBeGreaterThan(0);
  expect(at("--ro-bind", "/home/me/.ssh/known_hosts", "/home/me/.ssh/known_hosts")).toBeGreaterThan(home);
  expect(at("--ro-bind", "/opt/own", "/opt/own")).toBeGreaterThan(0);
  // What is hidden is made read-only when all that lies in it has its place.
  const sealed = at("--remount-ro", "/home/me/.ssh");
  expect(sealed).toBeGreaterThan(at("--bind", "/session/own", "/session/own"));
  expect(at("--remount-ro", "/run")).toBeGreaterThan(at("--tmpfs", "/run"));
  expect(at("--ro-bind-try", "/proc/sysrq-trigger", "/proc/sysrq-trigger")).toBeLessThan(work);
});

test("at one place what is hidden beats what is only read, and that what may be written", () => {
  const same = { ...plan, writable: ["/x"], readOnly: ["/x"], hidden: [], replaced: [], pinned: [] };
  const args = made({ plan: same });
  const last = args.findLastIndex((arg, at) => arg === "/x" && args[at - 1] === "/x");
  expect(args[last - 2]).toBe("--ro-bind");
});

test("descriptors are named only where there are any, and layers make everybody who they were", () => {
  expect(line(made())).not.toMatch(/ --(?:json-status-fd|seccomp|unshare-user) /);
  expect(line(made({ status: 4, filter: 3 }))).toContain(" --json-status-fd 4 --seccomp 3 -- ");
  const layered = made({ layers: [{ path: "/work", from: "/merged" }] });
  expect(line(layered)).toContain(" --bind /merged /work ");
  expect(layered.includes("--unshare-user")).toBe(process.getuid?.() !== 0);
});
