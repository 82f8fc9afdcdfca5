// Prints a table of all protocols against their strict fake servers: `node bin/bun scripts/gate/conformance.ts`.
// A cell is NO for a failure, else yes or the variant that passed; the exit code is 1 after a failure.
import { columns } from "../../packages/llm/src/test/conformance.ts";
import { benches } from "../../packages/llm/src/test/lab.ts";

const failures: string[] = [];
const rows: string[][] = [["", ...Object.keys(benches)]];
for (const { name, check } of columns) {
  const cells = await Promise.all(
    Object.entries(benches).map(async ([api, bench]) => {
      try {
        return (await check(bench)) ?? "yes";
      } catch (error) {
        failures.push(`${api}, ${name}: ${error instanceof Error ? error.message : String(error)}`);
        return "NO";
      }
    }),
  );
  rows.push([name, ...cells]);
}

const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? [];
for (const row of rows)
  process.stdout.write(
    `${row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join("  ")
      .trimEnd()}\n`,
  );
for (const failure of failures) process.stdout.write(`${failure}\n`);
const rules = Object.values(benches).reduce((sum, { fake }) => sum + fake.rules.length, 0);
process.stdout.write(
  `${columns.length * Object.keys(benches).length - failures.length} yes, ${failures.length} no; ${rules} rules held\n`,
);
process.exit(failures.length > 0 ? 1 : 0);
