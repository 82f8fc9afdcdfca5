import { accessSync, constants } from "node:fs";
import { codeOf, fail, messageOf, ok, type Result } from "@pith/kit";
import { fsFailure } from "../../fs/failure.ts";
import { type Grip, grip } from "../../fs/hold/hold.ts";
import { rawPath, shownText } from "../../fs/raw.ts";
import { incompleteTail } from "../../fs/utf8.ts";
import { spawn } from "../platform.ts";
import { privateBytes } from "../process/table.ts";

export interface RgRun {
  rg: string;
  args: readonly string[];
  /** The directory or file to look at. */
  root: Grip;
  /** Searched in its place, through standard input. */
  input?: Uint8Array;
  timeoutMs: number;
  signal: AbortSignal;
}

export type RgFailure = "pattern" | "aborted" | "spawn" | "unreadable";

export interface RgDone {
  /** The end of the run: by itself, because enough was seen, or because time was up. */
  end: "complete" | "enough" | "timeout";
  unread: UnreadPath[];
}

/** A path that was passed over, relative to where ripgrep ran: it could not be read, or a pattern took too long in it. */
export interface UnreadPath {
  path: string;
  reason: string;
}

/** Holds the directory or file of a real path, so that nothing that takes its place meanwhile is looked at. */
export async function withRoot<T>(
  real: string,
  look: (root: Grip) => Promise<Result<T, RgFailure>>,
): Promise<Result<T, RgFailure>> {
  let root: Grip;
  try {
    root = grip(rawPath(real));
  } catch (thrown) {
    const why = codeOf(thrown) === "ENOENT" ? "no such directory" : fsFailure("", thrown).message.slice(2);
    return fail("unreadable", why);
  }
  try {
    return await look(root);
  } finally {
    root.close();
  }
}

/**
 * Runs ripgrep and hands its output on as it comes, until `take` has enough. Bytes that are not UTF-8, in names and in
 * lines, come as `shownName` shows them.
 */
export async function runRg(run: RgRun, take: (text: string) => "more" | "enough"): Promise<Result<RgDone, RgFailure>> {
  if (run.signal.aborted) return aborted;
  const closed = whyClosed(run.root);
  if (closed) return fail("unreadable", closed);
  let end: RgDone["end"] = "complete";
  let child: ReturnType<typeof start>;
  try {
    child = start(run);
  } catch (thrown) {
    return fail("spawn", `ripgrep could not be started: ${messageOf(thrown)}`);
  }
  const stop = () => child.kill("SIGKILL");
  const timer = setTimeout(() => {
    end = "timeout";
    stop();
  }, run.timeoutMs);
  run.signal.addEventListener("abort", stop, { once: true });
  let greedy = false;
  const watch = setInterval(() => {
    greedy ||= privateBytes(child.pid) > maxHeap;
    if (greedy) stop();
  }, 50);
  try {
    const errors = new Response(child.stderr).text();
    let rest: Uint8Array = new Uint8Array(0);
    for await (const chunk of child.stdout) {
      const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
      const whole = bytes.length - incompleteTail(bytes);
      rest = bytes.subarray(whole);
      if (take(shownText(Buffer.from(bytes.buffer, bytes.byteOffset, whole))) === "more") continue;
      end = "enough";
      stop();
      break;
    }
    const code = await child.exited;
    if (run.signal.aborted) return aborted;
    if (!run.root.isSure && !run.root.stands())
      return fail("unreadable", "it was changed by something else in the meantime");
    if (greedy) return fail("unreadable", "an ignore file or a line there is too long to be held in memory");
    // 1 is "nothing found"; 2 is a pattern that means nothing, or files that could not be read, which are passed over.
    const complaint = code === 2 ? await errors : "";
    const unread = unreadIn(complaint, run.root);
    return complaint === "" || unread.length > 0 ? ok({ end, unread }) : fail("pattern", patternProblem(complaint));
  } finally {
    clearTimeout(timer);
    clearInterval(watch);
    run.signal.removeEventListener("abort", stop);
  }
}

/** Runs ripgrep so that it prints paths, and hands them on as they come, relative to the root. */
export function runRgPaths(run: RgRun, take: (paths: readonly string[]) => void): Promise<Result<RgDone, RgFailure>> {
  let rest = "";
  return runRg({ ...run, args: [...run.args, "--null"] }, (text) => {
    const names = (rest + text).split("\0");
    rest = names.pop() ?? "";
    take(names.map((name) => name.slice("./".length)));
    return "more";
  });
}

/** ripgrep reads ignore files through links, line by line: one that leads to a device has a line without end. */
const maxHeap = 1024 * 1024 * 1024;

const aborted = fail("aborted", "The search was stopped");

const start = ({ rg, args, root, input }: RgRun) =>
  root.start((path) =>
    spawn(
      [
        rg,
        "--no-config",
        "--no-ignore-messages",
        "--color=never",
        "--hidden",
        "--no-require-git",
        "--glob=!.git",
        ...args,
        "--",
        input ? "-" : root.folder ? "." : path,
      ],
      { cwd: root.folder ? path : "/", stdio: [input ?? "ignore", "pipe", "pipe"] },
    ),
  );

/** Why a directory cannot be entered: there, starting ripgrep would fail with a word about ripgrep. */
function whyClosed({ start, folder }: Grip): string | undefined {
  try {
    if (folder) start((path) => accessSync(path, constants.R_OK | constants.X_OK));
    return undefined;
  } catch (thrown) {
    return codeOf(thrown) === "EACCES" ? "permission denied" : messageOf(thrown);
  }
}

/** Reads `rg: ./path: reason`, one a line; a file is named by the way to it. */
const unreadIn = (complaint: string, { path: own }: Grip): UnreadPath[] =>
  [...complaint.replaceAll(`rg: ${own}: `, "rg: ./: ").matchAll(complaints)].map(([, path = "", reason = ""]) => ({
    path,
    reason: plainReason(reason),
  }));

const complaints = /^rg: (?:\.\/|(?=<stdin>: ))(.*?): (.+)$/gm;

/** The reason in the words of the other tools, without the number that only a program needs. */
const plainReason = (reason: string): string =>
  reason
    .replace(/ \(os error \d+\)$/, "")
    .replace(/^PCRE2: error matching: (.*)$/, "the pattern takes too long there ($1)")
    .replace(/^Permission denied$/, "permission denied");

/**
 * The sentence in a complaint about a pattern, without the drawing of it. A pattern that the engine does not support is
 * tried with another one, whose sentence is taken then.
 */
function patternProblem(complaint: string): string {
  const plain = /^error: (.+)$/m.exec(complaint)?.[1];
  const other = /^PCRE2: error compiling pattern at offset \d+: (.+)$/m.exec(complaint)?.[1];
  if (other && (!plain || / (?:is|are) not supported$/.test(plain))) return other;
  return plain ?? complaint.replace(/^rg: /, "").trim();
}
