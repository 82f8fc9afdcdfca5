import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Lab } from "../lab.ts";
import { argsFor } from "../turn.ts";
import type { Work } from "../work.ts";

const tests = 65_000;

/** A run of tests as a runner prints it, 5 MB long, with one failure in its middle and how it went at the end. */
function log(): string {
  const row = (n: number) =>
    `tests/unit/test_store.py::test_keeps_what_was_put[${n}] PASSED           [ ${n % 100}%]\n`;
  const rows = Array.from({ length: tests }, (_, n) => row(n));
  rows[tests / 2] = "tests/unit/test_store.py::test_forgets_nothing FAILED                  [ 50%]\n";
  return `${rows.join("")}E  AssertionError: one is missing\n=== 1 failed, ${tests - 1} passed in 12.3s ===\n`;
}

/** Bytes that the log of a command adds to the next request. Throws unless its last line is in there. */
async function sent(lab: Lab, subject: "pith" | "floor", command: string): Promise<number> {
  writeFileSync(join(lab.project, "tests.log"), log());
  writeFileSync(join(lab.project, "run-tests.sh"), "cat tests.log\n", { mode: 0o755 });
  const run = await lab.start(subject, argsFor(subject, "run the tests"), {
    play: "calls",
    turns: 1,
    tool: "bash",
    input: { command },
  });
  const [first, second] = run.seen;
  if (!first || !second?.last.includes(subject === "pith" ? "artifact://" : "1 failed"))
    throw new Error(`${subject}: ${second?.last}`);
  return second.bytes - first.bytes;
}

const run = async (lab: Lab, subject: "pith" | "floor") => ({
  printed: await sent(lab, subject, "cat tests.log"),
  tested: await sent(lab, subject, "./run-tests.sh"),
});

export default {
  title: "a test log of 5 MB",
  pith: (lab) => run(lab, "pith"),
  floor: (lab) => run(lab, "floor"),
  measures: [
    { of: "printed", title: "sent, when it is printed", unit: "bytes", goal: { atMost: 24_000 } },
    { of: "tested", title: "sent, when it comes from a test runner", unit: "bytes", goal: { atMost: 3000 } },
  ],
} satisfies Work;
