import { basename, dirname } from "node:path";
import { shellQuote, succeeds } from "@pith/kit";
import { spawn } from "../platform.ts";
import { writeStdin } from "../write-stdin.ts";

export interface WatchdogOptions {
  /** Directories of our control groups. Like the folders, they need not exist yet. */
  groups: readonly string[];
  /** The folders of the session's files. */
  folders: readonly string[];
  /** `NAME=value` in the environment of each command, followed by a dot and the number of its run. */
  variable: string;
  env: Readonly<Record<string, string | undefined>>;
}

export interface Watchdog extends Disposable {
  /** A command begins; `group` is its process group. */
  begin(run: string, group: number): void;
  /** A command is over, or was detached. */
  end(run: string): void;
}

/**
 * Starts a small process that waits for this one to end, however it ends, and then kills the commands that still run
 * and removes our folders. It has a session of its own, so that signals to us do not reach it; if it is killed all the
 * same, another takes its place.
 */
export function startWatchdog(options: WatchdogOptions): Watchdog | undefined {
  if (process.platform === "win32") return undefined;
  const runs = new Map<string, number>();
  let send = (_line: string) => {};
  let end = () => {};
  const start = (spare: number) => {
    const child = spawn(["/bin/sh", "-c", watchdogScript(options)], {
      cwd: "/",
      env: { PATH: options.env.PATH },
      stdio: ["pipe", "ignore", "ignore"],
      detached: true,
    });
    child.unref();
    let over = false;
    send = (line) => writeStdin(child.stdin, `${line}\n`);
    end = () => {
      over = true;
      void child.stdin.end();
    };
    void child.exited.then(() => !over && spare > 0 && succeeds(() => start(spare - 1)));
    for (const [run, group] of runs) send(`+ ${run} ${group}`);
  };
  if (!succeeds(() => start(maxSpare))) return undefined;
  return {
    begin(run, group) {
      runs.set(run, group);
      send(`+ ${run} ${group}`);
    },
    end(run) {
      runs.delete(run);
      send(`- ${run}`);
    },
    [Symbol.dispose]: () => end(),
  };
}

const maxSpare = 5;

const words = (paths: readonly string[]): string => paths.map(shellQuote).join(" ");

/** The watcher's script. @internal */
export const watchdogScript = ({ groups, folders, variable }: Omit<WatchdogOptions, "env">): string => `
trap '' HUP INT TERM
runs=
while read -r op run group; do
  kept=
  for one in $runs; do [ "\${one%%:*}" = "$run" ] || kept="$kept $one"; done
  runs=$kept
  [ "$op" = - ] || runs="$runs $run:$group"
done
round=0
# The start-up files of the user may hold a lock, and get time to release it. They may have been asked a moment ago:
# asking again at once would hit what they run to do so.
for one in $runs; do
  case $one in start*) ;; *) continue;; esac
  while [ $round -lt 50 ] && kill -0 "-\${one#*:}"; do
    round=$((round + 1))
    case $round in 6) kill -1 "-\${one#*:}";; 36) kill -15 "-\${one#*:}";; esac
    sleep 0.1
  done
done 2>/dev/null
round=0
left() { for d in ${words(groups)}; do cat "$d"/cgroup.procs "$d"/*/cgroup.procs; done 2>/dev/null; }
marked() {
  [ -n "$runs" ] || return 0
  names=; for one in $runs; do names="$names|\${one%%:*}"; done
  if [ -e /proc/self ]; then
    grep -lzE "^${variable}\\.(\${names#|})$" /proc/[0-9]*/environ 2>/dev/null |
      while IFS=/ read -r _ _ pid _; do echo "$pid"; done
  else
    ps -A -E -ww -o pid= -o command= 2>/dev/null | grep -E " ${variable}\\.(\${names#|})( |$)" |
      while read -r pid _; do [ "$pid" = $$ ] || echo "$pid"; done
  fi
}
while [ $round -lt 50 ]; do
  for one in $runs; do kill -9 "-\${one#*:}"; done 2>/dev/null
  for d in ${words(groups)}; do [ ! -e "$d/cgroup.kill" ] || echo 1 >"$d/cgroup.kill"; done 2>/dev/null
  all=$(left; marked)
  [ -n "$all" ] || break
  for pid in $all; do kill -9 "$pid"; done 2>/dev/null
  round=$((round + 1))
  sleep 0.1
done
rm -rf ${words(folders)}
${groups.length === 0 ? "" : clearing(groups)}
${sweeping([...groups, ...folders])}
`;

/** Removes the control groups; a process that was just killed may still be in one for a moment. */
const clearing = (groups: readonly string[]): string => `
round=0
while [ $round -lt 50 ]; do
  rmdir ${groups.map((dir) => `${shellQuote(dir)}/*/ ${shellQuote(dir)}`).join(" ")} 2>/dev/null
  [ ${groups.map((dir) => `-e ${shellQuote(dir)}`).join(" -o ")} ] || break
  round=$((round + 1))
  sleep 0.1
done`;

/**
 * Removes directories of sessions that ended together with their watchdog: the process in their name is gone. Only of
 * our form, and only of this user: in a shared directory anybody can put a link of that name.
 */
function sweeping(folders: readonly string[]): string {
  const [kind] = folders.flatMap((path) => /^pith-shell-\d+(?=\.\d+-)/.exec(basename(path))?.[0] ?? []);
  if (kind === undefined) return "";
  const parents = [...new Set(folders.map((path) => shellQuote(dirname(path))))];
  return `
for d in ${parents.map((parent) => `${parent}/${kind}.*-*`).join(" ")}; do
  pid=\${d##*/${kind}.}; pid=\${pid%%-*}
  case $pid in *[!0-9]*|'') continue;; esac
  [ ! -L "$d" ] && [ -d "$d" ] && [ -O "$d" ] || continue
  kill -0 "$pid" || [ -e "/proc/$pid" ] || rmdir "$d"/*/ "$d" || [ -e "$d/cgroup.procs" ] || rm -rf "$d"
done 2>/dev/null`;
}
