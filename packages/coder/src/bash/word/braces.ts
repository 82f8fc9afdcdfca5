import type { WordSegment } from "../tree.ts";

/** Lists the words that plain braces make of a word; undefined where braces hold braces, quotes or a sequence. */
export function alternatives(segments: readonly WordSegment[]): readonly (readonly WordSegment[])[] | undefined {
  const bare = segments.map((piece) => (piece.kind === "text" ? piece.text : "\0")).join("");
  // Not one pattern: on many braces that nothing closes it would take minutes.
  const open = bare.indexOf("{");
  if (open < 0 || !/,|\.\./.test(bare.slice(open, bare.lastIndexOf("}") + 1))) return [segments];
  const isFlat = segments.every((piece) => piece.kind !== "text" || flat.test(piece.text));
  return isFlat && count(bare) <= most ? spread(segments) : undefined;
}

const flat = /^[^{}]*(?:\{(?![^{}]*\.\.)[^{},]*(?:,[^{},]*)+\}[^{}]*)*$/;
const count = (text: string): number =>
  [...text.matchAll(/\{[^{}]*\}/g)].reduce((product, [group]) => product * group.split(",").length, 1);
const most = 100;

function spread(segments: readonly WordSegment[]): (readonly WordSegment[])[] {
  const at = segments.findIndex((piece) => piece.kind === "text" && piece.text.includes("{"));
  const piece = segments[at];
  if (piece?.kind !== "text") return segments.some((one) => one.kind !== "text" || one.text !== "") ? [segments] : [];
  const [open, close] = [piece.text.indexOf("{"), piece.text.indexOf("}")];
  const [before, behind] = [piece.text.slice(0, open), piece.text.slice(close + 1)];
  const choices = piece.text.slice(open + 1, close).split(",");
  return choices.flatMap((one) => spread(segments.with(at, { ...piece, text: before + one + behind })));
}
