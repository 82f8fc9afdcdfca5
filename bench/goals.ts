import { basename, join } from "node:path";
import { goalText } from "./report.ts";
import type { Work } from "./work.ts";

const folder = join(import.meta.dir, "work");

/** Every workload by its name, in order. */
export const workNames = (): string[] =>
  [...new Bun.Glob("*.ts").scanSync({ cwd: folder })]
    .filter((file) => !file.endsWith(".test.ts"))
    .map((file) => basename(file, ".ts"))
    .sort();

export const loadWorks = (names: readonly string[]): Promise<[string, Work][]> =>
  Promise.all(
    names.map(async (name): Promise<[string, Work]> => [name, (await import(join(folder, `${name}.ts`))).default]),
  );

/** The table of goals for `docs/benchmarks.md`. */
export function goalsTable(works: readonly (readonly [string, Work])[]): string {
  const rows = works.flatMap(([name, { title, heavy, measures }]) => {
    const goals = measures.filter(({ goal }) => goal).map((measure) => `${measure.title} ${goalText(measure)}`);
    const only = heavy ? " (by `--only`)" : "";
    return goals.length === 0 ? [] : [`| \`${name}\` | ${title}${only} | ${goals.join("; ")} |`];
  });
  return ["| name | workload | goals |", "| --- | --- | --- |", ...rows].join("\n");
}
