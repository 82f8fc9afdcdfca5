import type { Lines } from "./line.ts";

/** The white space a line begins with. */
export const lead = (line: string): string => /^[ \t]*/.exec(line)?.[0] ?? "";

/**
 * Indents the lines of a new text as the file is, which is learnt from the old lines that matched but for white space.
 * An indentation that stood there is written as there; any other is moved along with the nearest that did, in the
 * signs that the file is indented with.
 */
export function indents(
  lines: Lines,
  pairs: readonly (readonly [wanted: string, real: string])[],
  fresh: readonly string[],
): (line: string) => string {
  const known = new Map<string, string>();
  for (const [wanted, real] of pairs) if (wanted.trim() !== "") known.set(lead(wanted), lead(real));
  const inFile = signs(lines, [...known.values()]);
  const unit = unitOf([...known.keys(), ...fresh.filter((line) => line.trim() !== "").map(lead)]);
  const ratio = ratioOf([...known]);
  const inSigns = (extra: string): string => {
    if (inFile.tabs && !extra.includes("\t"))
      return "\t".repeat(Math.floor(extra.length / unit)) + " ".repeat(extra.length % unit);
    if (!inFile.tabs && extra.includes("\t")) return extra.replaceAll("\t", " ".repeat(inFile.unit));
    return extra.includes("\t") ? extra : " ".repeat(Math.round(extra.length * ratio));
  };
  return (line) => {
    const indent = lead(line);
    return line.trim() === "" ? line : moved(indent, known, inSigns) + line.slice(indent.length);
  };
}

function moved(indent: string, known: ReadonlyMap<string, string>, inSigns: (extra: string) => string): string {
  const there = known.get(indent);
  if (there !== undefined) return there;
  const byLength = [...known].sort(([a], [b]) => b.length - a.length);
  const outer = byLength.find(([wanted]) => indent.startsWith(wanted));
  if (outer) return outer[1] + inSigns(indent.slice(outer[0].length));
  const inner = byLength.findLast(([wanted]) => wanted.startsWith(indent));
  if (!inner) return indent;
  const less = inSigns(inner[0].slice(indent.length));
  return inner[1].endsWith(less) ? inner[1].slice(0, inner[1].length - less.length) : "";
}

/** The signs that the file is indented with: told by the lines that matched, else by all. */
function signs(lines: Lines, known: readonly string[]): { tabs: boolean; unit: number } {
  const all = lines.all().flatMap((line) => (line.trim() === "" ? [] : [lead(line)]));
  const some = known.some((indent) => indent !== "") ? known : all;
  const tabs = some.filter((indent) => indent.includes("\t")).length * 2 > some.filter(Boolean).length;
  return { tabs, unit: unitOf(all) };
}

/** The number of spaces that levels differ by: the smallest step that is one. */
function unitOf(indents: readonly string[]): number {
  const spaces = indents.filter((indent) => !indent.includes("\t"));
  const widths = [...new Set(spaces.map((indent) => indent.length))].sort((a, b) => a - b);
  const steps = widths.slice(1).map((width, i) => width - (widths[i] ?? 0));
  return Math.min(...steps.filter((step) => step > 1), steps.length > 0 && steps.every((step) => step === 1) ? 1 : 4);
}

/** The ratio by which the file is indented wider or narrower, where the matched lines agree on it. */
function ratioOf(known: readonly (readonly [string, string])[]): number {
  const spaces = known.filter(([wanted, real]) => !/\t/.test(wanted + real)).sort(([a], [b]) => a.length - b.length);
  const [first] = spaces;
  const ratios = spaces
    .slice(1)
    .map(([wanted, real]) => (real.length - (first?.[1].length ?? 0)) / (wanted.length - (first?.[0].length ?? 0)));
  return ratios[0] !== undefined && ratios[0] > 0 && ratios.every((ratio) => ratio === ratios[0]) ? ratios[0] : 1;
}
