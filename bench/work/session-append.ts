import { readFileSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { fileStorage, Journal } from "../../packages/agent/src/index.ts";
import { systemClock } from "../../packages/kit/src/index.ts";
import type { Lab } from "../lab.ts";
import { huge, type Size, sessionOf, small } from "../session.ts";
import type { Work } from "../work.ts";

/** A thousand entries, one write each. */
const append = async (lab: Lab, size: Size) => {
  const file = await sessionOf(lab, size);
  const [length, index] = [statSync(file).size, readFileSync(`${file}.idx`)];
  const opened = Journal.open({ storage: fileStorage(file), clock: systemClock, onFault: () => {} });
  if (!opened.ok) throw new Error(opened.message);
  const { journal } = opened.value;
  const message = { role: "user" as const, content: "x".repeat(300), timestamp: 0 };
  journal.append({ type: "message", message });
  // The median of ten batches: the disk is busy with the gigabyte that was just written.
  const batches = Array.from({ length: 10 }, () => {
    const began = performance.now();
    for (let round = 0; round < 100; round++) journal.append({ type: "message", message });
    return performance.now() - began;
  }).sort((a, b) => a - b);
  const wall = (batches[5] ?? 0) * 10;
  await journal.close();
  // Other workloads go on with the same session.
  truncateSync(file, length);
  writeFileSync(`${file}.idx`, index);
  return { wall };
};

export default {
  title: "1,000 appends after 200,000 entries (floor: after 200)",
  pith: (lab) => append(lab, huge),
  floor: (lab) => append(lab, small),
  measures: [{ of: "wall", title: "wall", unit: "ms", goal: { timesFloor: 1.5 } }],
} satisfies Work;
