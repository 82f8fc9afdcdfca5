// All shapes × seeds × operations: `bun packages/tui/src/test/run-stress.ts [seeds=50] [operations=100] [first
// seed=1]`.
import { shapes } from "./operation.ts";
import { createSecondTerminals } from "./second-terminal.ts";
import { stress } from "./stress.ts";

const [seeds = 50, length = 100, first = 1] = process.argv.slice(2).map(Number);
const second = createSecondTerminals();
let total = 0;
let failed = 0;
for (const shape of shapes) {
  const { operations, seed, failure } = await stress(
    [shape],
    Array.from({ length: seeds }, (_, at) => first + at),
    length,
    { second },
  );
  total += operations;
  if (failure) failed++;
  process.stdout.write(
    `${failure ? `FAILED ${shape.name}, seed ${seed}: ${JSON.stringify(failure)}` : `ok ${shape.name}`}\n`,
  );
}
process.stdout.write(`${shapes.length} shapes, ${seeds} seeds, ${total} operations, ${failed} differences\n`);
process.exit(failed === 0 ? 0 : 1);
