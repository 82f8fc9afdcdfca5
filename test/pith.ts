import { join } from "node:path";
import { root } from "./need.ts";
import { type Ended, run, type Scratch } from "./scratch.ts";

export const main = join(root, "packages", "cli", "src", "main.ts");

/** The environment of a run: a home of its own, no credentials, and a temporary directory that can be looked into. */
export const envOf = (dir: Scratch, more: Readonly<Record<string, string>> = {}): Record<string, string> => ({
  HOME: dir.at("home"),
  TMPDIR: dir.at("tmp"),
  PATH: process.env.PATH ?? "",
  ...more,
});

export interface PithOptions {
  env?: Readonly<Record<string, string>>;
  input?: string | Uint8Array;
}

/** The gate has built what it tests: that begins three times as fast as the sources. Bun keeps the first -- to itself. */
const built = process.env.PITH_BUILT;
export const program: readonly string[] = built ? [built] : [process.execPath, main, "--"];

/** Runs pith in the `work` folder of a scratch directory. */
export function pith(dir: Scratch, argv: readonly string[], { env, input }: PithOptions = {}): Promise<Ended> {
  dir.write({ "work/.keep": "", "tmp/.keep": "", "home/.keep": "" });
  return run([...program, ...argv], { cwd: dir.at("work"), env: envOf(dir, env), input });
}

/** Writes a scripted model and gives the option that chooses it. */
export function scripted(dir: Scratch, ...turns: unknown[]): string[] {
  dir.write({ "script.json": JSON.stringify({ turns }) });
  return ["--model", dir.at("script.json")];
}
