import type { Checker } from "./problem.ts";

/** Reports new syntax errors. */
export const syntaxChecker: Checker = {
  name: "syntax",
  async check(files, signal) {
    const { newErrors } = await import("../../edit/syntax/syntax.ts");
    const all = [];
    for (const { path, name, before, after } of files) {
      if (signal.aborted) break;
      for (const { line, column, message } of await newErrors({ path, before, after }))
        all.push({ path, name, line, column, severity: "error" as const, message, source: "syntax" });
    }
    return all;
  },
};
