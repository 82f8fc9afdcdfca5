import { lstatSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { fail, messageOf, ok, type Result, shortId, tryOr } from "@pith/kit";
import { findProgram, isProgram } from "../program/find.ts";
import { bundledRg } from "./bundled-rg.ts";

export interface RgOptions {
  /** A directory where a compiled binary may put the ripgrep it carries. */
  cacheDir: string;
  /** The user's own choice; it wins, and is not silently replaced when it cannot be run. */
  configured?: string;
  /** The PATH to look in last. */
  path?: string;
  /** Stands in for the bundled one. */
  shipped?: string;
}

/** A ripgrep that can be run: the configured one, else the shipped one, else the one on PATH. */
export async function rgPath({ cacheDir, configured, path, shipped }: RgOptions): Promise<Result<string, "missing">> {
  if (configured && isProgram(configured)) return ok(configured);
  if (configured) return fail("missing", `The configured ripgrep cannot be run: ${configured}`);
  const bundled = shipped ?? (await bundledRg());
  if (bundled && isProgram(bundled)) return ok(bundled);
  const written = bundled ? writeOut(bundled, cacheDir) : undefined;
  if (written?.ok) return written;
  const temp = bundled && ownTemp();
  const second = temp ? writeOut(bundled, temp) : undefined;
  if (second?.ok) return second;
  const installed = findProgram("rg", path ?? "");
  if (installed) return ok(installed);
  const unwritten = written ? ` and could not be written to ${cacheDir}: ${written.message}` : "";
  return fail("missing", `ripgrep (rg) was not found${unwritten}; install it or set its path`);
}

/** A temporary directory that is ours alone, so that programs may be run from it; for a home that cannot be written. */
function ownTemp(): string | undefined {
  const uid = process.getuid?.();
  const directory = join(tmpdir(), `pith-${uid ?? "user"}`);
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    const stat = lstatSync(directory);
    return stat.isDirectory() && (uid === undefined || (stat.uid === uid && (stat.mode & 0o077) === 0))
      ? directory
      : undefined;
  } catch {
    return undefined;
  }
}

/**
 * The embedded name carries a hash of the content, so another version gets another place. What stands there already is
 * run only when it is the same to the byte.
 */
function writeOut(embedded: string, cacheDir: string): Result<string, "io"> {
  const bytes = readFileSync(embedded);
  const target = join(cacheDir, basename(embedded).replace(/\.$/, ""));
  if (isProgram(target) && isCopy(target, bytes)) return ok(target);
  const beside = `${target}.${shortId(() => false)}`;
  try {
    mkdirSync(cacheDir, { recursive: true, mode: 0o700 });
    writeFileSync(beside, bytes, { mode: 0o700 });
    if (sizeOf(beside) !== bytes.length) return fail("io", "it was not written completely");
    renameSync(beside, target);
    return ok(target);
  } catch (thrown) {
    return fail("io", messageOf(thrown));
  } finally {
    tryOr(() => rmSync(beside, { force: true }));
  }
}

const isCopy = (target: string, bytes: Buffer): boolean =>
  lstatSync(target).isFile() && sizeOf(target) === bytes.length && readFileSync(target).equals(bytes);

const sizeOf = (path: string): number | undefined => statSync(path, { throwIfNoEntry: false })?.size;
