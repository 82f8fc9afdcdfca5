import { basename, dirname } from "node:path";
import { shellQuote } from "@pith/kit";
import { spawn } from "../platform.ts";
import { put } from "../put.ts";
import { attempt } from "./attempt.ts";

export interface WatchdogOptions {
  /** Directories of our control groups; they need not be there yet, like the folders. */
  groups: readonly string[];
  /** Where the session's files are. */
  folders: readonly string[];
  /** Each command carries it, followed by a dot and its number. */
  cookie: string;
  env: Readonly<Record<string, string | undefined>>;
}

export interface Watchdog extends Disposable {
  /** A command begins, with its process group. */
  begin(run: string, group: number): void;
  /** A command is over, or nobody's any more. */
  end(run: string): void;
}

/**
 * One small process per session that does nothing but wait for us to go away, however that happens: then it kills what
 * still runs and removes what still stands. It has a session of its own, so nothing that is aimed at us hits it; and
 * should it be hit before it has one, or by somebody's hand, another takes its place.
 */
export function startWatchdog(options: WatchdogOptions): Watchdog | undefined {
  if (process.platform === "win32") return undefined;
  const runs = new Map<string, number>();
  let tell = (_line: string) => {};
  let end = () => {};
  const stand = (spare: number) => {
    const child = spawn(["/bin/sh", "-c", script(options)], {
      cwd: "/",
      env: { PATH: options.env.PATH },
      stdio: ["pipe", "ignore", "ignore"],
      detached: true,
    });
    child.unref();
    let over = false;
    tell = (line) => put(child.stdin, `${line}\n`);
    end = () => {
      over = true;
      void child.stdin.end();
    };
    void child.exited.then(() => !over && spare > 0 && attempt(() => stand(spare - 1)));
    for (const [run, group] of runs) tell(`+ ${run} ${group}`);
  };
  if (!attempt(() => stand(mostSpare))) return undefined;
  return {
    begin(run, group) {
      runs.set(run, group);
      tell(`+ ${run} ${group}`);
    },
    end(run) {
      runs.delete(run);
      tell(`- ${run}`);
    },
    [Symbol.dispose]: () => end(),
  };
}

const mostSpare = 5;

const words = (paths: readonly string[]): string => paths.map(shellQuote).join(" ");

const script = ({ groups, folders, cookie }: WatchdogOptions): string => `
trap '' HUP INT TERM
runs=
while read -r op run group; do
  kept=
  for one in $runs; do [ "\${one%%:*}" = "$run" ] || kept="$kept $one"; done
  runs=$kept
  [ "$op" = - ] || runs="$runs $run:$group"
done
round=0
# A start-up of the user's may hold a lock: it has time to let go of it. Perhaps it was asked a moment ago, and asking
# again would hit what it runs to do so.
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
  grep -lzE "^${cookie}\\.(\${names#|})$" /proc/[0-9]*/environ 2>/dev/null |
    while IFS=/ read -r _ _ pid _; do echo "$pid"; done
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

/** Whoever was just killed may hold its group for a moment. */
const clearing = (groups: readonly string[]): string => `
round=0
while [ $round -lt 50 ]; do
  rmdir ${groups.map((dir) => `${shellQuote(dir)}/*/ ${shellQuote(dir)}`).join(" ")} 2>/dev/null
  [ ${groups.map((dir) => `-e ${shellQuote(dir)}`).join(" -o ")} ] || break
  round=$((round + 1))
  sleep 0.1
done`;

/**
 * What others left who went away together with their watcher: their process is no more. Only what is named as ours are
 * is looked at, and only a folder of this user: in a place that is open to all, anybody can put a link of that name.
 */
function sweeping(folders: readonly string[]): string {
  const [kind] = folders.flatMap((path) => /^pith-shell-\d+(?=\.\d+-)/.exec(basename(path))?.[0] ?? []);
  if (kind === undefined) return "";
  const around = [...new Set(folders.map((path) => shellQuote(dirname(path))))];
  return `
for d in ${around.map((place) => `${place}/${kind}.*-*`).join(" ")}; do
  pid=\${d##*/${kind}.}; pid=\${pid%%-*}
  case $pid in *[!0-9]*|'') continue;; esac
  [ ! -L "$d" ] && [ -d "$d" ] && [ -O "$d" ] || continue
  kill -0 "$pid" || [ -e "/proc/$pid" ] || rmdir "$d"/*/ "$d" || [ -e "$d/cgroup.procs" ] || rm -rf "$d"
done 2>/dev/null`;
}
