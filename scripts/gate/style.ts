// Rules of style that Biome does not have: no wide line, no literal spread into a literal, and no doc comment that
// begins with a pronoun. Packages that have such comments are in style.json with their number, which may only shrink.
// `--list [path]` prints them.
import { parseArgs } from "node:util";
import { finish, finishList, holdSections, type Section } from "./ratchet.ts";
import { commentsOf, type Token, tokenize } from "./token.ts";
import { type SourceFile, sourceFiles } from "./tree.ts";

const widest = 120;

/** Wide lines and spread literals of a file, one sentence each. */
export function judgeStyle({ path, text }: SourceFile): string[] {
  const wide = text.split("\n").flatMap((line, at) => {
    const columns = Bun.stringWidth(line);
    return columns > widest && !onlyLiteral.test(line)
      ? [`${path}:${at + 1}  ${columns} columns; ${widest} is the limit`]
      : [];
  });
  // Few files have such a text at all; only those are read closely.
  const spread = (/\.\.\.\s*[{/]/.test(text) ? tokenize(text) : []).flatMap(({ line }, at, tokens) =>
    isSpread(tokens, at) ? [`${path}:${line}  an object literal is spread: write its properties where they go`] : [],
  );
  return [...wide, ...spread];
}

/** A line that holds one string or regular expression, which cannot be broken. */
const onlyLiteral =
  /^\s*(?:"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|`(?:[^`\\]|\\.)*`|\/(?:[^/\\[]|\\.|\[(?:[^\]\\]|\\.)*\])+\/[a-z]*)[,;]?$/;

const isSpread = (tokens: readonly Token[], at: number): boolean =>
  [".", ".", ".", "{"].every((sign, i) => tokens[at + i]?.kind === "sign" && tokens[at + i]?.text === sign);

const pronoun =
  /^(?:what|whoever|who|whom|which|whose|that|those|these|this|it|they|one|of|for|such|there|how|where|when|whether)(?![\w-])/i;

/** Comments that begin with a pronoun or the like, as `path:line  comment`. */
export function pronounComments({ path, text }: SourceFile, form: "doc" | "line"): string[] {
  const opening = form === "doc" ? /^\/\*\*[\s*]*/ : /^\/\/\s*/;
  return commentsOf(text)
    .filter(({ text }) => opening.test(text) && pronoun.test(text.replace(opening, "")))
    .map(({ text, line }) => `${path}:${line}  ${text.split("\n").slice(0, 2).join(" ")}`);
}

/** Counts of doc comments with a pronoun, by package; files outside of packages count for their top folder. */
export function commentSection(sources: readonly SourceFile[]): Section {
  const counts = new Map<string, number>();
  for (const source of sources) {
    const home = source.path.split("/")[source.path.startsWith("packages/") ? 1 : 0] ?? "";
    counts.set(home, (counts.get(home) ?? 0) + pronounComments(source, "doc").length);
  }
  const ratchet = {
    unit: "doc comments that begin with a pronoun",
    limit: 0,
    maxTotal: 100,
    advice: "Begin with the thing or a verb; `node bin/bun scripts/gate/style.ts --list` prints them.",
  };
  return { counts, ratchet };
}

if (import.meta.main) {
  const { values, positionals } = parseArgs({
    options: { list: { type: "boolean" }, write: { type: "boolean" } },
    allowPositionals: true,
  });
  const sources = await sourceFiles();
  if (values.list) {
    const listed = sources.filter(({ path }) => path.startsWith(positionals[0] ?? ""));
    finishList(listed.flatMap((source) => pronounComments(source, "doc")));
  }
  const comments = commentSection(sources);
  const total = [...comments.counts.values()].reduce((sum, it) => sum + it, 0);
  const { findings, hints } = await holdSections("style", { comments });
  finish(
    { findings: [...sources.flatMap(judgeStyle), ...findings], hints },
    `${sources.length} files, ${total} doc comments with a pronoun`,
  );
}
