import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isInside } from "@pith/kit";
import type { Plan } from "./plan.ts";

/** A mount as the kernel tells it: what of a file system stands where. Both as it writes them. */
interface Mounted {
  root: string;
  at: string;
}

/** What must stand somewhere, and whether it can be written. */
interface Wanted extends Mounted {
  how: "rw" | "ro";
}

/**
 * Writes what bash reads first behind a wall: it goes on only where everything is mounted as planned. bubblewrap
 * goes by paths, and whoever puts a link in the place of a folder between the plan and the mount has something else
 * mounted, elsewhere.
 */
export function writeCheck(plan: Plan, own: string): string {
  const file = join(own, "check");
  writeFileSync(file, checkText(plan, own), { mode: 0o600 });
  return file;
}

function checkText(plan: Plan, own: string): string {
  const host = mountsHere();
  const inWritable = (path: string) => plan.writable.some((folder) => isInside(folder, path));
  const bound = (path: string, how: Wanted["how"], at = path): Wanted => ({
    root: rootOf(path, host),
    at: written(at),
    how,
  });
  const wanted: Wanted[] = [
    ...[...plan.writable, ...plan.pinned, plan.tmp, own].map((path) => bound(path, "rw")),
    bound(plan.tmp, "rw", "/tmp"),
    ...plan.sealed.map((path) => bound(path, "ro")),
    ...plan.hidden
      .filter(({ path }) => inWritable(path))
      .map(
        ({ path, kind }): Wanted =>
          kind === "file" ? bound("/dev/null", "ro", path) : { root: "/", at: written(path), how: "ro" },
      ),
  ];
  const places = [...new Set(wanted.map(({ at }) => at))];
  // What the machine itself has mounted there: below what may be written it is written too, elsewhere it is covered.
  const known = host.flatMap(({ root, at }) => [
    ...(places.includes(at) ? [`${root} ${at} ro`] : []),
    ...(plan.writable.some((folder) => at.startsWith(`${written(folder)}/`)) ? [`${root} ${at} rw`] : []),
  ]);
  const table = (keys: readonly string[]) => keys.map((key) => `[${quote(key)}]=1`).join(" ");
  return `pith_check() {
local LC_ALL=C IFS=' ' row rows at how key left=''
local -A seen odd want=(${table(wanted.map((one) => `${one.root} ${one.at} ${one.how}`))})
local -A known=(${table(known)}) places=(${table(places)})
mapfile -t rows </proc/self/mountinfo
set -f
for row in "\${rows[@]}"; do
set -- $row
at=$5 how=\${6%%,*} key="$4 $5 \${6%%,*}"
if [[ $how == ro && ! \${places[$at]} ]]; then odd[$at]=
elif [[ \${want[$key]} ]]; then seen[$at]=1
elif [[ \${known[$key]} ]]; then :
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

function mountsHere(): Mounted[] {
  return readFileSync("/proc/self/mountinfo", "latin1")
    .split("\n")
    .flatMap((line) => {
      const [, , , root, at] = line.split(" ");
      return root === undefined || at === undefined ? [] : [{ root: utf8(root), at: utf8(at) }];
    });
}

/** What of its file system a path is; of two mounts at one place the later one counts. */
function rootOf(path: string, mounts: readonly Mounted[]): string {
  const place = written(path);
  let found: Mounted = { root: "/", at: "/" };
  for (const one of mounts) if (one.at.length >= found.at.length && isInside(one.at, place)) found = one;
  const below = found.at === "/" ? place : place.slice(found.at.length);
  return found.root === "/" ? below || "/" : `${found.root}${below === "/" ? "" : below}`;
}

/** As the kernel writes a path into its list. */
const written = (path: string): string =>
  path.replace(/[ \t\n\\]/g, (sign) => `\\${sign.charCodeAt(0).toString(8).padStart(3, "0")}`);

const utf8 = (text: string): string => Buffer.from(text, "latin1").toString("utf8");
const quote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
