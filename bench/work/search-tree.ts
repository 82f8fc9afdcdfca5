import { called, commanded, layTree, ripgrep, treeFiles } from "../tree.ts";
import type { Work } from "../work.ts";

export default {
  title: `search over ${treeFiles.toLocaleString("en")} files, against bare rg`,
  pith: (lab) => called(lab, "search", { pattern: "needle", paths: layTree(lab) }, "needle"),
  floor: async (lab) => commanded([await ripgrep(), "--hidden", "needle", layTree(lab)], "needle"),
  measures: [{ of: "turn", title: "one search", unit: "ms", goal: { timesFloor: 1.3 } }],
} satisfies Work;
