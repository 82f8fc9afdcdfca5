import { declarationsAt, languageOf, type MatchedLine, openLanguage } from "@pith/host";
import { byteLength, sumOf } from "@pith/kit";
import type { Files } from "../../../files/files.ts";
import { decode } from "../../../snapshot/decode.ts";
import type { Hit } from "./look.ts";

/** With more matches, the lines around them are left out: nobody reads so many. */
export const maxWithContext = 12;
/** Bytes of declarations that come whole. */
const maxWhole = 6 * 1024;
const maxConstruct = 80;
const maxBytes = 1024 * 1024;

/** The hits with all lines of the declarations that match, where those are few: then they were looked for. */
export async function withConstructs(files: Files, hits: readonly Hit[]): Promise<readonly Hit[]> {
  const found: { hit: Hit; lines: MatchedLine[] }[] = [];
  let left = maxWhole;
  for (const hit of hits) {
    const constructs = await constructsIn(files, hit);
    left -= sumOf(constructs.flat(), (line) => byteLength(line.text) + 1);
    if (left < 0) return hits;
    const lines = new Map(constructs.flat().map((line) => [line.number, line]));
    for (const line of hit.lines) lines.set(line.number, line);
    found.push({ hit, lines: [...lines.values()].sort((a, b) => a.number - b.number) });
  }
  return found.map(({ hit, lines }) => ({ ...hit, lines }));
}

async function constructsIn(files: Files, { file, lines }: Hit): Promise<MatchedLine[][]> {
  const language = file && languageOf(file.path);
  if (!language || language === "markdown") return [];
  const whole = files.read(file.real, maxBytes);
  const decoded = whole.ok ? decode(whole.value.bytes) : undefined;
  if (!decoded?.ok) return [];
  const { text } = decoded.value;
  const matched = lines.filter(({ match }) => match).map(({ number }) => number);
  const rows = text.split("\n");
  return declarationsAt(text, await openLanguage(language), matched)
    .filter(({ from, to }) => to - from < maxConstruct)
    .map(({ from, to }) =>
      rows.slice(from - 1, to).map((row, i) => ({ number: from + i, match: false, text: row.replace(/\r$/, "") })),
    );
}
