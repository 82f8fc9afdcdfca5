export const titles = {
  request: "start to first request",
  cpu: "CPU of one prompt",
  memory: "memory of one prompt",
  rpc: "CPU of an RPC start",
} as const;

type Name = keyof typeof titles;
export type Figure = Readonly<Record<Name, number>>;
export interface Held {
  release: Figure[];
  now: Figure[];
}

/** Costs that a start may have, as multiples of the release of that name. */
export interface Kept {
  since: string;
  bounds: Figure;
}

interface HeldRow {
  measure: Name;
  release: number;
  now: number;
  change: number;
  allowed: number;
  verdict: "holds" | "slipped";
}

/** The bounds for a release: what was written down about it, or that nothing became dearer. */
export const boundsFor = ({ since, bounds }: Kept, release: string): Figure =>
  since === release ? bounds : { request: 1, cpu: 1, memory: 1, rpc: 1 };

/** Compares what a quiet machine would show: a busy one only ever adds to it. */
export function judge({ release, now }: Held, bounds: Figure): HeldRow[] {
  return names.map((measure) => {
    const [before, after] = [quiet(release.map((it) => it[measure])), quiet(now.map((it) => it[measure]))];
    const change = after / before;
    const allowed = bounds[measure] * (1 + noise[measure]);
    // Not a number is a slip: what was not measured does not hold.
    return { measure, release: before, now: after, change, allowed, verdict: change <= allowed ? "holds" : "slipped" };
  });
}

/** Bounds only ever become lower. */
export function tightened(rows: readonly HeldRow[], bounds: Figure, since: string): Kept {
  const lower = rows.map(({ measure, change }) => [measure, Math.min(bounds[measure], Math.ceil(change * 100) / 100)]);
  return { since, bounds: Object.fromEntries(lower) as Figure };
}

const names = Object.keys(titles) as Name[];

/** The mean of the lowest fifth: the least alone is a matter of luck. */
function quiet(values: readonly number[]): number {
  const lowest = values.toSorted((a, b) => a - b).slice(0, Math.max(1, Math.floor(values.length / 5)));
  return lowest.reduce((sum, value) => sum + value, 0) / lowest.length;
}

/** The most by which two copies of the same binary differed, in ten runs on a busy machine of two cores. */
const noise: Figure = { request: 0.06, cpu: 0.04, memory: 0.02, rpc: 0.04 };
