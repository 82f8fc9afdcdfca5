import { failures, longest } from "./failures.ts";
import { type NoisyTask, noisyTasks } from "./programs.ts";

/** An output without its noise. */
export interface Minimized {
  text: string;
  /** Lines that were left out. */
  dropped: number;
}

/**
 * Takes lines that say "all is well so far" out of the output of programs that say it very often. Everything else
 * stays, word for word and in order; undefined when it would not pay.
 */
export function minimize(command: string, text: string): Minimized | undefined {
  if (!mayPay(text)) return undefined;
  const programs = noisyTasks(command).map((does) => does.map((doing) => noise[doing]));
  if (programs.length === 0) return undefined;
  const quiet = new Quiet(programs);
  const lines = text.split("\n");
  // Most outputs have no noise, and need no second look.
  let failed: ReturnType<typeof failures> | undefined;
  lines.forEach((line, at) => {
    quiet.take(line, () => {
      failed ??= failures(lines);
      return failed(at);
    });
  });
  const shorter = quiet.end();
  return quiet.dropped < fewest || shorter.length > text.length * worth
    ? undefined
    : { text: folded(shorter), dropped: quiet.dropped };
}

const fewest = 20;
const worth = 0.7;

/**
 * Says of a block that stands further up already how many lines it has, after its first: runners print what failed when
 * it fails, and again at the end.
 */
function folded(text: string): string {
  const lines = text.split("\n");
  const plain = lines.map((line) => line.replace(/\d[\d.]*\s?m?s\b/g, "").trimEnd());
  const places = new Map<string, number>();
  const out: string[] = [];
  for (let at = 0; at < lines.length; at++) {
    const line = plain[at] ?? "";
    const before = failedName.test(line) ? places.get(line) : undefined;
    let same = 0;
    while (
      before !== undefined &&
      before + same < at &&
      plain[before + same] === plain[at + same] &&
      at + same < lines.length
    )
      same++;
    out.push(lines[at] ?? "");
    if (same >= fewestRepeated) {
      out.push(`[… ${same - 1} lines as above …]`);
      at += same - 1;
    } else if (failedName.test(line) && !places.has(line)) places.set(line, at);
  }
  return out.join("\n");
}

/** The name of a test that failed, as its runner prints it. */
const failedName = /^\s*(?:✖|✗|✕|×|●|FAIL|not ok|\(fail\)|--- FAIL)\s/;
const fewestRepeated = 6;

function mayPay(text: string): boolean {
  let lines = 0;
  for (let at = text.indexOf("\n"); at !== -1 && lines < fewest; at = text.indexOf("\n", at + 1)) lines++;
  return lines >= fewest - 1;
}

interface Noise {
  /** Lines that cannot be anything but good news, whatever words they hold. */
  sure?: RegExp;
  /** Lines that are noise unless they hold a word of bad news. */
  other?: RegExp;
}

/** Joins runs of lines without news. */
class Quiet {
  dropped = 0;
  /** Noise of each program of the command, in their order. */
  readonly #programs: readonly (readonly Noise[])[];
  /** The program that spoke last: those before it are over, and their rules with them. */
  #program = 0;
  readonly #out: string[] = [];
  #run = 0;
  /** Blank lines and headings that belong to what follows them. */
  #held: string[] = [];
  /** The last heading in a run: what follows the run may stand under it. */
  #heading: string | undefined;

  constructor(programs: readonly (readonly Noise[])[]) {
    this.#programs = programs;
  }

