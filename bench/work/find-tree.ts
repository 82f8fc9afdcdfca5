import { called, commanded, layTree, ripgrep, treeFiles } from "../tree.ts";
import type { Work } from "../work.ts";

export default {
  title: `find in ${treeFiles.toLocaleString("en")} files, newest first, against bare rg --files`,
  pith: (lab) => called(lab, "find", { paths: `${layTree(lab)}/**/*.md` }, ".md"),
  floor: async (lab) => commanded([await ripgrep(), "--files", "--hidden", layTree(lab)], ".md"),
  measures: [{ of: "turn", title: "one find", unit: "ms", goal: { timesFloor: 5 } }],
} satisfies Work;
