import type { WordSegment } from "../tree.ts";

/** One bare character, or a piece that braces do not look into. */
type Unit = { bare: string } | { piece: WordSegment };

const most = 1000;
const mostBraces = 50;

/** Each word that the braces in a word make of it; undefined when they are too many or not plain. */
export function braces(pieces: readonly WordSegment[]): WordSegment[][] | undefined {
  const units: Unit[] = pieces.flatMap((piece): Unit[] =>
    piece.kind === "text" ? Array.from(piece.text, (bare) => ({ bare })) : [{ piece }],
  );
  if (units.filter((unit) => is(unit, "{")).length > mostBraces) return undefined;
  const all = spread(units);
  const [first] = pieces;
  return all?.map((one) => pack(one, first?.start ?? 0, pieces.at(-1)?.end ?? 0));
}

const is = (unit: Unit | undefined, sign: string): boolean =>
  unit !== undefined && "bare" in unit && unit.bare === sign;

function spread(units: readonly Unit[]): Unit[][] | undefined {
  const open = opening(units);
  if (open === undefined) return [[...units]];
  const close = find(units, open + 1, "}");
  const inner = units.slice(open + 1, close);
  const middle = alternatives(inner) ?? "none";
  if (middle === "unsure") return undefined;
  const rest = spread(units.slice(close + 1));
  if (!rest) return undefined;
  const between = middle === "none" ? [units.slice(open, close + 1)] : middle;
  if (between.length * rest.length > most) return undefined;
  const before = units.slice(0, open);
  return between.flatMap((one) => rest.map((end) => [...before, ...one, ...end]));
}

/** The first brace that has a closing one with something to choose from between them. */
function opening(units: readonly Unit[]): number | undefined {
  for (let at = find(units, 0, "{"); at < units.length; at = find(units, at + 1, "{"))
    if (find(units, at + 1, "}") < units.length) return at;
  return undefined;
}

/** Where a sign stands outside of further braces; a closing one only behind a comma or two dots. */
function find(units: readonly Unit[], from: number, sign: string): number {
  let depth = 0;
  let choices = sign === "}" ? 0 : 1;
  for (let at = from; at < units.length; at++) {
    const unit = units[at];
    if (is(unit, sign) && depth === 0 && choices > 0 && !(sign === "{" && at === 0 && is(units[1], "}"))) return at;
    if (is(unit, "{")) depth++;
    else if (is(unit, "}") && depth > 0) depth--;
    else if (depth === 0 && is(unit, ",")) choices++;
    else if (depth === 0 && is(unit, ".") && is(units[at + 1], ".") && !is(units[at + 2], "}")) choices++;
  }
  return units.length;
}

/** What stands between braces, one after the other; undefined when it stands for itself. */
function alternatives(inner: readonly Unit[]): Unit[][] | "unsure" | undefined {
  if (!inner.some((unit) => is(unit, ","))) return sequence(inner);
  const all: Unit[][] = [];
  for (let from = 0; from <= inner.length; ) {
    const end = find(inner, from, ",");
    const some = spread(inner.slice(from, end));
    if (!some || all.length + some.length > most) return "unsure";
    all.push(...some);
    from = end + 1;
  }
  return all;
}

/** `1..5`, `a..e..2`. */
function sequence(inner: readonly Unit[]): Unit[][] | "unsure" | undefined {
  let text = "";
  for (const unit of inner) {
    if (!("bare" in unit)) return "unsure";
    text += unit.bare;
  }
  const [, from = "", to = "", by = "1"] = /^([^.]+)\.\.([^.]+)(?:\.\.([^.]+))?$/.exec(text) ?? [];
  const letters = /^[A-Za-z]$/.test(from) && /^[A-Za-z]$/.test(to);
  if (!letters && !(/^[+-]?\d+$/.test(from) && /^[+-]?\d+$/.test(to)))
    return /^[\w.-]*$/.test(text) ? undefined : "unsure";
  // Between the cases stand signs that mean something.
  if (letters && /^[a-z]$/.test(from) !== /^[a-z]$/.test(to)) return "unsure";
  if (!/^-?\d{1,6}$/.test(by)) return "unsure";
  const [start, end] = letters ? [from.charCodeAt(0), to.charCodeAt(0)] : [Number(from), Number(to)];
  const step = Math.abs(Number(by)) || 1;
  const count = Math.floor(Math.abs(end - start) / step) + 1;
  if (!(count <= most) || Math.abs(start) > 1e15 || Math.abs(end) > 1e15) return "unsure";
  const width = [from, to].some((side) => /^[+-]?0\d/.test(side)) ? Math.max(from.length, to.length) : 0;
  if (width > 0 && /\+/.test(from + to)) return "unsure";
  return Array.from({ length: count }, (_, index) => {
    const value = start + Math.sign(end - start) * step * index;
    const digits = String(Math.abs(value)).padStart(value < 0 ? width - 1 : width, "0");
    return Array.from(letters ? String.fromCharCode(value) : `${value < 0 ? "-" : ""}${digits}`, (bare) => ({ bare }));
  });
}

/** Units as pieces again, all of which stand where the word does. */
function pack(units: readonly Unit[], start: number, end: number): WordSegment[] {
  const pieces: WordSegment[] = [];
  for (const unit of units) {
    const last = pieces.at(-1);
    if ("piece" in unit) pieces.push(unit.piece);
    else if (last?.kind === "text") last.text += unit.bare;
    else pieces.push({ kind: "text", text: unit.bare, start, end });
  }
  return pieces;
}
