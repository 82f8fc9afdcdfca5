import type { Layers } from "./layer/ground.ts";
import type { SandboxPlan } from "./plan/plan.ts";

/** Options for the namespace of one command. */
export interface BubblewrapOptions {
  plan: SandboxPlan;
  /** The folder of the command's own small files, which it reads and writes. */
  own: string;
  /** The layers of the command, and the places at which they are mounted. */
  layers?: Layers["binds"] | undefined;
  /** The session's network, which the process stands in already, or a network of its own. */
  network: "session" | "own" | "host";
  /** At somebody's terminal it must not be able to type there, and goes with us. */
  where?: "alone" | "at a terminal";
  /** The descriptor on which bubblewrap tells what became of it. */
  status?: number;
  /** The descriptor from which it reads what `filter.ts` says. */
  filter?: number | undefined;
}

/**
 * The arguments of bubblewrap. What lies deeper is mounted later, so that every rule holds in the folder that it is
 * about, whatever lies around it. All capabilities go: as root it would keep them, and with them a command could
 * mount again what is mounted here.
 */
export function bubblewrapArgs({
  plan,
  own,
  layers = [],
  network,
  status,
  filter,
  where,
}: BubblewrapOptions): string[] {
  const mounts: Mount[] = [
    { path: "/run", args: ["--tmpfs", "/run"], rank: 0 },
    { path: "/var/tmp", args: ["--size", String(varTmpBytes), "--tmpfs", "/var/tmp"], rank: 0 },
    ...kept.map((path): Mount => ({ path, args: ["--ro-bind-try", path, path], rank: 1 })),
    { path: "/tmp", args: ["--bind", plan.tmp, "/tmp"], rank: 0 },
    { path: plan.tmp, args: ["--bind", plan.tmp, plan.tmp], rank: 4 },
    ...plan.writable.map((path): Mount => ({ path, args: ["--bind", path, path], rank: 2 })),
    ...layers.map(({ path, from }): Mount => ({ path, args: ["--bind", from, path], rank: 2 })),
    ...plan.pinned.map((path): Mount => ({ path, args: ["--bind", path, path], rank: 2 })),
    ...plan.readOnly.map((path): Mount => ({ path, args: ["--ro-bind", path, path], rank: 3 })),
    ...plan.replaced.map(({ path, by }): Mount => ({ path, args: ["--ro-bind", by, path], rank: 3 })),
    ...plan.hidden.map(({ path, kind }): Mount => ({ path, args: cover(path, kind), rank: 1 })),
    ...plan.scratch.map((path): Mount => ({ path, args: ["--size", String(scratchBytes), "--tmpfs", path], rank: 3 })),
    ...plan.given.map((path): Mount => ({ path, args: ["--ro-bind", path, path], rank: 2 })),
    ...plan.readable.map((path): Mount => ({ path, args: ["--ro-bind", path, path], rank: 2 })),
    { path: own, args: ["--bind", own, own], rank: 4 },
  ];
  mounts.sort((one, other) => depth(one.path) - depth(other.path) || one.rank - other.rank);
  return [
    ...["--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc"],
    ...plan.machineFiles.flatMap((path) => ["--ro-bind-try", path, path]),
    ...mounts.flatMap(({ args }) => args),
    // Only now: what lies in them needs a place to stand.
    ...plan.hidden.flatMap(({ path, kind }) => (kind === "folder" ? ["--remount-ro", path] : [])),
    ...["--remount-ro", "/run"],
    ...["--unshare-pid", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try"],
    ...(network === "own" ? ["--unshare-net"] : []),
    // In the namespace of the layers everybody is root.
    ...(layers.length > 0 && uid !== 0 ? ["--unshare-user", "--uid", String(uid), "--gid", String(gid)] : []),
    ...(where === "at a terminal" ? ["--new-session", "--die-with-parent"] : []),
    ...["--cap-drop", "ALL", "--chdir", "/"],
    ...(status === undefined ? [] : ["--json-status-fd", String(status)]),
    ...(filter === undefined ? [] : ["--seccomp", String(filter)]),
    "--",
  ];
}

const [uid, gid] = [process.getuid?.() ?? 0, process.getgid?.() ?? 0];

interface Mount {
  path: string;
  args: readonly string[];
  /** Orders mounts at one place: the later one counts. */
  rank: number;
}

const varTmpBytes = 256 * 1024 * 1024;
const scratchBytes = 512 * 1024 * 1024;

/**
 * Programs that stand in `/run` on some systems. The rest of it is sockets, and a mount that cannot be written does not
 * keep anybody from connecting.
 */
const kept = ["/run/current-system", "/run/wrappers", "/run/opengl-driver"];

/** A device on a mount without devices can be neither read nor written. */
const cover = (path: string, kind: "folder" | "file"): string[] =>
  kind === "folder" ? ["--tmpfs", path] : ["--ro-bind", "/dev/null", path];

const depth = (path: string): number => (path === "/" ? 0 : path.split("/").length);
