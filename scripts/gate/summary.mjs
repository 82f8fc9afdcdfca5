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
 * The gate's last line and exit code, from what the test runner said, how many files of tests there are, how many other
 * steps failed, and how many files and tests there were when somebody last counted. A runner that fails without a
 * failed test (a crash, a time-out), finds no test at all, or leaves a file out, is a failure of its own; so is a file
 * or a test that is no longer there. `grown` is the new count, of a run in which nothing failed.
 */
export function verdict(tests, files, failedSteps, known = { files: 0, tests: 0 }) {
  const count = countTests(tests.output);
  const now = { files, tests: count.passed + count.failed + count.skipped };
  const left = files > count.files ? [`${files - count.files} of ${files} test files did not run`] : [];
  const gone = Object.keys(now)
    .filter((what) => now[what] < known[what])
    .map(
      (what) => `${now[what]} ${what} where there were ${known[what]}: lower scripts/gate/tests.json if that is meant`,
    );
  const notes = [...left, ...gone];
  const failed = failedSteps + (count.failed || (tests.ok && count.passed > 0 && notes.length === 0 ? 0 : 1));
  const skipped = count.skipped > 0 ? `, ${count.skipped} skipped` : "";
  const line = `${count.passed} passed, ${failed} failed${skipped}`;
  const isMore = now.files > known.files || now.tests > known.tests;
  return { notes, line, code: failed > 0 ? 1 : 0, grown: failed === 0 && isMore ? now : undefined };
}

/** The files of tests below some folders. */
export function testFiles(folders) {
  const isTest = (name) => name.endsWith(".test.ts") && !/(?:^|[\\/])node_modules[\\/]/.test(name);
  return folders.flatMap((folder) => readdirSync(folder, { recursive: true, encoding: "utf8" }).filter(isTest));
}
