/** What is shown of an output instead of all of it. */
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
  const rules = programs.filter(({ names }) => names.test(command));
  if (rules.length === 0) return undefined;
  const out: string[] = [];
  let dropped = 0;
  let run = 0;
  const close = () => {
    if (run > 0) out.push(`[… ${run} ${run === 1 ? "line" : "lines"} without news …]`);
    run = 0;
  };
  for (const line of text.split("\n")) {
    if (!loud.test(line) && rules.some(({ noise }) => noise.test(line))) {
      run++;
      dropped++;
    } else {
      close();
      out.push(line);
    }
  }
  close();
  const shorter = out.join("\n");
  return dropped < fewest || shorter.length > text.length * worth ? undefined : { text: shorter, dropped };
}

const fewest = 20;
const worth = 0.7;

/** Whatever a rule says, a line with one of these words is news. */
const loud = /error|fail|fatal|panic|exception|warn|denied|not found|cannot|unable|unexpected|✗|✕|×/i;

// A program is looked for anywhere a command may begin.
const at = (names: string): RegExp =>
  new RegExp(
    String.raw`(?:^|[;&|(]\s*|\b(?:npx|bunx|sudo|time|env)\s+(?:\S+=\S*\s+)*)(?:${names})(?=\s|$|[;&|)])`,
    "m",
  );

const programs: readonly { names: RegExp; noise: RegExp }[] = [
  {
    names: at("(?:npm|pnpm|yarn|bun)\\s+(?:run\\s+)?test\\S*|npm\\s+t|jest|vitest|mocha|ava|deno\\s+test"),
    noise: /^\s*(?:\(pass\)|✓|✔|√|ok \d+|PASS\s)|^\s*[.·]+\s*$/,
  },
  {
    names: at("pytest|py\\.test|python\\d?(?:\\.\\d+)?\\s+-m\\s+(?:pytest|unittest)|tox|nox"),
    noise: /^\S+\.py(?:::\S+)? (?:PASSED|SKIPPED|\.+)(?:\s+\[\s*\d+%\])?\s*$|^\S+ (?:\(\S+\) )?\.\.\. ok$/,
  },
  {
    names: at("cargo(?:\\s+\\+\\S+)?\\s+(?:test|t|nextest)"),
    noise: /^test \S.* \.\.\. (?:ok|ignored)$|^\s+PASS \[|^\s+(?:Compiling|Downloaded|Downloading|Fresh|Checking) /,
  },
  {
    names: at("cargo(?:\\s+\\+\\S+)?\\s+\\w+"),
    noise: /^\s+(?:Compiling|Downloaded|Downloading|Fresh|Checking|Updating|Adding|Locking) /,
  },
  {
    names: at("go\\s+test"),
    noise: /^\s*(?:=== (?:RUN|PAUSE|CONT|NAME)|--- PASS|ok\s+\S+\s|\?\s+\S+\s+\[no test files\])/,
  },
  { names: at("go\\s+(?:get|mod|build|install)"), noise: /^go: (?:downloading|extracting|finding|added) / },
  {
    names: at("(?:npm|pnpm|yarn|bun)\\s+(?:i|ci|install|add|update|up)"),
    noise: /^(?:npm (?:http|timing|sill|verb)|\s*[+-] \S+@?\S* \S*$|Progress: |➤ YN0013|\[\d+\/\d+\] )/,
  },
  {
    names: at("pip3?|python\\d?(?:\\.\\d+)?\\s+-m\\s+pip|uv"),
    noise:
      /^\s*(?:Collecting|Downloading|Using cached|Requirement already satisfied|Obtaining|Preparing metadata|Building wheel|━|\+ \S+==)/,
  },
  {
    names: at("apt(?:-get)?|dpkg"),
    noise:
      /^(?:Get:\d|Hit:\d|Ign:\d|Selecting previously|Preparing to unpack|Unpacking |Setting up |Processing triggers|\(Reading database)/,
  },
  {
    names: at("make|cmake|ninja"),
    noise:
      /^(?:make\[\d+\]: (?:Entering|Leaving) directory|\[\s*\d+%\] (?:Building|Built|Linking|Generating)|\[\d+\/\d+\] |-- (?:Looking for|Check|Detecting|Performing))/,
  },
  {
    names: at("\\S*gradlew?"),
    noise: /^(?:> Task \S+(?: (?:UP-TO-DATE|NO-SOURCE|FROM-CACHE|SKIPPED))?$|Download https?:)/,
  },
  {
    names: at("\\S*mvnw?"),
    noise: /^\[INFO\] (?:Download(?:ing|ed) from|-+$|$|--- )|^(?:Progress|Download(?:ing|ed) from)/,
  },
  {
    names: at("docker\\s+(?:build|buildx|pull|push)"),
    noise:
      /^(?:#\d+ (?:CACHED|sha256:|extracting|\d+\.\d+ )|[0-9a-f]{12}: (?:Pulling|Waiting|Verifying|Download|Extracting|Pull complete|Preparing|Pushed|Layer already))/,
  },
  {
    names: at("git\\s+(?:clone|fetch|pull|push)"),
    noise:
      /^(?:remote: )?(?:Counting|Compressing|Receiving|Resolving|Enumerating|Writing|Unpacking|Updating files)(?: objects| deltas)?: +\d+%/,
  },
];
