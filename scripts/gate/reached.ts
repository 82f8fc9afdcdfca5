// Reads the report of the test runner: names tests that passed without an assertion that was reached, and lists the
// slowest ones. `node bin/bun scripts/gate/reached.ts <report>`
import { join } from "node:path";
import { root } from "./tree.ts";

export interface TestRun {
  name: string;
  file: string;
  line: number;
  seconds: number;
  assertions: number;
  state: "passed" | "failed" | "skipped";
}

/** The tests of a report in the form of JUnit. */
export function testRuns(report: string): TestRun[] {
  const cases = [...report.matchAll(/<testcase ([^>]*?)(?:\/>|>([\s\S]*?)<\/testcase>)/g)];
  return cases.map(([, written = "", inner = ""]) => {
    const fields = Object.fromEntries([...written.matchAll(/(\w+)="([^"]*)"/g)].map(([, key, value]) => [key, value]));
    return {
      name: plain(fields.name ?? ""),
      file: plain(fields.file ?? ""),
      line: Number(fields.line),
      seconds: Number(fields.time),
      assertions: Number(fields.assertions),
      state: /<skipped/.test(inner) ? "skipped" : inner.trim() === "" ? "passed" : "failed",
    };
  });
}

const signs: Readonly<Record<string, string>> = { lt: "<", gt: ">", quot: '"', apos: "'", amp: "&" };
const plain = (text: string) => text.replace(/&(lt|gt|quot|apos|amp);/g, (_, sign) => signs[sign] ?? "");

/** Tests that passed and came to no assertion, although their lines in the source have one. */
export function unreached(runs: readonly TestRun[], textOf: (file: string) => string): string[] {
  return runs.flatMap(({ state, assertions, file, line, name }) => {
    if (state !== "passed" || assertions > 0) return [];
    const rows = textOf(file)
      .split("\n")
      .slice(line - 1);
    // Other tests wait for states, which fails by itself.
    const end = rows.findIndex((row, at) => at > 0 && /^\s{0,2}(?:test|describe)\b/.test(row));
    const body = rows.slice(0, end === -1 ? rows.length : end).join("\n");
    return /\bexpect\(/.test(body) ? [`${file}:${line}  passed without reaching an assertion: ${name}`] : [];
  });
}

export const slowest = (runs: readonly TestRun[], count: number): string[] =>
  [...runs]
    .sort((a, b) => b.seconds - a.seconds)
    .slice(0, count)
    .map(({ seconds, file, name }) => `${seconds.toFixed(1).padStart(6)} s  ${file}  ${name}`);

if (import.meta.main) {
  const runs = testRuns(await Bun.file(process.argv[2] ?? "").text());
  const texts = new Map<string, string>();
  for (const { file } of runs) if (!texts.has(file)) texts.set(file, await Bun.file(join(root, file)).text());
  const findings = unreached(runs, (file) => texts.get(file) ?? "");
  for (const row of findings) process.stdout.write(`unreached  ${row}\n`);
  for (const row of slowest(runs, 20)) process.stdout.write(`slow  ${row}\n`);
  process.stdout.write(`${runs.length} tests, ${findings.length} without an assertion that was reached\n`);
}
