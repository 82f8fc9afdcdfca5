// The shape of a workload. One file in bench/work/ is one workload: its default export is found and run, nothing is
// registered.
import type { Lab } from "./lab.ts";

/** Figures of a run, by name. */
export type Sample = Readonly<Record<string, number>>;

export interface Work {
  title: string;
  /** Set where a run takes minutes: it is measured only where it is named (`--only`). */
  heavy?: true;
  /** Runs pith, or the floor: the shortest program that does the same. Throws unless the result is right. */
  pith(lab: Lab): Promise<Sample>;
  floor(lab: Lab): Promise<Sample>;
  measures: readonly Measure[];
}

export interface Measure {
  /** The figure of the sample. */
  of: string;
  title: string;
  unit: "ms" | "µs" | "MB" | "bytes" | "tokens" | "%" | "count" | "cents";
  goal?: { timesFloor: number } | { atMost: number };
}
