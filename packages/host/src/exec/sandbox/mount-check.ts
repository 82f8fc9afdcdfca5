import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { isInside, shellQuote } from "@pith/kit";
import { type Mounted, mountsHere, whatIs, written } from "./plan/mounts.ts";
import type { SandboxPlan } from "./plan/plan.ts";

/** A mount that must stand, and its mode. */
interface Wanted extends Pick<Mounted, "what" | "at"> {
  how: "rw" | "ro";
}

/**
 * Writes what bash reads first in a sandbox: it goes on only where everything is mounted as planned. bubblewrap
 * goes by paths, and whoever puts a link in the place of a folder between the plan and the mount has something else
 * mounted, elsewhere.
 */
export function writeMountCheck(plan: SandboxPlan, own: string): string {
  const file = join(own, "check");
  writeFileSync(file, checkText(plan, own), { mode: 0o600, encoding: "latin1" });
  return file;
}

function checkText(plan: SandboxPlan, own: string): string {
  const host = mountsHere();
  const inWritable = (path: string) => [...plan.writable, ...plan.layered].some((folder) => isInside(folder, path));
  const bound = (path: string, how: Wanted["how"], at = path): Wanted => ({
    what: whatIs(path, host),
    at: written(at),
    how,
  });
  const wanted: Wanted[] = [
    ...[...plan.writable, ...plan.pinned, plan.tmp, own].map((path) => bound(path, "rw")),
    bound(plan.tmp, "rw", "/tmp"),
    ...plan.scratch.map((path): Wanted => ({ what: "new /", at: written(path), how: "rw" })),
    ...[...plan.readOnly, ...plan.given].map((path) => bound(path, "ro")),
    ...plan.replaced.filter(({ path }) => inWritable(path)).map(({ path, by }) => bound(by, "ro", path)),
    ...plan.hidden
      .filter(({ path }) => inWritable(path))
      .map(
        ({ path, kind }): Wanted =>
          kind === "file" ? bound("/dev/null", "ro", path) : { what: "new /", at: written(path), how: "ro" },
      ),
  ];
  const layers = plan.layered.map(written);
  const places = new Set([...wanted.map(({ at }) => at), ...layers]);
  const folders = plan.writable.map((folder) => `${written(folder)}/`);
  // What the machine itself has mounted there: below what may be written it is written too, elsewhere it is covered.
  // What cannot be gone to stays as it is: bubblewrap cannot either, nor could a command.
  const known = host.flatMap(({ what, at, isOutOfReach }) => [
    ...(places.has(at) ? [`${what} ${at} ro`] : []),
    ...(folders.some((folder) => at.startsWith(folder)) || isOutOfReach ? [`${what} ${at} rw`] : []),
  ]);
  const table = (keys: readonly string[]) => keys.map((key) => `[${shellQuote(key)}]=1`).join(" ");
  return `builtin unset -f local mapfile set printf exit unset
pith_check() {
local LC_ALL=C IFS=' ' row rows at how key left=''
local -A seen odd want=(${table(wanted.map((one) => `${one.what} ${one.at} ${one.how}`))})
local -A known=(${table(known)}) places=(${table([...places])}) layers=(${table(layers)})
mapfile -t rows </proc/self/mountinfo
set -f
for row in "\${rows[@]}"; do
set -- $row
at=$5 how=\${6%%,*} key="$4 $5 \${6%%,*}"
if [[ $how == ro && ! \${places[$at]} ]]; then odd[$at]=
elif [[ \${want["$3 $key"]}\${want["new $key"]} ]]; then seen[$at]=1
elif [[ \${layers[$at]} && $4 == / && $how == rw && $row == *' - '*overlay* ]]; then seen[$at]=1
elif [[ \${known["$3 $key"]} ]]; then :
elif [[ \${places[$at]} ]]; then odd[$at]=$at
else case $at in /dev|/dev/*|/proc|/var/tmp) ;; *) odd[$at]=$at ;; esac; fi
done
set +f
for at in "\${!places[@]}"; do [[ \${seen[$at]} ]] || left+=" $at"; done
for at in "\${odd[@]}"; do [[ ! $at ]] || left+=" $at"; done
[[ ! $left ]] || {
printf 'pith: while the sandbox was built, this changed; nothing was run:%s\\n' "$left" >&2; exit 125; }
}
pith_check
unset -f pith_check
`;
}
