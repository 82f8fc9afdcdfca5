import type { MatchedLine } from "@pith/host";
import { byteLength, realPath } from "@pith/kit";
import { isByteWise } from "../../../snapshot/decode.ts";
import { cutLine } from "../../../tools/cut.ts";
import { headerOf, markOf } from "../../../tools/display.ts";
import type { SearchOptions } from "../options.ts";
import type { Hit } from "./look.ts";

const maxTagged = 4 * 1024 * 1024;
/** First and last matches of a file that has more, the most that there is room for. */
const parts = {
  alone: ["40 10", "20 5", "10 3", "4 1"],
  many: ["15 5", "8 2", "4 1"],
} as const;
/** Rows that differ in numbers only are folded from so many on, in a file of so many matches. */
const fold = { run: 5, least: 20 };

/** The number of all matches of a document. */
export const countMatches = ({ lines, tally }: Hit): number =>
  tally?.count ?? lines.filter(({ match }) => match).length;

interface ShownHit {
  name: string;
  text: string;
  count: number;
  /** True where matches are left out. */
  isPart: boolean;
}

/** The hits as text, each with as much as fits into its share; files with few matches leave their share to others. */
export function shownHits(
  options: SearchOptions,
  hits: readonly Hit[],
  context: "shown" | "left out",
  size: keyof typeof parts,
): ShownHit[] {
  const room = options.room() * 0.9;
  const whole = hits.map((hit) => ({ hit, ...tagged(options, hit) }));
  const texts = whole.map((one) => (one.hit.tally ? undefined : blockOf(options, one, context)));
  const share = room / Math.max(1, hits.length);
  const small = texts.filter((text) => text !== undefined && byteLength(text) <= share);
  const used = small.reduce((sum, text) => sum + byteLength(text ?? ""), 0);
  const each = (room - used) / Math.max(1, hits.length - small.length);
  return whole.map((one, i) => {
    const { name } = one.hit;
    const count = countMatches(one.hit);
    const text = texts[i];
    const fits = text !== undefined && (context === "shown" || byteLength(text) <= Math.max(share, each));
    if (fits) return { name, count, text: noted(options, one, one.lines, text), isPart: false };
    const made = parts[size].map((sizes) => partOf(options, one, sizes));
    const part = made.find(({ text }) => byteLength(text) <= each) ?? (made.at(-1) as ReturnType<typeof partOf>);
    return { name, count, text: noted(options, one, part.lines, part.text), isPart: true };
  });
}

interface TaggedHit {
  hit: Hit;
  header: string;
  tag: string | undefined;
  lines: readonly MatchedLine[];
  /** The last matches, where there are more than `lines`. */
  last: readonly MatchedLine[];
}

/** Remembers that lines are shown. */
function noted({ snapshots }: SearchOptions, { hit, tag }: TaggedHit, lines: readonly MatchedLine[], text: string) {
  if (hit.file && tag !== undefined)
    snapshots.show(
      hit.file.path,
      tag,
      lines.map(({ number }) => [number, number]),
    );
  return text;
}

function blockOf({ display }: SearchOptions, { hit, header, lines }: TaggedHit, context: "shown" | "left out"): string {
  const rows = [header];
  if (context === "left out") return [header, ...folded(hit, lines, markOf(display))].join("\n");
  for (const [i, line] of lines.entries()) {
    const before = lines[i - 1];
    if (before && line.number > before.number + 1) rows.push("...");
    rows.push(row(line, markOf(display)));
  }
  return rows.join("\n");
}

/** The first and last matches of many, below the words where they lie and how to see the others. */
function partOf({ display }: SearchOptions, { hit, header, lines, last }: TaggedHit, sizes: string) {
  const [most = 0, mostLast = 0] = sizes.split(" ").map(Number);
  const matches = lines.filter(({ match }) => match);
  const count = countMatches(hit);
  const first = matches.slice(0, most);
  const ends = (last.length > 0 ? last : matches).slice(-mostLast).filter(({ number }) => !isIn(first, number));
  const [from, to] = [first[0]?.number, (ends.at(-1) ?? first.at(-1))?.number];
  const next = `${hit.name}:${(first.at(-1)?.number ?? 0) + 1}-${Math.max(1, (ends[0]?.number ?? 1) - 1)}`;
  const shown = `first ${first.length} and last ${ends.length} shown`;
  const about = `${count} matches, lines ${from}-${to}; ${shown}, others: paths ["${next}"]`;
  const mark = markOf(display);
  const text = [header, about, ...folded(hit, first, mark), "...", ...folded(hit, ends, mark)].join("\n");
  return { text, lines: [...first, ...ends] };
}

