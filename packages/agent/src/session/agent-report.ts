import { mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { isOwnFolder } from "@pith/kit";

/**
 * Places for what helpers of a session bring back: `<id>.md`, and the session of each as `<id>.jsonl`, beside its
 * artifacts.
 */
export interface AgentReports {
  /** A place for a new one: the name as it is, then `-2`, `-3`; below a parent `Parent.Child`. */
  allocate(name: string, parent?: string): AgentReport | undefined;
}

export interface AgentReport {
  id: string;
  text: string;
  session: string;
}

/** `sessionFile` is the journal; undefined where nothing is recorded, or its folder is a link to somewhere. */
export function openAgentReports(sessionFile: string | undefined): AgentReports {
  const folder = sessionFile?.replace(/\.jsonl$/, "");
  /** In this process, and not yet written. */
  const allocated = new Set<string>();
  return {
    allocate(name, parent) {
      if (folder === undefined) return undefined;
      // A name is a file's name: no separators, nothing hidden.
      const plain = name.replace(/[^\w-]+/g, "-").replace(/^-+|-+$/g, "") || "output";
      const wanted = parent === undefined ? plain : `${parent}.${plain}`;
      const taken = new Set([...outputsIn(folder), ...allocated]);
      let id = wanted;
      for (let count = 2; taken.has(id); count++) id = `${wanted}-${count}`;
      allocated.add(id);
      try {
        mkdirSync(folder, { recursive: true, mode: 0o700 });
        if (!isOwnFolder(folder)) return undefined;
      } catch {
        return undefined;
      }
      return { id, text: join(folder, `${id}.md`), session: join(folder, `${id}.jsonl`) };
    },
  };
}

function outputsIn(folder: string): string[] {
  try {
    // A record without a text is one whose helper did not come to its end.
    return readdirSync(folder).flatMap((name) => /^(.+)\.(?:md|jsonl)$/.exec(name)?.[1] ?? []);
  } catch {
    return [];
  }
}
