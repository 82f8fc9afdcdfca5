// Prose is in .md files next to the code. Each file is imported by some source; a file with {{holes}} only by sources
// that fill them.
import { dirname, join } from "node:path";
import { finish } from "./ratchet.ts";
import { reachOf } from "./source.ts";
import { filesBelow, proseFiles, readFiles, type SourceFile, sourceFiles } from "./tree.ts";

/** Words that only people who wrote pith understand, and the words of the field. */
const privateWords: readonly { word: RegExp; say: string }[] = [
  { word: /\b(?:behind|without|of|through) (?:the|a) wall\b/i, say: "sandbox" },
  { word: /\b(?:which|every|the full|several|other) faces?\b/i, say: "interface" },
  { word: /\bworn\b/i, say: "active" },
  { word: /\brelatives\b/i, say: "pi and omp" },
  { word: /\bpassed over in silence\b/i, say: "ignored" },
  { word: /\bwhat strangers wrote\b/i, say: "untrusted content" },
  { word: /\b(?:took|takes?|taken) back (?:\d|what|everything|all)/i, say: "undo" },
  { word: /\b(?:deeds?|spine|court)\b/i, say: "what it is" },
  { word: /\b(?:is|are) told (?:so|of|why|to)\b/i, say: "who learns what: shows, lists, warns, names" },
  { word: /\bpassed over\b/i, say: "ignored or skipped" },
  { word: /\bkeys? that pith keeps\b/i, say: "stored keys" },
  { word: /\bhas its name\b/i, say: "renamed" },
  { word: /\b(?:summed up|written in advance|closed by itself)\b/i, say: "compacted, scripted, closes in … seconds" },
];

/** Finds private words in texts that people read. */
export function judgeWords(texts: readonly SourceFile[]): string[] {
  return texts.flatMap(({ path, text }) =>
    text.split("\n").flatMap((line, at) => {
      const found = privateWords.find(({ word }) => word.test(line));
      const [quote] = found ? (found.word.exec(line) ?? []) : [];
      return found ? [`${path}:${at + 1} says "${quote}"; the field says: ${found.say}`] : [];
    }),
  );
}

/** The strings of a source that have several words: messages, and what else a person may read. */
export const messagesIn = ({ path, text }: SourceFile): SourceFile => ({
  path,
  text: text.replace(/.+/g, (line) => (isMessage.test(line) && !/^\s*(?:\/\/|\/?\*)/.test(line) ? line : "")),
});

const isMessage = /(["`])(?:(?!\1).)*\w (?:(?!\1).)*\w (?:(?!\1).)*\1/;

/** Packages whose strings people read; what a model is told stands in `.md` files. */
const speaking = /^packages\/(?:cli|coder|llm)\/src\/(?!.*\.test\.ts$)/;

/** Pages, help and the front door; what the changelog says of earlier words may stand. */
const forPeople = () =>
  readFiles(
    ["docs/*.md", "docs/tools/*.md", "packages/cli/src/**/*.md", "packaging/*.md", "README.md"].flatMap(filesBelow),
  );

export function judgeProse(prose: readonly SourceFile[], sources: readonly SourceFile[]): string[] {
  const users = usersOf(sources);
  return prose.flatMap(({ path, text }) => {
    const mine = users.get(path) ?? [];
    if (mine.length === 0) return [`${path} is imported by no source`];
    if (!/\{\{\w+\}\}/.test(text)) return [];
    return mine
      .filter((user) => !/\bfill\(/.test(user.text))
      .map((user) => `${path} has holes, and ${user.path} does not fill them`);
  });
}

function usersOf(sources: readonly SourceFile[]): Map<string, SourceFile[]> {
  const users = new Map<string, SourceFile[]>();
  for (const source of sources) {
    if (source.path.endsWith(".test.ts")) continue;
    for (const { specifier } of reachOf(source.text).imports) {
      if (!specifier.endsWith(".md")) continue;
      const path = join(dirname(source.path), specifier);
      users.set(path, [...(users.get(path) ?? []), source]);
    }
  }
  return users;
}

if (import.meta.main) {
  const prose = await proseFiles();
  const texts = await forPeople();
  const sources = await sourceFiles();
  const messages = sources.filter(({ path }) => speaking.test(path)).map(messagesIn);
  const findings = [...judgeProse(prose, sources), ...judgeWords([...texts, ...messages])];
  finish({ findings }, `${prose.length} prose files, ${texts.length} pages`);
}
