import type { EntryDraft, SessionTree } from "@pith/agent";
import type { JobsOptions, StoredJobs } from "./jobs.ts";

const type = "pith.jobs";

/** The jobs of a session that its next run has to know of: the newest `pith.jobs` entry on the way to the leaf. */
export function sessionJobs(
  tree: SessionTree,
  record: (draft: EntryDraft) => unknown,
): Pick<JobsOptions, "before" | "store"> {
  const data = (tree.lastCustom(type) as { data?: unknown } | undefined)?.data;
  return {
    before: isKept(data) ? data : undefined,
    store: (jobs) => void record({ type: "custom", customType: type, data: jobs }),
  };
}

function isKept(data: unknown): data is StoredJobs {
  const { count, open } = (data ?? {}) as Partial<StoredJobs>;
  return (
    Number.isInteger(count) &&
    Array.isArray(open) &&
    open.every((job) => typeof job?.id === "string" && typeof job.label === "string")
  );
}
