import { dirname } from "node:path";
import { isBelow } from "../../judge/path-kind.ts";
import { programOf } from "../../judge/program/table.ts";
import type { JudgeState } from "../../judge/state.ts";
import type { PolicyItem } from "./item.ts";
import type { Grant } from "./schema.ts";
import { wordsText } from "./word-pattern.ts";

/** A grant that a yes for longer than once would make, and its words for people. */
export interface GrantScope {
  grant: Grant;
  text: string;
}

/** Programs whose second word says what they do. */
const worded = new Set(
  `npm pnpm yarn bun deno cargo go docker podman kubectl helm pip pip3 uv poetry pdm gh glab terraform tofu make
  gmake gradle gradlew mvn mvnw dotnet bundle gem composer mix apt apt-get brew systemctl rustup nx turbo npx bunx uvx
  just task rake sbt bazel swift flutter dart conda git`.split(/\s+/),
);
/** Second words behind which a third says it. */
const further =
  /^(?:run|exec|x|compose|pr|issue|release|repo|tool|mod|dlx|image|container|config|stash|remote|submodule)$/;
const languages = /^(?:python|python2|python3|node|nodejs|tsx|ts-node|ruby|perl|php|lua|Rscript|julia)$/;

/** The general scope of an item; undefined where a yes holds only once. */
export function scopeOf(item: PolicyItem, state: Pick<JudgeState, "home" | "roots">): GrantScope | undefined {
  if (item.guard !== undefined) return undefined;
  if (item.part) return commandScope(item);
  if (item.touch) return pathScope(item, state);
  const [host] = item.hosts;
  const [effect] = item.effects;
  if (host === undefined || item.hosts.length > 1 || effect === undefined) return undefined;
  return { grant: { effect, domain: host }, text: host };
}

function commandScope({ words = [], part }: PolicyItem): GrantScope | undefined {
  if (!part || part.effects.includes("opaque") || words.includes(undefined)) return undefined;
  const known = words as readonly string[];
  const [program = ""] = known;
  if (program === "" || /[^\x20-\x7e]/.test(known.join(""))) return undefined;
  // What would be bad if it were not meant is meant as it was said.
  const general = part.severity === "high" ? undefined : leading(known);
  if (general === undefined) return { grant: { command: wordsText(known) }, text: `exactly ${wordsText(known)}` };
  return { grant: { command: `${wordsText(general)} *` }, text: wordsText(general) };
}

/** The words that say what is run, without what it is run on; undefined where every word counts. */
function leading(words: readonly string[]): readonly string[] | undefined {
  const [program = "", second, third] = words;
  const isWord = (word: string | undefined): word is string => word !== undefined && /^[A-Za-z][\w:./@-]*$/.test(word);
  if (worded.has(program)) {
    if (!isWord(second)) return undefined;
    return further.test(second) && isWord(third) ? [program, second, third] : [program, second];
  }
  if (languages.test(program))
    return second !== undefined && /^[A-Za-z./]/.test(second) ? [program, second] : undefined;
  return programOf(program) ? undefined : [program];
}

/** The folder of a file, unless that is much more than was asked for. */
function pathScope(
  { touch, effects: [effect] }: PolicyItem,
  { home, roots }: Pick<JudgeState, "home" | "roots">,
): GrantScope | undefined {
  if (!touch || effect === undefined || effect === "exec" || /[*?{}]/.test(touch.real)) return undefined;
  const root = roots.find((folder) => isBelow(folder, touch.real));
  const folder = root ?? dirname(touch.real);
  const wide = root === undefined && (isBelow(folder, home) || folder.split("/").length < 3);
  const path = wide ? touch.real : `${folder}/**`;
  return { grant: { effect, path }, text: `${effect} ${path}` };
}
