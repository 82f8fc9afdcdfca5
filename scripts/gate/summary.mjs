import { readdirSync } from "node:fs";

/** Reads the last summary that `bun test` printed; it counts a file that does not load as failed. */
export function countTests(output) {
  const end = output.lastIndexOf("\nRan ");
  const summary = end === -1 ? "" : output.slice(Math.max(0, end - 300), end);
  const files = Number(/^\nRan \d+ tests? across (\d+) files?\./.exec(end === -1 ? "" : output.slice(end))?.[1] ?? 0);
  const figure = (word) => Number([...summary.matchAll(new RegExp(`^ *(\\d+) ${word}$`, "gm"))].at(-1)?.[1] ?? 0);
  return { files, passed: figure("pass"), failed: figure("fail"), skipped: figure("skip") + figure("todo") };
}

/**
 * Decides the last line and exit code of the gate. `tests` is the output of the runner, `files` the number of test
 * files. A runner that crashes, times out, finds no test or skips a file counts as one failure. Counts below those of
 * tests.json (`known`) are a failure only if `exact`, which is set where every program is installed: elsewhere tests
 * may be skipped, and a missing program can hide a test file's rows. `steady` is true when all failed tests passed in
 * a second run by themselves. `grown` in the result is the new count after a run without failures.
 */
export function verdict(
  tests,
  files,
  failedSteps,
  { known = { files: 0, tests: 0 }, steady = false, exact = false } = {},
) {
  const first = countTests(tests.output);
  const count = steady ? { ...first, passed: first.passed + first.failed, failed: 0 } : first;
  const now = { files, tests: count.passed + count.failed + count.skipped };
  const left = files > count.files ? [`${files - count.files} of ${files} test files did not run`] : [];
  const gone = Object.keys(now)
    .filter((what) => now[what] < known[what])
    .map(
      (what) => `${now[what]} ${what} where there were ${known[what]}: lower scripts/gate/tests.json if that is meant`,
    );
  const isWhole = left.length === 0 && (gone.length === 0 || !exact);
  const failed = failedSteps + (count.failed || ((tests.ok || steady) && count.passed > 0 && isWhole ? 0 : 1));
  const skipped = count.skipped > 0 ? `, ${count.skipped} skipped` : "";
  const line = `${count.passed} passed, ${failed} failed${skipped}`;
  const isMore = now.files > known.files || now.tests > known.tests;
  return { notes: [...left, ...gone], line, code: failed > 0 ? 1 : 0, grown: failed === 0 && isMore ? now : undefined };
}

/**
 * Lists the files with failed tests if they are few enough for a second run by themselves: a test that passes there
 * failed because of load. Empty if something else than a test failed.
 */
export function failedFiles(output) {
  const files = new Set();
  let file;
  let failures = 0;
  // The runner repeats all failures at the end without their files.
  for (const row of output.split(/^\d+ tests? failed:$/m, 1)[0].split("\n")) {
    file = /^(\S+\.test\.ts):$/.exec(row)?.[1] ?? file;
    if (!row.startsWith("(fail) ")) continue;
    failures++;
    files.add(file);
  }
  const isAll = failures === countTests(output).failed && !files.has(undefined);
  return isAll && files.size <= mostUnsteady ? [...files] : [];
}

/** Failures in more files than this are not caused by load. */
const mostUnsteady = 3;

/** Test files below the folders. */
export function testFiles(folders) {
  const isTest = (name) => name.endsWith(".test.ts") && !/(?:^|[\\/])node_modules[\\/]/.test(name);
  return folders.flatMap((folder) => readdirSync(folder, { recursive: true, encoding: "utf8" }).filter(isTest));
}
