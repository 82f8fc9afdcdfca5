import { join } from "node:path";
import { root } from "./need.ts";
import { type Ended, run, type Scratch } from "./scratch.ts";

export const main = join(root, "packages", "cli", "src", "main.ts");

/**
 * Environment of a run: a home and a temporary directory below `dir`, and no credentials; folders are held there as
 * they are here (`attack/way.ts`).
 */
export const envOf = (dir: Scratch, more: Readonly<Record<string, string>> = {}): Record<string, string> => ({
  HOME: dir.at("home"),
  TMPDIR: dir.at("tmp"),
  PATH: process.env.PATH ?? "",
  PITH_FS: process.env.PITH_FS ?? "",
  ...more,
});

export interface PithOptions {
  env?: Readonly<Record<string, string>>;
  input?: string | Uint8Array;
}

/** The gate has built pith; the binary starts three times as fast as the sources. Bun takes the first `--` for itself. */
const built = process.env.PITH_BUILT;
export const program: readonly string[] = built ? [built] : [process.execPath, main, "--"];

/** Runs pith in the `work` folder of a scratch directory. */
export function pith(dir: Scratch, argv: readonly string[], { env, input }: PithOptions = {}): Promise<Ended> {
  dir.write({ "work/.keep": "", "tmp/.keep": "", "home/.keep": "" });
  return run([...program, ...argv], { cwd: dir.at("work"), env: envOf(dir, env), input });
}

/** Writes a script for the faux model; returns the option that chooses it. */
export function scripted(dir: Scratch, ...turns: unknown[]): string[] {
  dir.write({ "script.json": JSON.stringify({ turns }) });
  return ["--model", dir.at("script.json")];
}