const isIn = (lines: readonly MatchedLine[], number: number): boolean => lines.some((line) => line.number === number);

/** The rows; of a run that is alike but for numbers the first and the last, with the number of those between. */
function folded(hit: Hit, lines: readonly MatchedLine[], mark: string): string[] {
  const rows: string[] = [];
  const least = countMatches(hit) >= fold.least ? fold.run : Number.POSITIVE_INFINITY;
  for (let at = 0; at < lines.length; ) {
    const shape = shapeOf(lines[at]);
    let end = at;
    while (end + 1 < lines.length && shapeOf(lines[end + 1]) === shape) end++;
    const run = lines.slice(at, end + 1);
    const left = `  … ${run.length - 2} more like this, to line ${run.at(-2)?.number}`;
    const texts = run.map((line) => row(line, mark));
    rows.push(...(run.length < least ? texts : [texts[0] ?? "", left, texts.at(-1) ?? ""]));
    at = end + 1;
  }
  return rows;
}

const shapeOf = (line: MatchedLine | undefined): string =>
  (line?.text ?? "").replace(/\b(?=[\da-f]*\d)[\da-f]{6,}\b|\d+/gi, "#");

const row = ({ match, number, text, at }: MatchedLine, mark: string): string =>
  `${match ? "*" : " "}${number}${mark}${cutLine(text, at)}`;

/** The header with the tag of the whole file, so that an edit can follow at once; the lines decoded as the file is. */
function tagged({ files, snapshots, display }: SearchOptions, hit: Hit): Omit<TaggedHit, "hit"> {
  const { name, file, tally } = hit;
  const all = [...hit.lines, ...(tally?.last ?? [])];
  const odd = all.some(({ text }) => text.includes("\ufffd") || /\\x[89a-f][\da-f]/.test(text));
  // A path that has become a link since it was searched is not the file that was found.
  const wanted = file !== undefined && (display === "hashline" || odd) && realPath(file.real) === file.real;
  const whole = wanted ? files.read(file.real, maxTagged) : undefined;
  const bytes = whole?.ok ? whole.value.bytes : undefined;
  const decoded = file && bytes && (odd || bytes.includes("\r")) ? snapshots.decode(file.path, bytes) : undefined;
  const text = decoded?.ok ? decoded.value.text : "";
  const texts = decoded?.ok && (decoded.value.bad || isByteWise(decoded.value.encoding)) ? text.split(/\r?\n/) : [];
  const tag = file && bytes && display === "hashline" ? snapshots.mint(file.path, bytes, { seen: [] }) : undefined;
  const read = (lines: readonly MatchedLine[]) =>
    asCounted(
      text,
      lines.map((line) => ({ ...line, text: texts[line.number - 1] ?? line.text })),
    );
  return { header: headerOf(name, tag), tag, lines: read(hit.lines), last: read(tally?.last ?? []) };
}

/** Numbers lines as reads and edits do: for the program that searches, a return without a newline ends none. */
function asCounted(text: string, lines: readonly MatchedLine[]): readonly MatchedLine[] {
  if (!/\r(?!\n)/.test(text)) return lines;
  const rows = text.split("\n").map((row) => row.replace(/\r$/, "").split("\r"));
  const before = [0];
  for (const [i, parts] of rows.entries()) before.push((before[i] ?? 0) + parts.length);
  return lines.flatMap((line) =>
    line.text
      .replace(/\r$/, "")
      .split("\r")
      .map((part, i) => ({ ...line, number: (before[line.number - 1] ?? 0) + i + 1, text: part })),
  );
}
