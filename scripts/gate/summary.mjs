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
 * or a test that is no longer there. `steady` says that all that failed passed when it ran by itself. `grown` is the
 * new count, of a run in which nothing failed.
 */
export function verdict(tests, files, failedSteps, known = { files: 0, tests: 0 }, steady = false) {
  const first = countTests(tests.output);
  const count = steady ? { ...first, passed: first.passed + first.failed, failed: 0 } : first;
  const now = { files, tests: count.passed + count.failed + count.skipped };
  const left = files > count.files ? [`${files - count.files} of ${files} test files did not run`] : [];
  const gone = Object.keys(now)
    .filter((what) => now[what] < known[what])
    .map(
      (what) => `${now[what]} ${what} where there were ${known[what]}: lower scripts/gate/tests.json if that is meant`,
    );
  const notes = [...left, ...gone];
  const failed =
    failedSteps + (count.failed || ((tests.ok || steady) && count.passed > 0 && notes.length === 0 ? 0 : 1));
  const skipped = count.skipped > 0 ? `, ${count.skipped} skipped` : "";
  const line = `${count.passed} passed, ${failed} failed${skipped}`;
  const isMore = now.files > known.files || now.tests > known.tests;
  return { notes, line, code: failed > 0 ? 1 : 0, grown: failed === 0 && isMore ? now : undefined };
}

/**
 * The files in which tests failed, when they are few enough to be looked at once more by themselves: a test that passes
 * there fails by the load of the machine, which is told, and is no fault of the change. None where something else went
 * wrong than tests that failed.
 */
export function failedFiles(output) {
  const files = new Set();
  let file;
  let failures = 0;
  // All of them are told again at the end, without their files.
  for (const row of output.split(/^\d+ tests? failed:$/m, 1)[0].split("\n")) {
    file = /^(\S+\.test\.ts):$/.exec(row)?.[1] ?? file;
    if (!row.startsWith("(fail) ")) continue;
    failures++;
    files.add(file);
  }
  const isAll = failures === countTests(output).failed && !files.has(undefined);
  return isAll && files.size <= mostUnsteady ? [...files] : [];
}

/** More than these are no accident. */
const mostUnsteady = 3;

/** The files of tests below some folders. */
export function testFiles(folders) {
  const isTest = (name) => name.endsWith(".test.ts") && !/(?:^|[\\/])node_modules[\\/]/.test(name);
  return folders.flatMap((folder) => readdirSync(folder, { recursive: true, encoding: "utf8" }).filter(isTest));
}
