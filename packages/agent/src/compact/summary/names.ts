import { distance } from "@pith/kit";

/** A name in a summary that the record lacks, and its correction. */
export interface Corrected {
  from: string;
  /** Undefined: the name stays, marked as not in the record. */
  to?: string | undefined;
}

/** The record that names are compared with. */
export interface SaidRecord {
  /** Its text, by which a slip is put right. */
  text: string;
  /** Picks the names that were not said. */
  lacks(names: ReadonlySet<string>): ReadonlySet<string>;
}

/** Letters by which a slip may differ. */
const slip = 2;
const mark = " (not in the record)";

/**
 * Corrects paths, addresses, hashes and quoted names in a summary. A name that the record lacks becomes the nearest one
 * if exactly one is near; else it is marked, as it may be a planned file. Code fences are left alone.
 */
export function withTrueNames(summary: string, record: SaidRecord): { summary: string; corrected: Corrected[] } {
  const corrected = new Map<string, Corrected>();
  let known: Known | undefined;
  const { names, marked } = namesIn(summary);
  const lacking = record.lacks(names.union(marked));
  const truth = (name: string): string => {
    const core = coreOf(name);
    if (!lacking.has(core)) return name;
    let found = corrected.get(core);
    if (!found) {
      known ??= new Known(record.text);
      found = { from: core, to: known.only(core) };
      corrected.set(core, found);
    }
    return (found.to ?? core) + name.slice(core.length) + (found.to === undefined ? mark : "");
  };
  const fixed = partsOf(summary)
    .map((part, index) =>
      index % 2 === 1 ? part : part.replace(claims, (whole, ...groups) => claim(whole, groups, truth)),
    )
    .join("");
  return { summary: fixed.replaceAll(mark + mark, mark), corrected: [...corrected.values()] };
}

/** Names in a summary that are compared: those that stand there as true, and those that are marked. */
export function namesIn(summary: string): { names: Set<string>; marked: Set<string> } {
  const [names, marked] = [new Set<string>(), new Set<string>()];
  for (const [index, part] of partsOf(summary).entries()) {
    if (index % 2 === 1) continue;
    part.replace(claims, (whole, ...groups) => {
      const end = Number(groups.at(-2)) + whole.length;
      return claim(whole, groups, (name) => {
        const core = coreOf(name);
        if (core.length >= 4) (part.startsWith(mark, end) ? marked : names).add(core);
        return name;
      });
    });
  }
  return { names, marked };
}

const coreOf = (name: string): string => name.replace(/[.,;:!?)\]]+$/, "");

/** A text, and every second time code in fences. */
const partsOf = (text: string): string[] => text.split(/(```[\s\S]*?(?:```|$))/);

// Quoted names; addresses; paths with a slash and an extension, or from a root; names of files; hashes.
const extension = "\\.[A-Za-z][A-Za-z0-9]{0,5}";
const claims = new RegExp(
  [
    "`([^`\\s]{4,200})`",
    '"([\\w./-]{4,120})"',
    "(https?://[^\\s<>`\"')]+)",
    `((?<![\\w/.@+-])(?:~|\\.{1,2})?/?(?:[\\w@.+-]+/)+[\\w@.+-]*${extension}(?![\\w/]))`,
    "((?<![\\w/.@+~-])(?:~|\\.{1,2})?/[\\w@.+-]+(?:/[\\w@.+-]+)+)",
    `((?<![\\w/.-])(?=[\\w-]*[A-Za-z])[\\w-]{2,}${extension}(?![\\w/(]))`,
    "((?<![\\w])(?=[0-9a-f]*[0-9])(?=[0-9a-f]*[a-f])[0-9a-f]{7,40}(?![\\w]))",
  ].join("|"),
  "g",
);

function claim(whole: string, groups: unknown[], truth: (name: string) => string): string {
  const at = groups.findIndex((group) => typeof group === "string" && group !== "");
  const name = groups[at] as string;
  // The mark goes after the closing quote.
  if (at > 1) return whole.startsWith("http") || !isOrdinary(name) ? truth(name) : whole;
  const said = truth(name);
  const quote = whole[0] as string;
  return said.endsWith(mark) ? `${quote}${said.slice(0, -mark.length)}${quote}${mark}` : `${quote}${said}${quote}`;
}

/** True for abbreviations and numbers that look like file names. */
const isOrdinary = (name: string): boolean => /^(?:e\.g|i\.e|v?\d[\d.]*\w?|Node\.js|etc\.)$/i.test(name);

/** Candidates in a record: words of at least four letters, and paths. */
const namePattern = /[\w@~.][\w@~./:+-]{2,199}[\w]|\/[\w@./+-]{2,199}\w/g;

/** Comparisons of names at most, so that a summary full of wrong names stays fast. */
const mostLooks = 60_000;

/** Names of a record by length. */
class Known {
  readonly #byLength = new Map<number, { name: string; letters: number }[]>();
  #looks = mostLooks;

  constructor(record: string) {
    for (const name of new Set(record.match(namePattern) ?? [])) {
      const alike = this.#byLength.get(name.length) ?? [];
      alike.push({ name, letters: lettersOf(name) });
      this.#byLength.set(name.length, alike);
    }
  }

  /** The near name, if there is only one. */
  only(name: string): string | undefined {
    // In a short name two letters are most of it.
    const most = name.length < 8 ? 1 : slip;
    const letters = lettersOf(name);
    let near: string | undefined;
    for (let length = Math.max(4, name.length - most); length <= name.length + most; length++)
      for (const other of this.#byLength.get(length) ?? []) {
        // A slip removes one kind of letter and adds another at most.
        if (bitsOf(letters ^ other.letters) > 2 * most || other.name === name) continue;
        if (this.#looks-- <= 0) return undefined;
        if (distance(name, other.name, most + 1) > most) continue;
        if (near !== undefined) return undefined;
        near = other.name;
      }
    return near;
  }
}

/** Set of a name's letters as bits; some letters share one. */
function lettersOf(name: string): number {
  let bits = 0;
  for (let at = 0; at < name.length; at++) bits |= 1 << (name.charCodeAt(at) & 31);
  return bits;
}

function bitsOf(value: number): number {
  let count = 0;
  for (let left = value; left !== 0; left &= left - 1) count++;
  return count;
}
