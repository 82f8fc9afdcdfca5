// A ratchet holds counts that may only go down. Each rule keeps a JSON list of what is above its limit today: a count
// above its entry is refused; `--write` lowers each entry to the present count and drops entries no longer needed.
import { join } from "node:path";

/** While many people lower counts at once, a count below its entry only prints a hint; `true` refuses it as well. */
export const tight: boolean = false;

/** Highest allowed count of each key; an entry that is meant to stay has a reason. */
export type Allowed = Record<string, Entry>;
type Entry = number | { count: number; reason: string };

export interface Ratchet {
  /** Name of the rule: `size` is `scripts/gate/size.ts` with its list `size.json`. */
  rule: string;
  /** Word for what is counted, such as `lines`. */
  unit: string;
  /** Counts up to this need no entry. */
  limit: number;
  /** Counts up to this need an entry only once the ratchet is tight. */
  softLimit?: number;
  /** Counts above this are refused even with an entry. */
  hardLimit?: number;
  /** True when an entry counts only with a reason. */
  needsReason?: boolean;
  /** Entries that may stay, and the sum of all counts that may, once the ratchet is tight. */
  maxEntries?: number;
  maxTotal?: number;
  /** True when an unused entry may stand for a key without one, as after a move. Without it, never. */
  isMoved?: (entry: Counted, now: Counted) => boolean;
  /** Question or advice that ends each refusal. */
  advice?: string;
  tight?: boolean;
}

export interface Counted {
  key: string;
  count: number;
}

export interface Judgement {
  findings: string[];
  hints: string[];
}

/** Compares counts with the list; only findings fail the gate. */
export function judgeCounts(counts: ReadonlyMap<string, number>, allowed: Allowed, ratchet: Ratchet): Judgement {
  const entries = followMoves(counts, allowed, ratchet);
  const isTight = ratchet.tight ?? tight;
  const faults = [...counts].flatMap(([key, count]) =>
    faultOf({ key, count }, entries[key], { ...ratchet, tight: isTight }),
  );
  const refused = [...faults, ...(isTight ? missedGoals([...counts.values()], ratchet) : [])];
  const findings = refused.map((text) => `${text} ${ratchet.advice ?? ""}`.trim());
  const loose = looseEntries(counts, entries, ratchet);
  return isTight ? { findings: [...findings, ...loose], hints: [] } : { findings, hints: loose };
}

function faultOf({ key, count }: Counted, entry: Entry | undefined, ratchet: Ratchet): string[] {
  const { unit, limit, softLimit = limit, hardLimit = Number.POSITIVE_INFINITY, needsReason } = ratchet;
  const most = needsReason && !reasonOf(entry) ? undefined : countOf(entry);
  const has = `${key} has ${count} ${unit};`;
  if (count > hardLimit) return [`${has} ${hardLimit} is the limit.`];
  if (most !== undefined && count > most) return [`${key} grew from ${most} to ${count} ${unit}; it may only shrink.`];
  if (most !== undefined || count <= (ratchet.tight ? limit : softLimit)) return [];
  return [`${has} above ${limit} it needs ${needsReason ? "a reason" : "an entry"} in ${listOf(ratchet)}.`];
}

function missedGoals(counts: readonly number[], { unit, limit, maxEntries, maxTotal }: Ratchet): string[] {
  const above = counts.filter((count) => count > limit);
  const total = above.reduce((sum, count) => sum + count, 0);
  return [
    ...(above.length > (maxEntries ?? above.length)
      ? [`${above.length} have more than ${limit} ${unit}; ${maxEntries} may.`]
      : []),
    ...(total > (maxTotal ?? total) ? [`${total} ${unit} in all; ${maxTotal} may be.`] : []),
  ];
}

/** Entries that are higher than they have to be, or whose key no longer exists. */
function looseEntries(counts: ReadonlyMap<string, number>, entries: Allowed, ratchet: Ratchet): string[] {
  const write = `run \`node bin/bun scripts/gate/${ratchet.rule}.ts --write\``;
  return Object.entries(entries).flatMap(([key, entry]) => {
    const count = counts.get(key);
    if (count === undefined) return [`${key} is in ${listOf(ratchet)} and does not exist: ${write}`];
    return count < (countOf(entry) ?? 0) ? [`${key} shrank to ${count} ${ratchet.unit}: ${write}`] : [];
  });
}

