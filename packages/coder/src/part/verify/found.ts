import { join } from "node:path";
import { readPlain } from "@pith/kit";

/** A command, and what it does where the project says that. */
export interface Found {
  command: string;
  does?: string;
}

/** What checks are called, the surest first. */
const names = ["check", "typecheck", "type-check", "lint", "test"];
const managers = [
  ["bun.lock", "bun run"],
  ["bun.lockb", "bun run"],
  ["pnpm-lock.yaml", "pnpm run"],
  ["yarn.lock", "yarn run"],
] as const;

/** Where a project says how it is checked, in the order in which they are asked. */
const places: readonly [file: string, check: (text: string, has: (name: string) => boolean) => Found | undefined][] = [
  ["package.json", (text, has) => scriptOf(text, managers.find(([lock]) => has(lock))?.[1] ?? "npm run")],
  ["deno.json", (text) => scriptOf(text, "deno task", "tasks")],
  ["composer.json", (text) => scriptOf(text, "composer run")],
  ["Cargo.toml", () => ({ command: "cargo check" })],
  ["go.mod", () => ({ command: "go vet ./..." })],
  ["pyproject.toml", (text) => tools.find(([table]) => table.test(text))?.[1]],
  ["justfile", (text) => targetOf(text, "just")],
  ["GNUmakefile", (text) => targetOf(text, "make")],
  ["makefile", (text) => targetOf(text, "make")],
  ["Makefile", (text) => targetOf(text, "make")],
];

/** Programs that a Python project has set up. */
const tools: readonly [table: RegExp, Found][] = [
  [/^\[tool\.mypy\b/m, { command: "mypy ." }],
  [/^\[tool\.pyright\b/m, { command: "pyright" }],
  [/^\[tool\.ruff\b/m, { command: "ruff check ." }],
  [/^\[tool\.pytest\b/m, { command: "python -m pytest -q" }],
];

/** The command by which a project checks itself, as far as its files tell. */
export function foundCommand(project: string): Found | undefined {
  const read = (name: string): string | undefined => {
    const file = readPlain(join(project, name), { maxBytes: 1024 * 1024, within: project });
    return file.ok ? file.value : undefined;
  };
  for (const [file, check] of places) {
    const text = read(file);
    const found = text === undefined ? undefined : check(text, (name) => read(name) !== undefined);
    if (found) return found;
  }
  return undefined;
}

function scriptOf(text: string, runner: string, key = "scripts"): Found | undefined {
  try {
    const all = (JSON.parse(text) as Record<string, Record<string, unknown> | undefined>)[key];
    const is = (value: unknown) =>
      [value].flat().every((one) => typeof one === "string" && !/no test specified/.test(one));
    const name = names.find((one) => all && Object.hasOwn(all, one) && is(all[one]));
    return name === undefined ? undefined : { command: `${runner} ${name}`, does: [all?.[name]].flat().join("\n") };
  } catch {
    return undefined;
  }
}

/** A target with the lines of its recipe. */
function targetOf(text: string, runner: string): Found | undefined {
  for (const name of names) {
    const recipe = new RegExp(`^${name}\\s*:(?!=).*\\n((?:[ \\t]+.*\\n?)*)`, "m").exec(`${text}\n`)?.[1];
    if (recipe === undefined) continue;
    const does = recipe.replace(/^[ \t]+/gm, "").trim();
    return { command: `${runner} ${name}`, ...(does === "" ? {} : { does }) };
  }
  return undefined;
}
