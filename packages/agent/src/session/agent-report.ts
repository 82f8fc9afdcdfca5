import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { entriesIn, isOwnFolder, succeeds } from "@pith/kit";

/** Files for the reports of sub-agents: `<id>.md`, and the session of each as `<id>.jsonl`, beside the artifacts. */
export interface AgentReports {
  /** Allocates a place: the name as it is, then `-2`, `-3`; below a parent `Parent.Child`. */
  allocate(name: string, parent?: string): AgentReport | undefined;
}

export interface AgentReport {
  id: string;
  text: string;
  session: string;
}

/** `sessionFile` is the journal; undefined if nothing is recorded. */
export function openAgentReports(sessionFile: string | undefined): AgentReports {
  const folder = sessionFile?.replace(/\.jsonl$/, "");
  /** Ids allocated in this process and not yet written. */
  const allocated = new Set<string>();
  return {
    allocate(name, parent) {
      if (folder === undefined) return undefined;
      // The name becomes a file name: no separators, not hidden.
      const plain = name.replace(/[^\w-]+/g, "-").replace(/^-+|-+$/g, "") || "output";
      const wanted = parent === undefined ? plain : `${parent}.${plain}`;
      const taken = new Set([...outputsIn(folder), ...allocated]);
      let id = wanted;
      for (let count = 2; taken.has(id); count++) id = `${wanted}-${count}`;
      allocated.add(id);
      const isMade = succeeds(() => mkdirSync(folder, { recursive: true, mode: 0o700 })) && isOwnFolder(folder);
      if (!isMade) return undefined;
      return { id, text: join(folder, `${id}.md`), session: join(folder, `${id}.jsonl`) };
    },
  };
}

// A session without a report is that of a sub-agent that was interrupted.
const outputsIn = (folder: string): string[] =>
  entriesIn(folder).flatMap(({ name }) => /^(.+)\.(?:md|jsonl)$/.exec(name)?.[1] ?? []);