  take(line: string, hasFailed: () => boolean): void {
    const detail = this.#run > 0 && this.#held.length === 0 && details.test(line);
    if ((detail || this.#isNoise(line)) && !hasFailed()) {
      // A blank line before a run stays, one inside it goes.
      while (this.#run === 0 && this.#held[0] === "") this.#out.push(this.#held.shift() ?? "");
      this.#run += 1 + this.#held.length;
      if (this.#held.length > 0) this.#heading = this.#held.findLast((held) => held !== "");
      this.#held = [];
    } else if (line === "" || headings.test(line)) this.#held.push(line);
    else {
      this.#close();
      this.#out.push(line);
    }
  }

  end(): string {
    this.#close();
    return this.#out.join("\n");
  }

  #isNoise(line: string): boolean {
    if (line.length > longest) return false;
    const news = loud.test(line);
    const isSaid = ({ sure, other }: Noise) => sure?.test(line) || (!news && other?.test(line));
    const program = this.#programs.findIndex((rules, at) => at >= this.#program && rules.some(isSaid));
    if (program !== -1) this.#program = program;
    return program !== -1;
  }

  #close(): void {
    if (this.#run > 0) {
      this.#out.push(`[… ${this.#run} ${this.#run === 1 ? "line" : "lines"} without news …]`);
      this.dropped += this.#run;
      if (this.#heading !== undefined && this.#held.length === 0) this.#out.push(this.#heading);
    }
    this.#out.push(...this.#held);
    this.#held = [];
    this.#run = 0;
    this.#heading = undefined;
  }
}

/** Whatever a rule says, a line with one of these words is news, unless it is sure. */
const loud = /error|fail|fatal|panic|exception|warn|denied|not found|cannot|unable|unexpected|✗|✕|×/i;

/** `a.test.ts:` before its tests, `# Subtest: name`, `▶ suite`. */
const headings = /^\S*[._-](?:test|spec)s?\.\w+:$|^\s*# Subtest: |^\s*▶ /;

/** Matches details that TAP prints behind the line of a test that passed. */
const details = /^\s+(?:---|\.\.\.|duration_ms: [\d.]+|type: '\w+')$/;

const noise: Readonly<Record<NoisyTask, Noise>> = {
  test: {
    sure: new RegExp(
      [
        // pytest, verbose: ids hold blanks; with workers the state stands first.
        String.raw`^(?=\S)(?:(?!\.py::).)+\.py::.* (?:PASSED|SKIPPED(?: \([^)]*\))?)(?:\s+\[\s*\d+%\])?\s*$`,
        String.raw`^\[gw\d+\] \[\s*\d+%\] (?:PASSED|SKIPPED) \S`,
        String.raw`^PASSED \S+::`,
        // pytest, one sign per test, and the rows that go on with them.
        String.raw`^(?=\S)(?:(?!\.py ).)+\.py [.sx]+(?:\s+\[\s*\d+%\])?\s*$`,
        String.raw`^[.sx]+\s+\[\s*\d+%\]\s*$`,
        // unittest, cargo, deno.
        String.raw`^\S(?:(?! \.\.\. ).)* \.\.\. (?:ok|ignored|skipped .*)(?: \([\d.]+m?s\))?$`,
        // bun, nextest, go, gradle, ctest, dotnet.
        String.raw`^\((?:pass|skip|todo)\) `,
        String.raw`^\s+PASS \[`,
        String.raw`^\s*--- (?:PASS|SKIP): \S+ \([\d.]+s\)$`,
        String.raw`^\s*=== (?:RUN|PAUSE|CONT|NAME)\s`,
        String.raw`^(?=\S)(?:(?! > ).)+ > .* PASSED$`,
        String.raw`^\s*(?:\d+\/\d+ Test\s+#\d+: .* Passed\s|Start\s+\d+: )`,
        String.raw`^\s+Passed \S.* \[[\d<. ]+m?s\]$`,
        // TAP.
        String.raw`^\s*ok \d+ - .*$`,
      ].join("|"),
    ),
    other: new RegExp(
      [
        String.raw`^\s*(?:✓|✔|√|○|↓|﹣|PASS\s)`,
        String.raw`^ok\s+\S+\s+(?:[\d.]+s|\(cached\))$`,
        String.raw`^\?\s+\S+\s+\[no test files\]`,
        String.raw`^\s*ok \d+\b`,
        String.raw`^\s*(?=[sx]*[.·])[.·sx]{4,}\s*$`,
      ].join("|"),
    ),
  },
  rust: { other: /^\s+(?:Compiling|Downloaded|Downloading|Fresh|Checking|Updating|Adding|Locking) / },
  "go modules": { other: /^go: (?:downloading|extracting|finding|added) / },
  "node packages": {
    other:
      /^(?:npm (?:http|timing|sill|verb)|\s*[+-] [@\w./-]+[@ ]v?\d+\.\d+\.\d\S*(?: |$)|Progress: |➤ YN0013|\[\d+\/\d+\] )/,
  },
  "python packages": {
    other: new RegExp(
      [
        String.raw`^\s*(?:Collecting|Downloading|Using cached|Requirement already satisfied|Obtaining|━)`,
        String.raw`^\s*(?:Preparing metadata|Building wheel|\+ \S+==)`,
      ].join("|"),
    ),
  },
  "system packages": {
    other: new RegExp(
      [
        String.raw`^(?:Get:\d|Hit:\d|Ign:\d|Selecting previously|Preparing to unpack|Unpacking |Setting up )`,
        String.raw`^(?:Processing triggers|\(Reading database)`,
      ].join("|"),
    ),
  },
  make: {
    other: new RegExp(
      [
        String.raw`^make\[\d+\]: (?:Entering|Leaving) directory`,
        String.raw`^\[\s*\d+%\] (?:Building|Built|Linking|Generating)`,
        String.raw`^\[\d+\/\d+\] |^-- (?:Looking for|Check|Detecting|Performing)`,
      ].join("|"),
    ),
  },
  gradle: { other: /^(?:> Task \S+(?: (?:UP-TO-DATE|NO-SOURCE|FROM-CACHE|SKIPPED))?$|Download https?:)/ },
  maven: { other: /^\[INFO\] (?:Download(?:ing|ed) from|-+$|$|--- )|^(?:Progress|Download(?:ing|ed) from)/ },
  docker: {
    other: new RegExp(
      [
        String.raw`^#\d+ (?:CACHED|sha256:|extracting|\d+\.\d+ )`,
        `^[0-9a-f]{12}: (?:Pulling|Waiting|Verifying|Download|Extracting|Pull complete|Preparing|Pushed|Layer)`,
      ].join("|"),
    ),
  },
  git: {
    other: new RegExp(
      [
        `^(?:remote: )?(?:Counting|Compressing|Receiving|Resolving|Enumerating|Writing|Unpacking|Updating files)`,
        String.raw`(?: objects| deltas)?: +\d+%`,
      ].join(""),
    ),
  },
};
