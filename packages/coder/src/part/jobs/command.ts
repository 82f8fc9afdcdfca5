import { plural } from "@pith/kit";
import { type Command, show } from "../../command/command.ts";
import { noteDetached } from "../../shell/job/detached.ts";
import type { Job, Jobs } from "../../shell/job/jobs.ts";
import { firstLine, seconds } from "./delivery.ts";

interface JobsSources {
  jobs: Jobs;
  cwd: string;
  /** Directory where detached jobs are noted. */
  logs: string;
  now(): number;
}

/** `/jobs` for people: alone it lists them; `cancel` ends one, `detach` lets it go on without us. */
export const jobsCommand = (sources: JobsSources): Command => ({
  name: "jobs",
  about: "background jobs",
  usage: "[cancel|detach <id>]",
  complete: (words) => completed(sources.jobs, words),
  async run(words) {
    const { jobs, now } = sources;
    const [verb, id] = words === "" ? [] : words.split(/\s+/);
    if (verb === undefined) return show(listing(jobs.list(), now()));
    if (verb === "cancel" && id !== undefined) {
      const ended = await jobs.cancel(id);
      return show(`${id}: ${ended.replaceAll("_", " ")}`, ended === "cancelled" ? undefined : "failed");
    }
    if (verb === "detach" && id !== undefined) return detach(sources, id);
    return show("Usage: /jobs, /jobs cancel <id>, /jobs detach <id>", "failed");
  },
});

function completed(jobs: Jobs, words: string): string[] {
  const [, verb, id] = /^(cancel|detach)\s+(\S*)$/.exec(words) ?? [];
  if (verb === undefined) return ["cancel", "detach"].filter((known) => known.startsWith(words));
  return jobs.running().flatMap((job) => (job.id.startsWith(id ?? "") ? [`${verb} ${job.id}`] : []));
}

function detach({ jobs, cwd, logs, now }: JobsSources, id: string) {
  const gone = jobs.detach(id);
  if (!gone.ok) return show(gone.message, "failed");
  const { job, log } = gone.value;
  const name = log.replace(/^.*\/|\.log$/g, "");
  noteDetached(logs, { id: name, pid: job.pid ?? 0, command: job.label, cwd, log, detachedAt: now() });
  return show(
    `${id} goes on without pith as process ${job.pid}; its output is in ${log}. ` +
      `\`pith jobs\` lists it, \`pith jobs stop ${name}\` ends it.`,
  );
}

function listing(all: readonly Job[], now: number): string {
  if (all.length === 0) return "There are no background jobs.";
  const running = all.filter(({ status }) => status === "running").length;
  const rows = all.map(
    (job) => `${job.id}  ${job.status}  ${seconds(job.startedAt, job.endedAt ?? now)} s  ${firstLine(job)}`,
  );
  return [`${plural(running, "job")} running`, ...rows].join("\n");
}
