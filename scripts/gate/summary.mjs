/** The figures of the last summary that `bun test` printed; a file that does not load counts as failed there. */
export function countTests(output) {
  const end = output.lastIndexOf("\nRan ");
  const summary = end === -1 ? "" : output.slice(Math.max(0, end - 300), end);
  const figure = (word) => Number([...summary.matchAll(new RegExp(`^ *(\\d+) ${word}$`, "gm"))].at(-1)?.[1] ?? 0);
  return { passed: figure("pass"), failed: figure("fail"), skipped: figure("skip") + figure("todo") };
}

/**
 * The gate's last line and exit code, from what the test runner said and how many other steps failed. A runner that
 * fails without a failed test (a crash, a time-out), or finds no test at all, is a failure of its own.
 */
export function verdict(tests, failedSteps) {
  const count = countTests(tests.output);
  const failed = failedSteps + (count.failed || (tests.ok && count.passed > 0 ? 0 : 1));
  const skipped = count.skipped > 0 ? `, ${count.skipped} skipped` : "";
  return { line: `${count.passed} passed, ${failed} failed${skipped}`, code: failed > 0 ? 1 : 0 };
}
