import type { Measure, Sample, Work } from "./work.ts";

export interface Result {
  work: string;
  title: string;
  measures: readonly Measure[];
  pith: Sample[];
  floor: Sample[];
}
export const resultOf = (name: string, work: Work): Result => ({
  work: name,
  title: work.title,
  measures: work.measures,
  pith: [],
  floor: [],
});

export interface Row {
  work: string;
  measure: string;
  pith: string;
  floor: string;
  /** Median over median; the least over the least says what a quiet machine would show. */
  ratio: string;
  best: string;
  goal: string;
  verdict: "pass" | "miss" | "";
}

export function rowsOf(results: readonly Result[]): Row[] {
  return results.flatMap((result) =>
    result.measures.map((measure, i) => {
      const [pith, floor] = [result.pith, result.floor].map((list) => figures(list, measure.of)) as [Figures, Figures];
      const ratio = pith.median / floor.median;
      return {
        work: i === 0 ? result.title : "",
        measure: `${measure.title} (${measure.unit})`,
        pith: show(pith, measure.unit),
        floor: show(floor, measure.unit),
        ratio: times(ratio),
        best: times(pith.least / floor.least),
        goal: goalText(measure),
        verdict: judge(measure, pith.median, ratio),
      };
    }),
  );
}

export function table(rows: readonly Row[]): string {
  const heads: Row = {
    work: "workload",
    measure: "measure",
    pith: "pith (least)",
    floor: "floor (least)",
    ratio: "ratio",
    best: "of least",
    goal: "goal",
    verdict: "",
  };
  const columns = ["work", "measure", "pith", "floor", "ratio", "best", "goal", "verdict"] as const;
  const all = [heads, ...rows];
  const widths = columns.map((column) => Math.max(...all.map((row) => row[column].length)));
  const line = (row: Row) =>
    columns
      .map((column, i) => pad(row[column], widths[i] ?? 0, i < 2 || i > 5))
      .join("  ")
      .trimEnd();
  return all.map(line).join("\n");
}

interface Figures {
  median: number;
  least: number;
}

function figures(samples: readonly Sample[], of: string): Figures {
  const sorted = samples.map((sample) => sample[of] ?? Number.NaN).sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return {
    median: sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? Number.NaN)) / 2,
    least: sorted[0] ?? Number.NaN,
  };
}

function judge(measure: Measure, median: number, ratio: number): Row["verdict"] {
  if (!measure.goal) return "";
  // Not a number is a miss: what was not measured was not reached.
  const reached = "atMost" in measure.goal ? median <= measure.goal.atMost : ratio <= measure.goal.timesFloor;
  return reached ? "pass" : "miss";
}

export function goalText({ goal, unit }: Measure): string {
  if (!goal) return "";
  return "atMost" in goal ? `≤ ${goal.atMost} ${unit}` : `≤ ${goal.timesFloor}×`;
}

const show = ({ median, least }: Figures, unit: Measure["unit"]) => `${number(median, unit)} (${number(least, unit)})`;
const number = (value: number, unit: Measure["unit"]) =>
  unit === "bytes" || value >= 100 ? Math.round(value).toLocaleString("en-US") : value.toFixed(1);
const times = (ratio: number) => (Number.isFinite(ratio) ? `${ratio.toFixed(2)}×` : "–");
const pad = (text: string, width: number, left: boolean) => (left ? text.padEnd(width) : text.padStart(width));
