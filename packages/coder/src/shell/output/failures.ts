/**
 * Finds the lines of an output that belong to something that failed: there everything counts, also what looks like good
 * news because the failing test has printed it.
 */
export function failures(lines: readonly string[]): (at: number) => boolean {
  // How many ranges begin at a line, less those that are over.
  const steps = new Int32Array(lines.length + 1);
  let open: { from: number; end: RegExp } | undefined;
  // Before the first test there is no other.
  const seen = new Map(tests.map((form) => [form, new Map(form.is === "the test" ? [] : [["", 0]])]));
  lines.forEach((line, at) => {
    if (line.length > longest) return;
    if (open?.end.test(line)) {
      mark(steps, open.from, at);
      open = undefined;
    }
    const section = open || !hints.test(line) ? undefined : sections.find(({ begin }) => begin.test(line));
    if (section) open = { from: at, end: section.end };
    for (const [form, begun] of seen) {
      const from = beginning(form, begun, line, at);
      if (from !== undefined) mark(steps, from, at + 1);
    }
  });
  if (open) mark(steps, open.from, lines.length);
  for (let at = 1; at < steps.length; at++) steps[at] = (steps[at] ?? 0) + (steps[at - 1] ?? 0);
  return (at) => (steps[at] ?? 0) > 0;
}

/** No line of a test runner is longer. */
export const longest = 1000;

function mark(steps: Int32Array, from: number, to: number): void {
  steps[from] = (steps[from] ?? 0) + 1;
  steps[to] = (steps[to] ?? 0) - 1;
}

/** The line where the test began that failed by this one. */
function beginning({ start, is, failed }: Form, seen: Map<string, number>, line: string, at: number) {
  const said = start.exec(line);
  if (said && is === "the test") seen.set(said[1] ?? "", at);
  const bad = failed.exec(line);
  const from = bad && seen.get(bad[1] ?? "");
  if (said && is === "the one before") seen.set(said[1] ?? "", at + 1);
  return from ?? undefined;
}

interface Form {
  /** A line that begins a test, or ends the one before; what it captures has to be the same in the line that failed. */
  start: RegExp;
  is: "the test" | "the one before";
  failed: RegExp;
}

/** Runners that show what a test prints before they say how it went. */
const tests: readonly Form[] = [
  // go
  { start: /^\s*=== RUN\s+(\S+)/, is: "the test", failed: /^\s*--- FAIL: (\S+)/ },
  // unittest
  { start: /^\s*\w+ \([\w.<>]+\)/, is: "the test", failed: /^(?:FAIL|ERROR)$/ },
  // pytest -s
  { start: /^\S.*\.py::/, is: "the test", failed: /^(?:FAILED|ERROR)(?:\s+\[\s*\d+%\])?\s*$/ },
  { start: /^\S+\.py /, is: "the test", failed: /^[.sx]*[EF][.sxEF]*$/ },
  // bun
  { start: /^\((?:pass|fail|skip|todo)\) /, is: "the one before", failed: /^\(fail\) / },
  // cargo
  { start: /^test \S.* \.\.\. (?:ok|FAILED|ignored)/, is: "the one before", failed: /^(?:test \S.* \.\.\. )?FAILED$/ },
  // mocha
  { start: /^(\s+)[✓✔√] /, is: "the one before", failed: /^(\s+)\d+\) / },
  // docker
  { start: /^#(\d+) \[/, is: "the test", failed: /^#(\d+) ERROR/ },
];

const never = /(?!)/;

/** No section begins without one of these; to look for them first is what makes a long output quick. */
const hints = /fail|error|panic|not ok|traceback|---- |●|std(?:out|err) \||console\.|STANDARD_|\*\*\*/i;

/**
 * Matches details of a failure and what stands behind them; or the output of a test, as far as it is known to be such.
 */
const sections: readonly { begin: RegExp; end: RegExp }[] = [
  // pytest
  {
    begin: /^=+ (?:FAILURES|ERRORS) =+$/,
    end: /^=+ (?:short test summary info|warnings summary.*|PASSES|.* in [\d.]+s.*) =+$/,
  },
  // unittest
  { begin: /^(?:FAIL|ERROR): \S/, end: /^Ran \d+ tests? in / },
  // cargo, nextest
  { begin: /^failures:$|^---- .* ----$/, end: /^test result: / },
  { begin: /^\s+FAIL \[/, end: /^\s+(?:PASS|SKIP|Summary) \[/ },
  { begin: /panicked at /, end: /^(?:note: |test |$)/ },
  // vitest, jest
  { begin: /^\s*FAIL {2}\S|⎯ Failed (?:Tests|Suites) /, end: /^\s*(?:Test Files|Tests) {2}/ },
  { begin: /^\s*● /, end: /^(?:PASS|FAIL|Test Suites:|Tests:) / },
  { begin: /^\s*std(?:out|err) \| /, end: /^$/ },
  { begin: /^\s+console\.\w+$/, end: /^\s+at / },
  // mocha, node, rspec, phpunit
  {
    begin: /^\s+\d+ failing$|^✖ failing tests:$|^Failures:$|^There (?:was|were) \d+ (?:failure|error)s?:$/,
    end: never,
  },
  // TAP
  { begin: /^\s*not ok\b/, end: /^\s*(?:\.\.\.|# Subtest: .*|1\.\.\d+)$|^ok \d/ },
  // go
  { begin: /^\s*--- FAIL: /, end: /^(?:=== |--- PASS|FAIL$|FAIL\t|ok\s|PASS$)/ },
  { begin: /^panic: /, end: /^(?:FAIL|ok)\s/ },
  // deno, gradle, dotnet, ctest
  { begin: /^ ?(?:ERRORS|FAILURES) ?$/, end: /^(?:FAILED|ok) \| / },
  { begin: /^\S.* > .* (?:FAILED|STANDARD_OUT|STANDARD_ERR)$/, end: /^\S/ },
  { begin: /^\s+Failed \S/, end: /^\s+(?:Passed|Skipped) \S|^(?:Failed|Passed)!|^Test Run/ },
  { begin: /^\s*\d+\/\d+ Test .*\*\*\*/, end: /^\s*(?:Start\s+\d+: |\d+\/\d+ Test\s)|^\d+% tests passed/ },
  { begin: /^\s*Traceback \(most recent call last\)/, end: /^\S/ },
];
