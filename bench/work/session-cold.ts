import { readFileSync, rmSync, writeFileSync } from "node:fs";
import type { Lab } from "../lab.ts";
import { huge, resume, type Size, sessionOf, small } from "../session.ts";
import type { Work } from "../work.ts";

/** The index is taken away for one run, so that other workloads find it. */
const cold = async (lab: Lab, size: Size) => {
  const file = await sessionOf(lab, size);
  const index = readFileSync(`${file}.idx`);
  rmSync(`${file}.idx`);
  try {
    return await resume(lab, file);
  } finally {
    writeFileSync(`${file}.idx`, index);
  }
};

export default {
  title: "the same without an index",
  pith: (lab) => cold(lab, huge),
  floor: (lab) => cold(lab, small),
  measures: [
    { of: "request", title: "start to first request", unit: "ms" },
    { of: "rss", title: "peak memory", unit: "MB" },
  ],
} satisfies Work;