/** The same list with each count as low as it can be, and with counts that are allowed without an entry for now. */
export function lower(counts: ReadonlyMap<string, number>, allowed: Allowed, ratchet: Ratchet): Allowed {
  const { limit, softLimit = limit } = ratchet;
  const known = Object.entries(followMoves(counts, allowed, ratchet)).map(([key, entry]): [string, Entry] => {
    const count = Math.min(counts.get(key) ?? 0, countOf(entry) ?? 0);
    return [key, typeof entry === "object" ? { ...entry, count } : count];
  });
  const soft = (ratchet.tight ?? tight) ? [] : [...counts].filter(([, count]) => count <= softLimit);
  const all: Allowed = Object.fromEntries([...soft, ...known]);
  return Object.fromEntries(Object.entries(all).filter(([, entry]) => (countOf(entry) ?? 0) > limit));
}

/** Gives each key without an entry the entry of a key that is gone, where the rule takes it for a move. */
function followMoves(counts: ReadonlyMap<string, number>, allowed: Allowed, { limit, isMoved }: Ratchet): Allowed {
  if (!isMoved) return allowed;
  const entries = { ...allowed };
  const unused = new Set(Object.keys(allowed).filter((key) => (counts.get(key) ?? 0) <= limit));
  for (const [key, count] of counts) {
    if (count <= limit || entries[key] !== undefined) continue;
    const old = [...unused].find((old) => {
      const most = countOf(allowed[old]) ?? 0;
      return count <= most && isMoved({ key: old, count: most }, { key, count });
    });
    if (old === undefined) continue;
    entries[key] = allowed[old] ?? count;
    delete entries[old];
    unused.delete(old);
  }
  return entries;
}

const countOf = (entry: Entry | undefined) => (typeof entry === "object" ? entry.count : entry);
const reasonOf = (entry: Entry | undefined) => (typeof entry === "object" ? entry.reason : "");
const listOf = ({ rule }: Ratchet) => `scripts/gate/${rule}.json`;

/** Section of a rule's list: the counts of today and the ratchet that holds them. */
export interface Section {
  counts: ReadonlyMap<string, number>;
  ratchet: Omit<Ratchet, "rule">;
}

/** Judges all sections of a rule; with `--write` lowers its list first. */
export async function holdSections(rule: string, sections: Record<string, Section>): Promise<Judgement> {
  const file = join(import.meta.dir, `${rule}.json`);
  const list: Record<string, Allowed> = await Bun.file(file).json();
  const all: Judgement = { findings: [], hints: [] };
  for (const [name, { counts, ratchet }] of Object.entries(sections)) {
    if (process.argv.includes("--write")) list[name] = lower(counts, list[name] ?? {}, { ...ratchet, rule });
    const { findings, hints } = judgeCounts(counts, list[name] ?? {}, { ...ratchet, rule });
    all.findings.push(...findings);
    all.hints.push(...hints);
  }
  if (process.argv.includes("--write")) await Bun.write(file, `${JSON.stringify(list, null, 2)}\n`);
  return all;
}

/** Prints the findings of a rule and a summary, and ends; the exit code is 1 if there are findings. */
export function finish({ findings, hints = [] }: { findings: string[]; hints?: string[] }, summary: string): never {
  for (const text of findings) process.stdout.write(`${text}\n`);
  const lower = hints.length > 0 ? `, ${hints.length} to write down` : "";
  process.stdout.write(`${summary}, ${findings.length} violations${lower}\n`);
  process.exit(findings.length > 0 ? 1 : 0);
}

/** Prints the answer to `--list`, and ends. */
export function finishList(lines: readonly string[]): never {
  for (const line of lines) process.stdout.write(`${line}\n`);
  process.exit(0);
}
