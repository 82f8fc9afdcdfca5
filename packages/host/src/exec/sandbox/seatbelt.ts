import { join } from "node:path";
import type { SandboxPlan } from "./plan/plan.ts";

/**
 * The same plan in the language of macOS. There is no namespace there: `/tmp` stays where it is and the session's own
 * is named by TMPDIR. A later rule wins, so the rules stand in the order in which bubblewrap mounts: what lies deeper
 * comes later.
 */
export function seatbeltText(plan: SandboxPlan, own: string): string {
  const places: Place[] = [
    ...plan.hidden.map(({ path }): Place => ({ path, is: "hidden", rank: 1 })),
    ...[...plan.writable, ...plan.pinned].map((path): Place => ({ path, is: "written", rank: 2 })),
    ...plan.readable.map((path): Place => ({ path, is: "read", rank: 2 })),
    ...[...plan.readOnly, ...plan.replaced.map(({ path }) => path)].map(
      (path): Place => ({ path, is: "read", rank: 3 }),
    ),
    // Nothing can be thrown away behind a command here: what stands there is kept from it.
    ...plan.scratch.map((path): Place => ({ path, is: "hidden", rank: 3 })),
    ...[plan.tmp, own].map((path): Place => ({ path, is: "written", rank: 4 })),
  ];
  places.sort((one, other) => depth(one.path) - depth(other.path) || one.rank - other.rank);
  return [
    "(version 1)",
    "(deny default)",
    "(allow process-fork) (allow process-exec) (allow signal (target same-sandbox))",
    '(allow sysctl-read) (allow file-ioctl (subpath "/dev")) (allow pseudo-tty)',
    '(allow mach-lookup (global-name "com.apple.system.opendirectoryd.libinfo"))',
    "(allow process-info* (target same-sandbox))",
    "(allow file-read*)",
    '(allow file-write-data (literal "/dev/null") (literal "/dev/zero") (literal "/dev/tty"))',
    ...places.map(({ path, is }) => rules[is](`(subpath ${literal(path)})`)),
    // What no mount can hold is looked after on Linux; here it can be said.
    ...plan.watched.map((path) => `(deny file-write* (subpath ${literal(path)}))`),
    // A folder that is moved takes with it what is sealed in it.
    ...plan.pinned.map((path) => `(deny file-write-unlink (literal ${literal(path)}))`),
    "(deny network-outbound)",
    '(allow network-bind (local ip "localhost:*")) (allow network-inbound (local ip "localhost:*"))',
    "",
  ].join("\n");
}

interface Place {
  path: string;
  is: "hidden" | "written" | "read";
  /** Orders rules at one place: the later one counts. */
  rank: number;
}

const rules: Readonly<Record<Place["is"], (place: string) => string>> = {
  hidden: (place) => `(deny file-read* file-write* ${place})`,
  written: (place) => `(allow file-read* file-write* ${place})`,
  read: (place) => `(allow file-read* ${place}) (deny file-write* ${place})`,
};

const depth = (path: string): number => (path === "/" ? 0 : path.split("/").length);

/** Only what the language itself reads needs a sign before it. */
const literal = (path: string): string => `"${join(path).replace(/[\\"]/g, "\\$&")}"`;
