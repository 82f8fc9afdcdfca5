import { readdirSync } from "node:fs";

/** The figures of the last summary that `bun test` printed; a file that does not load counts as failed there. */
export function countTests(output) {
  const end = output.lastIndexOf("\nRan ");
  const summary = end === -1 ? "" : output.slice(Math.max(0, end - 300), end);
  const files = Number(/^\nRan \d+ tests? across (\d+) files?\./.exec(end === -1 ? "" : output.slice(end))?.[1] ?? 0);
  const figure = (word) => Number([...summary.matchAll(new RegExp(`^ *(\\d+) ${word}$`, "gm"))].at(-1)?.[1] ?? 0);
  return { files, passed: figure("pass"), failed: figure("fail"), skipped: figure("skip") + figure("todo") };
}

/**
 * The gate's last line and exit code, from what the test runner said, how many files of tests there are, and how many
 * other steps failed. A runner that fails without a failed test (a crash, a time-out), finds no test at all, or leaves
 * a file out, is a failure of its own.
 */
export function verdict(tests, files, failedSteps) {
  const count = countTests(tests.output);
  const lost = Math.max(0, files - count.files);
  const failed = failedSteps + (count.failed || (tests.ok && count.passed > 0 && lost === 0 ? 0 : 1));
  const skipped = count.skipped > 0 ? `, ${count.skipped} skipped` : "";
  const left = lost > 0 ? [`${lost} of ${files} test files did not run`] : [];
  return { notes: left, line: `${count.passed} passed, ${failed} failed${skipped}`, code: failed > 0 ? 1 : 0 };
}

/** The files of tests below some folders. */
export function testFiles(folders) {
  const isTest = (name) => name.endsWith(".test.ts") && !/(?:^|[\\/])node_modules[\\/]/.test(name);
  return folders.flatMap((folder) => readdirSync(folder, { recursive: true, encoding: "utf8" }).filter(isTest));
}
