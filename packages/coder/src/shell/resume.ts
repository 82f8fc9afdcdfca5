import { isAbsolute } from "node:path";
import type { EntryDraft, Hook, SessionTree } from "@pith/agent";
import type { Shell } from "@pith/host";
import { fill, isDirectory, isInside, realPath } from "@pith/kit";
import fresh from "./fresh.md" with { type: "text" };

const type = "pith.shell";

/** Changes that commands made to the session's shell. */
interface KeptShell {
  cwd: string;
  /** Names of exported variables. */
  variables: readonly string[];
}

/** State of the shell when a session is resumed: where to go on, and a note for the model. */
export interface ResumedShell {
  /** Directory in which the shell goes on; undefined is where it always begins. */
  at: string | undefined;
  /** Differences from the last run, in words for the model. */
  note: string | undefined;
}

/**
 * A record may be a stranger's: nothing of it sets a variable, and only a directory of the project is gone to. What is
 * lost by that is said.
 */
export function resumedShell(tree: SessionTree, cwd: string): ResumedShell {
  const kept = keptIn(tree);
  if (!kept) return { at: undefined, note: undefined };
  const at =
    kept.cwd !== cwd && isAbsolute(kept.cwd) && isInside(realPath(cwd), realPath(kept.cwd)) && isDirectory(kept.cwd);
  const place = at || kept.cwd === cwd ? "" : ` It is in ${cwd}, no longer in ${JSON.stringify(kept.cwd)}.`;
  const names = kept.variables.slice(0, mostNamed).join(", ");
  const more = kept.variables.length > mostNamed ? ", …" : "";
  const variables = names === "" ? "" : ` What commands had set of these variables is gone: ${names}${more}.`;
  return {
    at: at ? kept.cwd : undefined,
    note: place === "" && variables === "" ? undefined : fill(fresh, { place, variables }).trim(),
  };
}

/** Notes what the next run of the session has to know, and tells what this one has lost. */
export function shellKeeper(
  shell: Shell,
  { tree, cwd, record }: { tree: SessionTree; cwd: string; record(draft: EntryDraft): void },
): Hook & { keep(): void } {
  let { note } = resumedShell(tree, cwd);
  let last = JSON.stringify(keptIn(tree) ?? { cwd, variables: [] });
  const keep = () => {
    const now = JSON.stringify({ cwd: shell.cwd, variables: shell.changedExports() } satisfies KeptShell);
    // What was lost and not told yet is to be told by the next run.
    if (now === last || note !== undefined) return;
    last = now;
    record({ type: "custom", customType: type, data: JSON.parse(now) });
  };
  return {
    name: "shell",
    step() {
      if (note !== undefined) record({ type: "custom_message", customType: "pith.note", content: note, display: true });
      note = undefined;
      return { do: "go" };
    },
    idle: keep,
    keep,
  };
}

function keptIn(tree: SessionTree): KeptShell | undefined {
  const { data } = (tree.lastCustom(type) ?? {}) as { data?: Partial<KeptShell> };
  if (typeof data?.cwd !== "string" || !Array.isArray(data.variables)) return undefined;
  return { cwd: data.cwd, variables: data.variables.filter((name) => /^[A-Za-z_]\w{0,63}$/.test(String(name))) };
}

const mostNamed = 20;
