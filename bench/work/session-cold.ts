import type { Lab } from "../lab.ts";
import { dropIndex, huge, resume, type Size, sessionOf, small } from "../session.ts";
import type { Work } from "../work.ts";

const cold = async (lab: Lab, size: Size) => {
  const file = await sessionOf(lab, size);
  dropIndex(file);
  return resume(lab, file);
};

export default {
  title: "the same without an index",
  pith: (lab) => cold(lab, { ...huge, name: "huge-cold" }),
  floor: (lab) => cold(lab, { ...small, name: "small-cold" }),
  measures: [
    { of: "request", title: "start to first request", unit: "ms" },
    { of: "rss", title: "peak memory", unit: "MB" },
  ],
} satisfies Work;
