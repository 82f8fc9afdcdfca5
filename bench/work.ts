// The shape of a workload. One file in bench/work/ is one workload: its default export is found and run, nothing is
// registered.
import type { Lab } from "./lab.ts";

/** One run, measured: figures by name. */
export type Sample = Readonly<Record<string, number>>;

export interface Work {
  title: string;
  /** Who is compared: pith, and the least that does the same. Each does one run and throws unless the run is proven. */
  pith(lab: Lab): Promise<Sample>;
  floor(lab: Lab): Promise<Sample>;
  measures: readonly Measure[];
}

export interface Measure {
  /** The figure of the sample. */
  of: string;
  title: string;
  unit: "ms" | "µs" | "MB" | "bytes" | "tokens" | "%";
  goal?: { timesFloor: number } | { atMost: number };
}
