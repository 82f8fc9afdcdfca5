import { join } from "node:path";
import { readPlain } from "@pith/kit";

const scripts = ["check", "typecheck", "type-check", "lint", "test"];
const managers = [
  ["bun.lock", "bun run"],
  ["bun.lockb", "bun run"],
  ["pnpm-lock.yaml", "pnpm run"],
  ["yarn.lock", "yarn run"],
] as const;

/** The command by which a project checks itself, as far as its files tell, and what it does where they say that. */
export function foundCommand(project: string): { command: string; does?: string } | undefined {
  const read = (name: string): string | undefined => {
    const file = readPlain(join(project, name), { maxBytes: 1024 * 1024, within: project });
    return file.ok ? file.value : undefined;
  };
  const script = scriptIn(read("package.json"));
  if (script) {
    const manager = managers.find(([lock]) => read(lock) !== undefined)?.[1] ?? "npm run";
    return { command: `${manager} ${script.name}`, does: script.does };
  }
  if (read("Cargo.toml") !== undefined) return { command: "cargo check" };
  if (read("go.mod") !== undefined) return { command: "go vet ./..." };
  return /^check:/m.test(read("Makefile") ?? "") ? { command: "make check" } : undefined;
}

function scriptIn(text: string | undefined): { name: string; does: string } | undefined {
  try {
    const { scripts: all } = JSON.parse(text ?? "{}") as { scripts?: Record<string, unknown> };
    const name = scripts.find((one) => typeof all?.[one] === "string" && !/no test specified/.test(all[one]));
    return name === undefined ? undefined : { name, does: String(all?.[name]) };
  } catch {
    return undefined;
  }
}
