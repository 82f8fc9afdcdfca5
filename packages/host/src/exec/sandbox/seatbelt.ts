import { join } from "node:path";
import type { SandboxPlan } from "./plan/plan.ts";

/**
 * The same plan in the language of macOS. There is no namespace there: `/tmp` stays where it is and the session's own
 * is named by TMPDIR; the later rule wins.
 */
export function seatbeltText(plan: SandboxPlan, own: string): string {
  const below = (path: string) => `(subpath ${literal(path)})`;
  const rule = (verb: "allow" | "deny", what: string, places: readonly string[]) =>
    places.length === 0 ? [] : [`(${verb} ${what}\n  ${places.join("\n  ")})`];
  const watched = plan.watched.flatMap((path) => [below(path)]);
  // A folder that is moved takes with it what is sealed in it.
  const pins = plan.pinned.map((path) => `(literal ${literal(path)})`);
  return [
    "(version 1)",
    "(deny default)",
    "(allow process-fork) (allow process-exec) (allow signal (target same-sandbox))",
    '(allow sysctl-read) (allow file-ioctl (subpath "/dev")) (allow pseudo-tty)',
    '(allow mach-lookup (global-name "com.apple.system.opendirectoryd.libinfo"))',
    "(allow process-info* (target same-sandbox))",
    "(allow file-read*)",
    ...rule("allow", "file-write*", [...plan.writable, plan.tmp, own].map(below)),
    '(allow file-write-data (literal "/dev/null") (literal "/dev/zero") (literal "/dev/tty"))',
    ...rule("deny", "file-write*", [...plan.readOnly.map(below), ...watched]),
    ...rule("deny", "file-write-unlink", pins),
    ...rule(
      "deny",
      "file-read* file-write*",
      plan.hidden.map(({ path }) => below(path)),
    ),
    ...rule("allow", "file-read*", [...plan.readable, own].map(below)),
    ...rule("deny", "network-outbound", ["(remote unix-socket)"]),
    '(allow network-bind (local ip "localhost:*")) (allow network-inbound (local ip "localhost:*"))',
    "",
  ].join("\n");
}

/** Only what the language itself reads needs a sign before it. */
const literal = (path: string): string => `"${join(path).replace(/[\\"]/g, "\\$&")}"`;
