import { closeSync, fstatSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { arch, cpus, freemem, release, tmpdir, totalmem, type } from "node:os";
import { basename, join } from "node:path";
import { artifactsOf } from "@pith/agent";
import { entriesIn, formatBytes, messageOf, openPlain, readRange, succeeds, tryOr } from "@pith/kit";
import { loadAdmin } from "@pith/llm";
import packageJson from "../../../../package.json" with { type: "json" };
import type { Io } from "../io/io.ts";

/** Bytes of each file and of all of them, and how many log lines and sub-agents there are at most. */
const most = { file: 16 * 1024 * 1024, all: 256 * 1024 * 1024, logLines: 1000, children: 10 };

export interface ReportOptions {
  io: Pick<Io, "env" | "home" | "cwd" | "clock">;
  /** The record of the session; undefined when nothing is recorded. */
  session: string | undefined;
  /** More files of the archive, by name. */
  more?: Readonly<Record<string, Uint8Array | string>>;
}

/** Facts about the machine and this program; of variables only the names. */
export function systemFacts({ env, home, cwd }: ReportOptions["io"]): string[] {
  const names = Object.keys(env).filter((name) => /^(?:PITH_|TERM|COLORTERM|LANG|LC_|SHELL$|TMUX$|SSH_)/.test(name));
  return [
    `pith ${packageJson.version}, Bun ${process.versions.bun}`,
    `system: ${type()} ${release()} ${arch()}`,
    `processor: ${cpus()[0]?.model ?? "Unknown CPU"} × ${cpus().length}`,
    `memory: ${formatBytes(freemem())} of ${formatBytes(totalmem())} free; pith has ${formatBytes(process.memoryUsage().rss)}`,
    `directory: ${cwd}`,
    `home: ${home}`,
    `terminal: ${env.TERM_PROGRAM ?? env.TERM ?? "unknown"}, shell: ${env.SHELL ?? "unknown"}`,
    `variables that are set: ${names.sort().join(", ") || "none of ours"}`,
  ];
}

/** Writes an archive of session, outputs, log and system, and returns its path. What is missing is left out. */
export async function writeReport({ io, session, more = {} }: ReportOptions): Promise<string> {
  const hide = await hidingIn(io);
  const files: Record<string, Uint8Array | string> = { "system.txt": `${systemFacts(io).join("\n")}\n` };
  let room = most.all;
  const add = (name: string, file: string) => {
    const bytes = room > 0 ? endOf(file, Math.min(most.file, room)) : undefined;
    if (!bytes) return;
    room -= bytes.length;
    files[name] = hide(bytes);
  };
  const log = endOf(join(io.home, "logs", "pith.log"), most.file);
  if (log) {
    const lines = log.toString("utf8").trimEnd().split("\n").slice(-most.logLines);
    files["pith.log"] = hide(Buffer.from(`${lines.join("\n")}\n`));
  }
  if (session !== undefined) {
    add("session.jsonl", session);
    const folder = artifactsOf(session);
    const names = filesBelow(folder);
    // The names of sub-agents begin with their time, in whatever folder they are.
    const children = names.filter((name) => name.endsWith(".jsonl")).sort(byName);
    const left = new Set(children.slice(0, -most.children));
    for (const name of names) if (!left.has(name)) add(`artifacts/${name}`, join(folder, name));
  }
  for (const [name, bytes] of Object.entries(more)) files[name] = hide(Buffer.from(bytes as Uint8Array));
  const stamp = new Date(io.clock.now()).toISOString().replace(/[:.]/g, "-");
  const archive = await new Bun.Archive(files as Bun.ArchiveInput, { compress: "gzip" }).bytes();
  return keepFile("pith-report-", `pith-report-${stamp}.tar.gz`, archive);
}

/** Writes a file into a new folder of the temp directory, where nobody can have put something of that name. */
export function keepFile(folder: string, name: string, content: string | Uint8Array): string {
  const dir = mkdtempSync(join(tmpdir(), folder));
  try {
    writeFileSync(join(dir, name), content, { mode: 0o600, flag: "wx" });
    return join(dir, name);
  } catch (error) {
    // A full disk needs the room of half a file.
    rmSync(dir, { recursive: true, force: true });
    throw error;
  }
}

/** The last lines of the log, the newest last. */
export async function logLines(io: ReportOptions["io"], count: number): Promise<string[]> {
  const log = endOf(join(io.home, "logs", "pith.log"), 2 * 1024 * 1024);
  if (!log) return [];
  return (await hidingIn(io))(log).toString("utf8").trimEnd().split("\n").slice(-count);
}

const byName = (a: string, b: string): number => (basename(a) < basename(b) ? -1 : 1);

const hidingIn = async (io: ReportOptions["io"]) => hiding(await secretsOf(io));

/** Secret values: those of variables with telling names, and the keys that pith keeps. */
async function secretsOf({ env, home }: ReportOptions["io"]): Promise<string[]> {
  const named = Object.entries(env).flatMap(([name, value = ""]) =>
    /key|token|secret|passw|credential|auth|cookie|session_id/i.test(name) ? [value] : [],
  );
  const { openKeyStore, keyStoreFile } = await loadAdmin();
  const store = await openKeyStore(keyStoreFile(home), "is nothing");
  using keys = store.ok ? store.value : undefined;
  const kept = (keys?.list() ?? []).flatMap(({ secret, data }) => [secret, ...textsIn(data)]);
  return [...new Set([...named, ...kept])].filter((value) => value.length >= 8).sort((a, b) => b.length - a.length);
}

function textsIn(json: string): string[] {
  const all: string[] = [];
  const isRead = succeeds(() =>
    JSON.parse(json, (_, value) => {
      if (typeof value === "string" && value.length >= 16) all.push(value);
      return value;
    }),
  );
  return isRead ? all : [];
}

/** Texts in the form of a key of a known vendor. */
const keyLike =
  /\b(?:sk-[\w-]{16,}|gh[opsu]_\w{20,}|github_pat_\w{20,}|xox[abprs]-[\w-]{10,}|AKIA[A-Z0-9]{16}|AIza[\w-]{30,}|glpat-[\w-]{16,}|eyJ[\w-]{10,}\.eyJ[\w-]{10,}\.[\w-]+)/g;

/** Removes secrets from bytes and changes no other byte. */
function hiding(secrets: readonly string[]): (bytes: Buffer) => Buffer {
  // As Latin-1, each byte is one character: nothing is decoded and written differently.
  const plain = secrets.flatMap((secret) => [secret, JSON.stringify(secret).slice(1, -1)]);
  const values = [...new Set(plain)].map((secret) => Buffer.from(secret).toString("latin1"));
  return (bytes) => {
    const text = bytes.toString("latin1");
    const clean = values.reduce((all, value) => all.replaceAll(value, hidden), text).replace(keyLike, hidden);
    return clean === text ? bytes : Buffer.from(clean, "latin1");
  };
}
const hidden = "[removed]";

/** The end of a plain file; undefined where there is none. */
function endOf(file: string, limit: number): Buffer | undefined {
  const fd = tryOr(() => openPlain(file, "refused"));
  if (fd === undefined) return undefined;
  const end = tryOr(() => {
    const { size } = fstatSync(fd);
    return size <= limit ? readFileSync(fd) : readRange(fd, size - limit, size);
  });
  closeSync(fd);
  return end;
}

/** Regular files below a folder, relative to it; no link is followed. */
function filesBelow(folder: string, below = "", depth = 0): string[] {
  if (depth > 4) return [];
  const entries = entriesIn(join(folder, below)).slice(0, 5000);
  return entries.flatMap((entry) => {
    const name = join(below, entry.name);
    if (entry.isFile()) return [name];
    return entry.isDirectory() ? filesBelow(folder, name, depth + 1) : [];
  });
}

/** Writes a report, and says in a sentence where it is, or why there is none. */
export async function reported(needs: ReportOptions): Promise<{ text: string; failed: boolean }> {
  try {
    const file = await writeReport(needs);
    const more = Object.keys(needs.more ?? {});
    const what = [basename(needs.session ?? "no session"), "outputs", "log", "system", ...more].join(", ");
    const care = "Keys that pith knows of are removed; look into it before you hand it on.";
    return { text: `The report is ${file} (${what}). ${care}`, failed: false };
  } catch (error) {
    return { text: `The report could not be written: ${messageOf(error)}`, failed: true };
  }
}
