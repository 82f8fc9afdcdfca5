import { dirname, join } from "node:path";
import { readPlain } from "@pith/kit";

const least = 2000;
const known = new Map<string, { at: number; branch: string | undefined }>();

/** The branch that is checked out, read from git's own files: no program is started. Looked at every now and then. */
export function branchOf(cwd: string, now = performance.now()): string | undefined {
  const kept = known.get(cwd);
  if (kept && now - kept.at < least) return kept.branch;
  const branch = read(cwd);
  known.set(cwd, { at: now, branch });
  return branch;
}

function read(cwd: string): string | undefined {
  for (let dir = cwd; ; dir = dirname(dir)) {
    const head = headIn(join(dir, ".git"));
    if (head !== undefined) {
      const name = /^ref: refs\/heads\/(.+)$/.exec(head.trim())?.[1];
      return name ?? (/^[0-9a-f]{7,}$/.test(head.trim()) ? head.trim().slice(0, 7) : undefined);
    }
    if (dirname(dir) === dir) return undefined;
  }
}

function headIn(git: string): string | undefined {
  const head = readPlain(join(git, "HEAD"), { maxBytes: 4096 });
  if (head.ok) return head.value;
  // A work tree of its own has a file there that names its directory.
  const pointer = readPlain(git, { maxBytes: 4096 });
  const to = pointer.ok ? /^gitdir: (.+)$/m.exec(pointer.value)?.[1] : undefined;
  const linked = to === undefined ? undefined : readPlain(join(dirname(git), to.trim(), "HEAD"), { maxBytes: 4096 });
  const direct = to?.startsWith("/") ? readPlain(join(to.trim(), "HEAD"), { maxBytes: 4096 }) : undefined;
  return direct?.ok ? direct.value : linked?.ok ? linked.value : undefined;
}
