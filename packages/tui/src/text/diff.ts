export interface DiffLine {
  readonly kind: "same" | "added" | "removed" | "gap";
  readonly text: string;
  readonly before?: number;
  readonly after?: number;
}

/** The lines of a unified diff; headers of files are left to the caller. */
export function parsePatch(patch: string): DiffLine[] {
  const lines: DiffLine[] = [];
  let before = 0;
  let after = 0;
  let inside = false;
  for (const raw of patch.replace(/\n$/, "").split("\n")) {
    const hunk = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@(.*)/.exec(raw);
    if (hunk) {
      before = Number(hunk[1]);
      after = Number(hunk[2]);
      inside = true;
      lines.push({ kind: "gap", text: (hunk[3] ?? "").trim() });
    } else if (!inside || raw.startsWith("\\")) continue;
    else if (raw.startsWith("+")) lines.push({ kind: "added", text: raw.slice(1), after: after++ });
    else if (raw.startsWith("-")) lines.push({ kind: "removed", text: raw.slice(1), before: before++ });
    else if (raw.startsWith(" ") || raw === "")
      lines.push({ kind: "same", text: raw.slice(1), before: before++, after: after++ });
    else inside = false;
  }
  return lines;
}

export interface DiffSegment {
  readonly text: string;
  readonly changed: boolean;
}

const maxWords = 400;

/** The words in which two lines differ. Lines with little in common are left whole: marking everything says nothing. */
export function wordDiff(before: string, after: string): { before: DiffSegment[]; after: DiffSegment[] } {
  const a = words(before);
  const b = words(after);
  const whole = { before: [{ text: before, changed: false }], after: [{ text: after, changed: false }] };
  if (a.length > maxWords || b.length > maxWords) return whole;
  const [keepA, keepB] = common(a, b);
  const shared = a.reduce((sum, word, at) => sum + (keepA[at] && word.trim() ? word.length : 0), 0);
  if (shared * 3 < Math.min(before.trim().length, after.trim().length)) return whole;
  return { before: join(a, keepA), after: join(b, keepB) };
}

const words = (text: string) => text.match(/\w+|\s+|[^\w\s]/gu) ?? [];

/** Marks the words of the longest common subsequence; lines are short, so the plain table is fine. */
function common(a: readonly string[], b: readonly string[]): [boolean[], boolean[]] {
  const columns = b.length + 1;
  const table = new Uint16Array((a.length + 1) * columns);
  const at = (i: number, j: number) => table[i * columns + j] ?? 0;
  for (let i = a.length - 1; i >= 0; i--)
    for (let j = b.length - 1; j >= 0; j--)
      table[i * columns + j] = a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
  const keepA = new Array<boolean>(a.length).fill(false);
  const keepB = new Array<boolean>(b.length).fill(false);
  for (let i = 0, j = 0; i < a.length && j < b.length; ) {
    if (a[i] === b[j]) {
      keepA[i++] = true;
      keepB[j++] = true;
    } else if (at(i + 1, j) >= at(i, j + 1)) i++;
    else j++;
  }
  return [keepA, keepB];
}

function join(words: readonly string[], keep: readonly boolean[]): DiffSegment[] {
  const out: { text: string; changed: boolean }[] = [];
  for (const [at, text] of words.entries()) {
    const changed = !keep[at];
    const last = out.at(-1);
    if (last?.changed === changed) last.text += text;
    else out.push({ text, changed });
  }
  return out;
}
