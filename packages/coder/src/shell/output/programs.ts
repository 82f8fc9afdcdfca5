import { basename } from "node:path";
import { commandsIn } from "../../bash/commands.ts";
import { literalText } from "../../bash/expand.ts";
import { parse } from "../../bash/parse.ts";
import type { Word } from "../../bash/tree.ts";

/** Kinds of programs that are known for saying much. */
export type NoisyTask =
  | "test"
  | "rust"
  | "go modules"
  | "node packages"
  | "python packages"
  | "system packages"
  | "make"
  | "gradle"
  | "maven"
  | "docker"
  | "git";

type Doings = readonly (readonly NoisyTask[])[];

/** Names the noisy tasks of each program of a command, however it is started; unknown programs have none. */
export function noisyTasks(command: string): Doings {
  const read = parse(command);
  return (read.ok ? commandsIn(read.value) : []).flatMap((part) =>
    part.command.kind === "simple" ? doingsOf(part.command.words.map(nameOf)) : [],
  );
}

/** The text of a word; of a program in a place that is not known, its name. */
function nameOf(word: Word): string {
  const last = word.segments.at(-1);
  return literalText(word) ?? (last && last.kind !== "dynamic" && last.text.includes("/") ? last.text : "");
}

function doingsOf(words: readonly string[]): Doings {
  const [program = "", ...more] = words;
  const name = basename(program).replace(/\.(?:exe|cmd|js|mjs)$/, "");
  const inside = wrapped(name, more);
  if (inside !== undefined) return doingsOf(inside);
  if (/^(?:ba|z|da)?sh$/.test(name)) return shellText(more);
  const line = ` ${more.join(" ")} `;
  const known = programs.filter(({ names, with: given }) => names.test(name) && (given?.test(line) ?? true));
  return known.length === 0 ? [] : [known.map(({ does }) => does)];
}

/** `bash -c '…'`, and scripts that by their name run tests. */
function shellText([first = "", second = ""]: readonly string[]): Doings {
  if (/^-\w*c$/.test(first)) return noisyTasks(second);
  return testing.test(basename(first)) ? [["test"]] : [];
}

/** Finds the program that a wrapper runs; undefined when it is no wrapper. */
function wrapped(name: string, more: readonly string[]): readonly string[] | undefined {
  const known = wrappers[name];
  if (!known) return undefined;
  let at = known === true ? 0 : more.findIndex((word) => known.test(word)) + 1;
  if (at === 0 && known !== true) return undefined;
  // The name of an image or a container stands before the program.
  if (/^(?:docker|podman)/.test(name))
    return more.slice(more.findIndex((word, index) => index >= at && isProgram(word)));
  for (; at < more.length; at++) {
    const word = more[at] ?? "";
    // Options, what they are given, variables and times stand before the program.
    const given = (more[at - 1] ?? "").startsWith("-") && !isProgram(word);
    if (!/^-|^\w+=|^[\d.]+[smhd]?$/.test(word) && !given) break;
  }
  return more.slice(at);
}

/** Programs that run another, always or behind a word. */
const wrappers: Readonly<Record<string, true | RegExp>> = {
  ...Object.fromEntries(
    "env timeout gtimeout time nice ionice nohup sudo doas command exec builtin stdbuf setsid unbuffer xvfb-run chronic npx bunx uvx xargs caffeinate watchexec"
      .split(" ")
      .map((name) => [name, true as const]),
  ),
  uv: /^run$/,
  poetry: /^run$/,
  pdm: /^run$/,
  pipenv: /^run$/,
  hatch: /^run$/,
  rye: /^run$/,
  conda: /^run$/,
  mamba: /^run$/,
  bundle: /^exec$/,
  coverage: /^-m$|^run$/,
  pnpm: /^(?:exec|dlx)$/,
  yarn: /^(?:exec|dlx)$/,
  npm: /^(?:exec|x)$/,
  docker: /^(?:exec|run)$/,
  podman: /^(?:exec|run)$/,
  "docker-compose": /^(?:exec|run)$/,
};

const isProgram = (word: string): boolean => {
  const name = basename(word);
  return name in wrappers || /^python/.test(name) || programs.some(({ names }) => names.test(name));
};

const testing = /[._-]tests?(?:[._-]|$)|^(?:run)?tests?[._-]|^runtests?$/;

const programs: readonly { names: RegExp; with?: RegExp; does: NoisyTask }[] = [
  {
    names:
      /^(?:pytest|py\.test|tox|nox|nose2|trial|jest|vitest|mocha|ava|tap|tape|jasmine|karma|rspec|phpunit|ctest|gotestsum|zunit|bats|busted|prove)$/,
    does: "test",
  },
  { names: testing, does: "test" },
  {
    names: /^python[\d.]*$|^pypy[\d.]*$|^$/,
    with: / -m (?:pytest|unittest|nose2|tox|nox|coverage run -m \w+) | \S*(?:manage\.py test|tests?\w*\.py) /,
    does: "test",
  },
  {
    names: /^(?:npm|pnpm|yarn|bun)$/,
    with: /^ (?:(?:-\S+|run|run-script|workspaces?) (?:\S+ )??)*(?:test\S*|t) /,
    does: "test",
  },
  {
    names: /^(?:deno|go|dotnet|swift|zig|mix|flutter|dart|playwright|react-scripts|ng|nx|turbo|rails|rake)$/,
    with: / test /,
    does: "test",
  },
  { names: /^node$/, with: / --test(?:-\S+)? | \S*(?:jest|vitest|mocha|ava)(?:\.m?js)? /, does: "test" },
  { names: /^cargo$/, with: / (?:\+\S+ )?(?:test|t|nextest) /, does: "test" },
  { names: /^(?:make|gmake|just|task|ninja)$/, with: / (?:\S*test\S*|check) /, does: "test" },
  { names: /^(?:gradlew?|mvnw?)$/, does: "test" },
  { names: /^cargo$/, does: "rust" },
  { names: /^go$/, with: / (?:get|mod|build|install|test) /, does: "go modules" },
  { names: /^(?:npm|pnpm|yarn|bun)$/, with: / (?:i|ci|install|add|update|up) /, does: "node packages" },
  { names: /^(?:pip[\d.]*|uv|poetry|pdm|pipenv)$/, does: "python packages" },
  { names: /^(?:python[\d.]*)$/, with: / -m pip /, does: "python packages" },
  { names: /^(?:apt|apt-get|dpkg|aptitude)$/, does: "system packages" },
  { names: /^(?:make|gmake|cmake|ninja)$/, does: "make" },
  { names: /^gradlew?$/, does: "gradle" },
  { names: /^mvnw?$/, does: "maven" },
  { names: /^(?:docker|podman|docker-compose)$/, with: / (?:build|buildx|pull|push|up) /, does: "docker" },
  { names: /^git$/, with: / (?:clone|fetch|pull|push|submodule) /, does: "git" },
];
