import { called, commanded, layTree, ripgrep, treeFiles } from "../tree.ts";
import type { Work } from "../work.ts";

export default {
  title: `find all of ${treeFiles.toLocaleString("en")} files, newest first, against rg --files --sortr modified`,
  pith: (lab) => called(lab, "find", { paths: layTree(lab) }, "file-"),
  floor: async (lab) =>
    commanded([await ripgrep(), "--files", "--hidden", "--sortr", "modified", layTree(lab)], "file-"),
  measures: [{ of: "turn", title: "one find", unit: "ms", goal: { timesFloor: 1 } }],
} satisfies Work;
