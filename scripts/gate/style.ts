// What a reader holds against a page: lines that are too wide, and literals spread into literals, where the properties
// could stand themselves. Biome can say neither. By hand: `node bin/bun scripts/gate/style.ts`.
import { type Token, tokenize } from "./token.ts";
import { type SourceFile, sourceFiles } from "./tree.ts";

const widest = 120;

/** What is wrong with this file, one sentence per place. */
export function judgeStyle({ path, text }: SourceFile): string[] {
  const wide = text.split("\n").flatMap((line, at) => {
    const columns = Bun.stringWidth(line);
    return columns > widest && !onlyLiteral.test(line)
      ? [`${path}:${at + 1}  ${columns} columns; ${widest} is the limit`]
      : [];
  });
  const spread = tokenize(text).flatMap(({ line }, at, tokens) =>
    isSpread(tokens, at) ? [`${path}:${line}  an object literal is spread: write its properties where they go`] : [],
  );
  return [...wide, ...spread];
}

/** A string or a pattern that cannot be broken has its line for itself. */
const onlyLiteral =
  /^\s*(?:"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|`(?:[^`\\]|\\.)*`|\/(?:[^/\\[]|\\.|\[(?:[^\]\\]|\\.)*\])+\/[a-z]*)[,;]?$/;

const isSpread = (tokens: readonly Token[], at: number): boolean =>
  [".", ".", ".", "{"].every((sign, i) => tokens[at + i]?.kind === "sign" && tokens[at + i]?.text === sign);

if (import.meta.main) {
  const sources = await sourceFiles();
  const findings = sources.flatMap(judgeStyle);
  for (const text of findings) process.stdout.write(`${text}\n`);
  process.stdout.write(`${sources.length} files, ${findings.length} violations\n`);
  process.exit(findings.length > 0 ? 1 : 0);
}
