import { fail, messageOf, ok, type Result } from "@pith/kit";

export interface RgRun {
  rg: string;
  args: readonly string[];
  cwd: string;
  /** What stands on its standard input, when that is searched. */
  input?: Uint8Array;
  timeoutMs: number;
  signal: AbortSignal;
}

/** How a run ended: by itself, because enough was seen, or because time was up. */
export type RgEnd = "complete" | "enough" | "timeout";
export type RgFailure = "pattern" | "aborted" | "spawn";

/** Runs ripgrep and hands its output on as it comes, until `take` has enough. */
export async function runRg(run: RgRun, take: (text: string) => "more" | "enough"): Promise<Result<RgEnd, RgFailure>> {
  if (run.signal.aborted) return aborted;
  let end: RgEnd = "complete";
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
  try {
    const errors = new Response(child.stderr).text();
    const decoder = new TextDecoder();
    for await (const chunk of child.stdout) {
      if (take(decoder.decode(chunk, { stream: true })) === "more") continue;
      end = "enough";
      stop();
      break;
    }
    const code = await child.exited;
    if (run.signal.aborted) return aborted;
    // 1 is "nothing found"; 2 with silence is a file that could not be read, which is skipped.
    const complaint = code === 2 ? await errors : "";
    return complaint === "" ? ok(end) : fail("pattern", reason(complaint));
  } finally {
    clearTimeout(timer);
    run.signal.removeEventListener("abort", stop);
  }
}

const aborted = fail("aborted", "The search was stopped");

const start = ({ rg, args, cwd, input }: RgRun) =>
  Bun.spawn([rg, "--no-config", "--no-messages", "--color=never", "--hidden", "--no-require-git", "--glob=!.git", ...args], {
    cwd,
    stdio: [input ?? "ignore", "pipe", "pipe"],
  });

/** ripgrep draws the pattern and marks places in it; the sentence is what helps. */
const reason = (complaint: string): string => /^error: (.+)$/m.exec(complaint)?.[1] ?? complaint.replace(/^rg: /, "").trim();
