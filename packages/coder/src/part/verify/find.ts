import { join } from "node:path";
import { parseJson, readPlain, recordOf } from "@pith/kit";

/** A command that checks a project, with its script or recipe. */
interface ProjectCheck {
  command: string;
  does?: string | undefined;
}

/** Names of scripts that check, best first. */
const names = ["check", "typecheck", "type-check", "lint", "test"];
const managers = [
  ["bun.lock", "bun run"],
  ["bun.lockb", "bun run"],
  ["pnpm-lock.yaml", "pnpm run"],
  ["yarn.lock", "yarn run"],
] as const;

type ReadCheck = (text: string, has: (name: string) => boolean) => ProjectCheck | undefined;

/** Files that tell how a project is checked, best first. */
const sources: readonly [file: string, read: ReadCheck][] = [
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

/** Programs that check a Python project, by their table in pyproject.toml. */
const tools: readonly [table: RegExp, ProjectCheck][] = [
  [/^\[tool\.mypy\b/m, { command: "mypy ." }],
  [/^\[tool\.pyright\b/m, { command: "pyright" }],
  [/^\[tool\.ruff\b/m, { command: "ruff check ." }],
  [/^\[tool\.pytest\b/m, { command: "python -m pytest -q" }],
];

/** The command that checks a project, as its files tell it. */
export function findCheck(project: string): ProjectCheck | undefined {
  const read = (name: string): string | undefined => {
    const file = readPlain(join(project, name), { maxBytes: 1024 * 1024, within: project });
    return file.ok ? file.value : undefined;
  };
  for (const [file, check] of sources) {
    const text = read(file);
    const found = text === undefined ? undefined : check(text, (name) => read(name) !== undefined);
    if (found) return found;
  }
  return undefined;
}

function scriptOf(text: string, runner: string, key = "scripts"): ProjectCheck | undefined {
  const all = recordOf(recordOf(parseJson(text))[key]);
  const isScript = (value: unknown) =>
    [value].flat().every((line) => typeof line === "string" && !/no test specified/.test(line));
  const name = names.find((name) => Object.hasOwn(all, name) && isScript(all[name]));
  return name === undefined ? undefined : { command: `${runner} ${name}`, does: [all[name]].flat().join("\n") };
}

/** A target of a makefile or justfile, with its recipe. */
function targetOf(text: string, runner: string): ProjectCheck | undefined {
  for (const name of names) {
    const recipe = new RegExp(`^${name}\\s*:(?!=).*\\n((?:[ \\t]+.*\\n?)*)`, "m").exec(`${text}\n`)?.[1];
    if (recipe === undefined) continue;
    return { command: `${runner} ${name}`, does: recipe.replace(/^[ \t]+/gm, "").trim() || undefined };
  }
  return undefined;
}
