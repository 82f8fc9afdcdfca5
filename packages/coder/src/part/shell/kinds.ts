import { type ResultKind, schema as s } from "@pith/agent";
import { plural } from "@pith/kit";
import type { Job } from "../../shell/job/jobs.ts";

/** Background jobs, and the outcomes of attempts to end some. */
export interface JobsData {
  jobs: JobData[];
  cancelled: { id: string; outcome: string }[];
}

export interface JobData extends Pick<Job, "id" | "type" | "status" | "label"> {
  durationMs: number;
  resultText?: string;
  errorText?: string;
}

export const kinds: { jobs: ResultKind<JobsData> } = {
  jobs: {
    schema: () =>
      s.object({
        jobs: s.array(
          s.object({
            id: s.string(),
            type: s.string(),
            status: s.string(),
            label: s.string(),
            durationMs: s.number(),
            resultText: s.string().optional(),
            errorText: s.string().optional(),
          }),
        ),
        cancelled: s.array(s.object({ id: s.string(), outcome: s.string() })),
      }),
    brief({ jobs }) {
      const running = jobs.filter(({ status }) => status === "running").length;
      return `${plural(jobs.length, "job")}${running > 0 ? `, ${running} running` : ""}`;
    },
  },
};
