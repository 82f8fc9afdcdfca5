import { posix } from "node:path";
import type { CommandEffects } from "../../command-effects.ts";
import { isBelow } from "../../path-kind.ts";
import { type Arg, exact } from "../../value/argument.ts";

/** What only counts or names files, and tells nothing of what they hold. */
const counts =
  /^--(?:stat|numstat|shortstat|dirstat|summary|name-only|name-status|raw|check|quiet|no-patch|exit-code)(?:=|$)|^-[sq]$/;
/** What has a list of commits tell it. */
const patch =
  /^-(?:[pucmLGSU]|[a-z]*p)|^--(?:patch|unified|cc|binary|full-diff|word-diff|color-words|pickaxe|remerge-diff|diff-merges|patch-with)/;

/** Subcommands that tell the content of files: as they are, or as they ever were. */
const tells = new Map<string, Tell>(
  Object.entries<Tell>({
    diff: (options, words) => unless(options, words.every((word) => /^(?:HEAD|@)$/.test(word)) ? "now" : "ever"),
    show: (options, words) => (words.length > 0 && words.every(isBlob) ? "nothing" : unless(options, "ever")),
    log: only,
    whatchanged: only,
    reflog: only,
    stash: only,
    "diff-tree": only,
    "diff-index": only,
    "diff-files": only,
    "range-diff": (options) => unless(options, "ever"),
    "format-patch": () => "ever",
    archive: () => "ever",
    grep: (_, words) => (words.length > 1 ? "ever" : "now"),
    "cat-file": (options, words) =>
      options.some((option) => /^-[ts]$|^-e$/.test(option)) || words.some(isBlob) ? "nothing" : "ever",
    worktree: (_, [action]) => (action === "add" ? "ever" : "nothing"),
    clone: () => "ever",
  }),
);

type Told = "nothing" | "now" | "ever";
type Tell = (options: readonly string[], words: readonly string[]) => Told;

// biome-ignore lint/suspicious/noControlCharactersInRegex: the two signs for what is not known
const isPlain = (path: string): boolean => !/^:|[*?[\\\0\x01…]/.test(path);
const isBlob = (word: string): boolean => /^[^:]+:./.test(word);
const unless = (options: readonly string[], told: Told): Told =>
  options.some((option) => counts.test(option)) && !options.some((option) => patch.test(option)) ? "nothing" : told;
function only(options: readonly string[]): Told {
  return options.some((option) => patch.test(option)) ? "ever" : "nothing";
}

/**
 * Tells rules what of the repository's files a subcommand may show: those that are named, or all. What files once held
 * is also that of files which are gone.
 */
export function content(
  name: string,
  rest: readonly Arg[],
  directory: Arg | undefined,
  does: CommandEffects,
): undefined {
  const tell = tells.get(name);
  if (!tell) return;
  const texts = rest.map(({ text, shape }) => text ?? shape);
  const end = texts.indexOf("--");
  const before = end === -1 ? texts : texts.slice(0, end);
  for (const place of places(directory, does)) {
    const { root, names } = does.scene.state.tracked(place) ?? { root: place, names: undefined };
    const absolute = (word: string) => posix.resolve(place, word);
    const isPath = (word: string) => names?.some((one) => isBelow(absolute(word), one)) === true;
    const paths = [
      ...before.filter((word) => !word.startsWith("-") && isPath(word)),
      ...texts.slice(before.length + 1),
    ];
    const words = before.filter((word) => !word.startsWith("-") && !isPath(word));
    const told = tell(
      before.filter((word) => word.startsWith("-")),
      words,
    );
    if (told === "nothing") continue;
    // A pattern may mean anything below.
    const scopes = paths.length > 0 && paths.every(isPlain) ? paths.map(absolute) : [root];
    for (const scope of scopes) {
      // A single file has been named to rules already.
      if (names?.includes(scope)) continue;
      const below = told === "now" && names ? () => names.filter((one) => isBelow(scope, one)) : undefined;
      does.keptBelow(exact(scope), below);
    }
  }
}

const places = (directory: Arg | undefined, does: CommandEffects): readonly string[] => {
  const { state, directories } = does.scene;
  return directory ? does.paths(directory).map(({ path }) => path) : (directories ?? [state.cwd]);
};
