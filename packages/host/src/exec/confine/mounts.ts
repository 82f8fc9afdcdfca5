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

/** What stands before a program that is to run behind a wall: it is run where the wall is as planned. */
export function checked(plan: Plan, own: string): string[] {
  const file = join(own, "check");
  writeFileSync(file, checkText(plan, own), { mode: 0o600 });
  return ["/bin/sh", file];
}

/**
 * A program for sh that runs what it is given only where everything is mounted as planned. bubblewrap goes by paths, and
 * whoever puts a link in the place of a folder between the plan and the mount has something else mounted, elsewhere.
 */
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
  // What the machine itself has mounted there: below what may be written it is written too, and elsewhere it is covered.
  const known = host.flatMap(({ root, at }) => [
    ...(places.includes(at) ? [`${root} ${at} ro`] : []),
    ...(plan.writable.some((folder) => at.startsWith(`${written(folder)}/`)) ? [`${root} ${at} rw`] : []),
  ]);
  return `bad() { printf 'pith: while the sandbox was built, %s changed; nothing was run\\n' "$at" >&2; exit 125; }
seen=' ' odd=' '
while read -r _ _ _ root at how _; do
case "$root $at \${how%%,*}" in
${wanted.map(({ root, at, how }) => quote(`${root} ${at} ${how}`)).join("|")}) seen="$seen$at " ;;
${known.length > 0 ? `${known.map(quote).join("|")}) ;;\n` : ""}*)
case $at in ${places.map(quote).join("|")}) bad ;; /dev|/dev/*|/proc|/var/tmp) continue ;; esac
case $how in rw*) odd="$odd$at " ;; *) case $odd in *" $at "*) odd="\${odd%% "$at" *} \${odd#* "$at" }" ;; esac ;; esac ;;
esac
done </proc/self/mountinfo
for at in $odd; do bad; done
for at in ${places.map(quote).join(" ")}; do case $seen in *" $at "*) ;; *) bad ;; esac; done
exec "$@"
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
