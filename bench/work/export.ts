// Exports of a session of 1 GB: no form holds it in memory. A page takes longer than a run may, and is left out.
import { rmSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Lab } from "../lab.ts";
import { huge, sessionOf } from "../session.ts";
import type { Sample, Work } from "../work.ts";

const forms = ["md", "json", "jsonl"] as const;

async function measure(lab: Lab): Promise<Sample> {
  const file = await sessionOf(lab, huge);
  const sample: Record<string, number> = {};
  for (const form of forms) {
    const out = join(lab.project, "..", `export.${form}`);
    const run = await lab.start("pith", ["export", file, `--${form}`, "--out", out]);
    if (statSync(out).size < huge.bytes / 2) throw new Error(`the ${form} is too short`);
    rmSync(out);
    sample[form] = run.peakMb;
  }
  return sample;
}

export default {
  title: "export: 1 GB, 200,000 entries",
  heavy: true,
  pith: measure,
  floor: async () => ({ md: 0, json: 0, jsonl: 0 }),
  measures: forms.map((form) => ({
    of: form,
    title: `peak memory, --${form}`,
    unit: "MB" as const,
    goal: { atMost: 250 },
  })),
} satisfies Work;
