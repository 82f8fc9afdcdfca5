import { existsSync } from "node:fs";
import { tmpdir } from "node:os";
import { isAbsolute, join } from "node:path";
import type { Intent } from "@pith/agent";
import type { Shell } from "@pith/host";
import { realPath } from "@pith/kit";
import type { Inside } from "./approval.ts";
import { gitReader } from "./git-file.ts";
import { type Learned, learnedFrom } from "./learned.ts";
import { linksMatching } from "./match.ts";
import { isBelow } from "./place.ts";
import type { State } from "./state.ts";

export interface LiveSources {
  cwd: string;
  userHome: string;
  inside: Inside;
  shell: Pick<Shell, "memory">;
  env: Readonly<Record<string, string | undefined>>;
}

/** What calls of a conversation are judged by: the shell as it is now, the disk, the repository's configuration. */
export function liveState({ cwd, userHome, inside, shell, env }: LiveSources): (intent: Intent) => State {
  const git = gitReader();
  let known: { key: string; learned: Learned } | undefined;
  const learned = (side: "open" | "walled"): Learned | undefined => {
    const memory = shell.memory(side);
    if (!memory) return undefined;
    const key = memory.now.join("\0");
    if (known?.key !== key) known = { key, learned: learnedFrom(memory) };
    return known.learned;
  };
  const temporary = [...new Set(["/tmp", "/var/tmp", "/dev/shm", tmpdir()].map(realPath))];
  const home = realPath(userHome);
  return (intent) => {
    const since = learned(intent.confined ? "walled" : "open");
    const path = intent.env?.PATH ?? since?.path?.now ?? env.PATH ?? "";
    const trusted = since?.path?.began ?? env.PATH ?? "";
    return {
      cwd: realPath(intent.cwd ?? cwd),
      roots: inside.project,
      home,
      pithHome: inside.home,
      temporary,
      kept: [...inside.kept, ...inside.scratch],
      scratch: inside.scratch,
      aliases: since?.aliases ?? {},
      functions: since?.functions ?? [],
      habits: since?.habits ?? [],
      variables: { ...withoutPath(since?.variables ?? {}), ...withoutPath(intent.env ?? {}) },
      options: since?.options ?? [],
      unclear: since?.unclear ? "what the shell has become is not understood" : undefined,
      lookup: lookupIn(path, trusted, [...inside.project, ...temporary]),
      git,
      links: linksMatching,
      real: realPath,
    };
  };
}

/** Which programs a changed path leads to is looked up for each. */
const withoutPath = ({ PATH: _, ...more }: Readonly<Record<string, string>>): Readonly<Record<string, string>> => more;

/** Finds what a program's name leads to where that is a file that somebody may have put there. */
function lookupIn(path: string, trusted: string, open: readonly string[]): (name: string) => string | undefined {
  // Most calls name no program, and the path is long.
  let places: readonly { folder: string; safe: boolean }[] | undefined;
  return (name) => {
    places ??= placesOf(path, trusted, open);
    if (places.every(({ safe }) => safe)) return undefined;
    const found = places.find(({ folder }) => existsSync(join(folder, name)));
    return found && !found.safe ? join(found.folder, name) : undefined;
  };
}

function placesOf(path: string, trusted: string, open: readonly string[]): { folder: string; safe: boolean }[] {
  const known = new Set(trusted.split(":"));
  return path.split(":").map((folder) => {
    const real = isAbsolute(folder) ? realPath(folder) : undefined;
    const safe = real !== undefined && known.has(folder) && !open.some((one) => isBelow(one, real));
    return { folder: folder === "" ? "." : folder, safe };
  });
}
