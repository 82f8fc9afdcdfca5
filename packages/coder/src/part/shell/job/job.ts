import { type Call, type Outcome, refusal, schema as s, type Tool } from "@pith/agent";
import { fill } from "@pith/kit";
import type { Job, Jobs } from "../../../shell/job/jobs.ts";
import about from "./job.md" with { type: "text" };

const input = s.object({
  poll: s.array(s.string()).optional(),
  cancel: s.array(s.string()).optional(),
  list: s.boolean().optional(),
  all: s.boolean().optional(),
  lines: s.int().min(1).optional().describe("Of output to show; 15 if absent"),
});
type Input = s.Infer<typeof input>;

export const pollWaits = { "5s": 5000, "10s": 10_000, "30s": 30_000, "1m": 60_000, "5m": 300_000 } as const;

export interface JobOptions {
  /** Absent when nothing runs in the background. */
  jobs?: Jobs | undefined;
  /** The agent whose jobs these are. */
  owner?: string;
  wait?: keyof typeof pollWaits;
  now(): number;
}

export function job({ jobs, owner = "", wait = "30s", now }: JobOptions): Tool<Input> {
  return {
    name: "job",
    about: fill(about, { wait }),
    input,
    // Never beside other calls: what is reported here counts as told, so nothing else may look at the jobs meanwhile.
    prepare({ poll, cancel = [], list, all, lines = usualLines }) {
      if (!jobs) return refusal("There are no background jobs here: async.enabled is off.");
      if (list && (poll?.length || cancel.length)) return refusal("`list` stands alone: without `poll` and `cancel`.");
      const run = async (call: Call): Promise<Outcome> => {
        const known = new Map(jobs.list(owner).map((row) => [row.id, row]));
        if (list)
          return done(jobs, { shown: [...known.values()], cancelled: [], unknown: [], lines, ended: "some" }, now());
        const cancelled = await Promise.all(
          cancel.map(async (id) => ({ id, outcome: known.has(id) ? await jobs.cancel(id) : ("not_found" as const) })),
        );
        if (poll === undefined && cancel.length > 0)
          return done(jobs, { shown: [], cancelled, unknown: [], lines }, now());
        const running = [...known.values()].filter(({ status }) => status === "running");
        if (poll === undefined && running.length === 0)
          return prose("Nothing runs in the background; there is nothing to wait for.");
        const watched = poll === undefined ? running : poll.flatMap((id) => known.get(id) ?? []);
        const unknown = (poll ?? []).filter((id) => !known.has(id));
        if (watched.length === 0) return prose(`There is no job ${unknown.join(", ")}; \`list\` shows them.`);
        await waited(jobs, { watched, until: all ? "all" : "first", ms: pollWaits[wait], call, now });
        return done(jobs, { shown: watched, cancelled, unknown, lines }, now());
      };
      return { effect: "read", paths: [], run };
    },
  };
}

interface Waiting {
  watched: readonly Job[];
  until: "first" | "all";
  ms: number;
  call: Call;
  now(): number;
}

async function waited(jobs: Jobs, { watched, until, ms, call, now }: Waiting): Promise<void> {
  const over = watched.some(({ status }) => status !== "running");
  if (over && (until === "first" || watched.every(({ status }) => status !== "running"))) return;
  const show = () => call.progress(report({ shown: watched, cancelled: [], unknown: [], lines: usualLines }, now()));
  show();
  const timer = setInterval(show, 500);
  try {
    await jobs.wait(
      watched.map(({ id }) => id),
      until,
      ms,
      call.signal,
    );
  } finally {
    clearInterval(timer);
  }
}

interface Report {
  shown: readonly Job[];
  cancelled: readonly { id: string; outcome: string }[];
  unknown: readonly string[];
  /** Lines of each job's output to show. */
  lines: number;
  /** `some` shows only the first and last lines of those that have ended. */
  ended?: "some";
}

/** Reports jobs, and marks them so that they are not reported again. */
function done(jobs: Jobs, told: Report, now: number): Outcome<"jobs"> {
  const outcome = report(told, now);
  jobs.acknowledge(told.shown.map(({ id }) => id));
  return outcome;
}

function report({ shown, cancelled, unknown, lines, ended: much }: Report, now: number): Outcome<"jobs"> {
  const ended = shown.filter(({ status }) => status !== "running");
  const running = shown.filter(({ status }) => status === "running");
  const missing = [...cancelled.filter(({ outcome }) => outcome === "not_found").map(({ id }) => id), ...unknown];
  const sections = [
    section(
      "Cancelled",
      cancelled.flatMap(({ id, outcome }) => (outcome === "not_found" ? [] : [`- ${id}: ${outcome}`])),
    ),
    section(
      "Completed",
      ended.map(
        (row) => `### ${head(row, now)}\n${(much ? someOf(row.text ?? "", lines) : row.text) || "(no output)"}`,
      ),
    ),
    section(
      "Still Running",
      running.map((row) => `### ${head(row, now)}\n${someOf(row.snapshot(), lines)}`.trimEnd()),
    ),
    ...(missing.length > 0 ? [`No such job: ${missing.join(", ")}`] : []),
  ].filter((part) => part !== "");
  const jobs = shown.map(({ id, type, status, label, startedAt, endedAt = now, text }) => ({
    id,
    type,
    status,
    label,
    durationMs: endedAt - startedAt,
    ...(text !== undefined && (status === "failed" ? { errorText: text } : { resultText: text })),
  }));
  return {
    kind: "jobs",
    data: { jobs, cancelled: [...cancelled] },
    text: sections.join("\n\n") || "No background jobs.",
  };
}

const section = (title: string, rows: readonly string[]): string =>
  rows.length === 0 ? "" : `## ${title} (${rows.length})\n\n${rows.join("\n\n")}`;

function head({ id, status, label, startedAt, endedAt }: Job, now: number): string {
  const time = status === "lost" ? "" : ` (${(((endedAt ?? now) - startedAt) / 1000).toFixed(1)} s)`;
  return `${id} [${status}] ${label.split("\n", 1)[0]}${time}`;
}

const usualLines = 15;

/** The first and the last lines: how it began and how it goes. */
function someOf(text: string, most: number): string {
  const lines = text.trimEnd().split("\n");
  const left = lines.length - most;
  if (left <= 0) return lines.join("\n");
  const first = Math.ceil(most / 3);
  return [...lines.slice(0, first), `[… ${left} more …]`, ...lines.slice(first + left)].join("\n");
}

const prose = (text: string): Outcome<"prose"> => ({ kind: "prose", data: {}, text });
