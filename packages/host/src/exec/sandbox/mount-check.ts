import { accessSync, constants, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { codeOf, isInside, shellQuote } from "@pith/kit";
import type { SandboxPlan } from "./plan/plan.ts";

/** A mount as the kernel tells it, byte by byte: a name need not be text. */
interface Mounted {
  id: string;
  /** The path that it is mounted on. */
  on: string;
  /** The part of a file system that stands at a place. */
  what: string;
  at: string;
  /** True when nobody can go there: the way is closed or another mount covers it. */
  isOutOfReach: boolean;
}

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
  const inWritable = (path: string) => plan.writable.some((folder) => isInside(folder, path));
  const bound = (path: string, how: Wanted["how"], at = path): Wanted => ({
    what: whatIs(path, host),
    at: written(at),
    how,
  });
  const wanted: Wanted[] = [
    ...[...plan.writable, ...plan.pinned, plan.tmp, own].map((path) => bound(path, "rw")),
    bound(plan.tmp, "rw", "/tmp"),
    ...plan.readOnly.map((path) => bound(path, "ro")),
    ...plan.replaced.filter(({ path }) => inWritable(path)).map(({ path, by }) => bound(by, "ro", path)),
    ...plan.hidden
      .filter(({ path }) => inWritable(path))
      .map(
        ({ path, kind }): Wanted =>
          kind === "file" ? bound("/dev/null", "ro", path) : { what: "new /", at: written(path), how: "ro" },
      ),
  ];
  const places = new Set(wanted.map(({ at }) => at));
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
local -A known=(${table(known)}) places=(${table([...places])})
mapfile -t rows </proc/self/mountinfo
set -f
for row in "\${rows[@]}"; do
set -- $row
at=$5 how=\${6%%,*} key="$4 $5 \${6%%,*}"
if [[ $how == ro && ! \${places[$at]} ]]; then odd[$at]=
elif [[ \${want["$3 $key"]}\${want["new $key"]} ]]; then seen[$at]=1
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

/** Reads the mounts of this process. There may be hundreds, and they seldom change. */
function mountsHere(): readonly Mounted[] {
  const text = readFileSync("/proc/self/mountinfo", "latin1");
  if (last?.text === text) return last.mounts;
  const mounts = text.split("\n").flatMap((line): Mounted[] => {
    const [id = "", on = "", device, root, at] = line.split(" ");
    return at === undefined ? [] : [{ id, on, what: `${device} ${root}`, at, isOutOfReach: false }];
  });
  for (const one of mounts) one.isOutOfReach = mountOf(one.at, mounts) !== one || isClosed(one.at);
  last = { text, mounts };
  return mounts;
}
let last: { text: string; mounts: readonly Mounted[] } | undefined;

/** Finds the mount a path leads to. Mounts are walked as the kernel does: one may lie below another that covers it. */
function mountOf(place: string, mounts: readonly Mounted[]): Mounted | undefined {
  const onWay = mounts
    .filter(({ at }) => at === "/" || at === place || place.startsWith(`${at}/`))
    .sort((one, other) => one.at.length - other.at.length);
  let stands = onWay[0];
  for (let next = stands; next; next = onWay.find(({ id, on }) => on === stands?.id && id !== on)) stands = next;
  return stands;
}

/** Finds the part of a file system that a path is. */
function whatIs(path: string, mounts: readonly Mounted[]): string {
  const place = written(path);
  const { what, at } = mountOf(place, mounts) ?? { what: "", at: "/" };
  const below = place.slice(at === "/" ? 0 : at.length);
  return below === "" || below === "/" ? what : what.replace(/\/$/, "") + below;
}

/** A file system that does not answer is not asked. */
function isClosed(at: string): boolean {
  const folder = dirname(at).replace(/\\(\d{3})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 8)));
  try {
    accessSync(Buffer.from(folder, "latin1"), constants.X_OK);
  } catch (thrown) {
    return codeOf(thrown) === "EACCES";
  }
  return false;
}

/** As the kernel writes a path into its list. */
const written = (path: string): string =>
  Buffer.from(path)
    .toString("latin1")
    .replace(/[ \t\n\\]/g, (sign) => `\\${sign.charCodeAt(0).toString(8).padStart(3, "0")}`);
