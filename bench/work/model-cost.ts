import { perform, pithAgent } from "../cost/agent.ts";
import type { Vendor } from "../cost/cache.ts";
import recorded from "../cost/pi.json";
import { plays } from "../cost/plays.ts";
import { type Sums, sumOf, vendors } from "../cost/run.ts";
import type { Sample, Work } from "../work.ts";

type Figures = Readonly<Record<string, Sums & { first: number }>>;
/** Tasks of fewer requests count in the sum alone. */
const fewest = 5;
const pi: Readonly<Record<string, Figures>> = recorded.figures;
const names = Object.keys(plays);

/** Sums up the tasks: the anchor, all of them, and the dearest against what the same task is at pi. */
function sampleOf(all: Readonly<Record<string, Figures>>): Sample {
  const of = (vendor: string, name: string) => {
    const figures = all[vendor]?.[name];
    const theirs = pi[vendor]?.[name];
    if (!figures || !theirs) throw new Error(`no figures of ${vendor} ${name}: run bench/cost/record.ts`);
    return { figures, times: figures.dollars / theirs.dollars, isLong: theirs.requests >= fewest };
  };
  const each = Object.keys(vendors).flatMap((vendor) => names.map((name) => of(vendor, name)));
  const sum = (what: keyof Sums) => each.reduce((total, { figures }) => total + figures[what], 0);
  const [batched, single] = ["anchor", "anchor, one by one"].map((name) => of("openai", name).figures);
  if (!batched || !single) throw new Error("no anchor");
  return {
    first: batched.first,
    requests: batched.requests,
    bytes: batched.bytes,
    singleRequests: single.requests,
    singleBytes: single.bytes,
    anchorCents: batched.dollars * 100,
    singleCents: single.dollars * 100,
    cents: sum("dollars") * 100,
    dearest: 100 * Math.max(...each.map(({ times, isLong }) => (isLong ? times : 0))),
    written: sum("input") + sum("cacheWrite"),
    read: sum("cacheRead"),
    output: sum("output"),
  };
}

export default {
  title: "tasks of a scripted model, with the vendors' caches and prices (beside pi's recorded figures)",
  async pith(lab) {
    const all: Record<string, Record<string, Sums & { first: number }>> = {};
    for (const vendor of Object.keys(vendors) as Vendor[])
      for (const [name, play] of Object.entries(plays)) {
        const spent = await perform(pithAgent(lab.pith), vendor, play);
        all[vendor] ??= {};
        all[vendor][name] = Object.assign(sumOf(spent), { first: spent[0]?.bytes ?? 0 });
      }
    return sampleOf(all);
  },
  floor: async () => sampleOf(pi),
  measures: [
    { of: "requests", title: "the anchor in batches", unit: "count", goal: { atMost: 5 } },
    { of: "bytes", title: "sent for it", unit: "bytes", goal: { atMost: 100_000 } },
    { of: "first", title: "its first request", unit: "bytes", goal: { atMost: 11_200 } },
    { of: "anchorCents", title: "paid for it", unit: "cents", goal: { timesFloor: 0.85 } },
    { of: "singleRequests", title: "the anchor, one call per reply", unit: "count", goal: { atMost: 14 } },
    { of: "singleBytes", title: "sent for it", unit: "bytes", goal: { atMost: 330_000 } },
    { of: "singleCents", title: "paid for it", unit: "cents", goal: { timesFloor: 0.85 } },
    { of: "cents", title: "paid for all tasks, at two vendors", unit: "cents", goal: { timesFloor: 0.85 } },
    { of: "dearest", title: "the dearest of five requests or more, in pi's money", unit: "%", goal: { atMost: 105 } },
    { of: "written", title: "tokens read anew or written to a cache", unit: "tokens" },
    { of: "read", title: "tokens read from a cache", unit: "tokens" },
    { of: "output", title: "tokens of answers", unit: "tokens" },
  ],
} satisfies Work;
