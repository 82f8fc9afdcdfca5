// One intent, said in every dialect, gives the same bytes; and no byte outside of it changes.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Result } from "@pith/kit";
import fc from "fast-check";
import { runPatch } from "../../../edit/apply-patch/run.ts";
import type { Editing } from "../../../edit/draft/file.ts";
import type { EditPlan } from "../../../edit/draft/intent.ts";
import { place } from "../../../edit/draft/place.ts";
import { align, unified } from "../../../edit/text/diff.ts";
import { Lines } from "../../../edit/text/line.ts";
import { type Encoding, encode, markOf } from "../../../snapshot/decode.ts";
import { Snapshots } from "../../../snapshot/snapshot.ts";
import { filesIn } from "../../../test/files.ts";
import { planHashline } from "./hashline/plan.ts";
import { planSimple } from "./simple.ts";

interface Intent {
  name: string;
  before: string;
  from: number;
  to: number;
  rows: string[];
  after: string;
  encoding?: Encoding;
  bom?: boolean;
}

let root = "";
let editing: Editing;
beforeAll(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "pith-corpus-")));
  editing = {
    files: filesIn(root),
    resolve: (name) => join(root, name),
    snapshots: new Snapshots(undefined),
    generated: "refuse",
  };
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

const corpus = readFileSync(join(import.meta.dir, "../../../../../../test/data/patch/corpus.jsonl"), "utf8")
  .trimEnd()
  .split("\n")
  .map((line) => JSON.parse(line) as Intent);

function bytesOf({ encoding = "utf-8", bom }: Intent, text: string): Buffer {
  const body = encode(text, encoding);
  if (!body.ok) throw new Error(body.message);
  return Buffer.concat([markOf({ encoding, bom: bom ? "bom" : "no bom" }), body.value]);
}

const make = async (plan: Result<EditPlan, "edit">) => (plan.ok ? place(editing, plan.value.drafts) : plan);

/** Says an intent in each dialect; undefined where it cannot be said without ambiguity. */
const dialects: Record<string, (intent: Intent) => Promise<{ ok: boolean; message?: string }> | undefined> = {
  hashline: async (intent) => make(await planHashline(editing, hashline(intent))),
  replace: (intent) => {
    const edit = replacement(intent);
    return edit && make(planSimple(editing, "file", { edits: [edit] }));
  },
  patch: (intent) => make(planSimple(editing, "file", { diff: diff(intent) })),
  apply_patch: async (intent) => {
    const input = applyPatch(intent);
    if (input === undefined) return { ok: true, message: "skip" };
    const done = await runPatch({ ...editing, apply: "each", finalNewline: "keep" }, input);
    return "message" in done ? { ok: false, message: done.message } : { ok: true };
  },
};

function hashline({ before, from, to, rows }: Intent): string {
  const header = `[file#${editing.snapshots.mint(join(root, "file"), before)}]`;
  const body = rows.map((row) => `+${row}`);
  if (to >= from)
    return [header, rows.length > 0 ? `replace ${from}..${to}:` : `delete ${from}..${to}`, ...body].join("\n");
  return [header, from === 1 ? "insert head:" : `insert after ${from - 1}:`, ...body].join("\n");
}

/** The lines that change with enough of their neighbours to be the only such place. */
function replacement({ before, from, to, rows, after }: Intent): { oldText: string; newText: string } | undefined {
  const [old, now] = [new Lines(before), new Lines(after)];
  // Where a file ends without a newline, a last line goes with the newline before it.
  const least = rows.length === 0 && to === old.count && from > 1 && !before.endsWith("\n") ? 1 : 0;
  for (let margin = least; margin <= old.count + 1; margin++) {
    const [first, last] = [Math.max(1, from - margin), Math.min(old.count, to + margin)];
    const oldText = lf(old.text.slice(old.start(first), old.start(last + 1)));
    const plain = lf(before);
    const newText = lf(now.text.slice(now.start(first), now.start(last + 1 + now.count - old.count)));
    if (before === "" || (oldText !== "" && plain.indexOf(oldText) === plain.lastIndexOf(oldText)))
      return { oldText, newText };
  }
  return undefined;
}

/** With the texts as they are for a reader: a diff has one row per line, whatever its line end. */
function diff({ before, after }: Intent): string {
  const [old, now] = [new Lines(lf(before)), new Lines(lf(after))];
  return unified(old, now, align(old.wholes(), now.wholes()), { from: "file", to: "file" });
}

/** Rows above are added until the first place that fits is the right one. */
function applyPatch({ before, from, to, rows }: Intent): string | undefined {
  const lines = new Lines(before);
  const old = (a: number, b: number) => Array.from({ length: Math.max(0, b - a + 1) }, (_, i) => lines.at(a + i));
  const removed = old(from, to);
  for (let margin = 0; margin <= lines.count; margin++) {
    const [above, below] = [old(Math.max(1, from - margin), from - 1), old(to + 1, Math.min(lines.count, to + margin))];
    const block = [...above, ...removed, ...below];
    const start = Math.max(1, from - margin);
    const places =
      block.length === 0
        ? 0
        : [...Array(lines.count).keys()].filter((i) =>
            block.every((row, k) => i + k < lines.count && lines.at(i + 1 + k).trim() === row.trim()),
          );
    const first = places === 0 ? undefined : places[0];
    const whole = lines.count === 0;
    // A blank last row may be taken for a separator.
    if (!whole && (first !== start - 1 || places === 0 || (block.at(-1) === "" && margin < lines.count))) continue;
    if (!whole && block.at(-1) === "" && start + block.length - 1 < lines.count) continue;
    const body = [
      ...above.map((row) => ` ${row}`),
      ...removed.map((row) => `-${row}`),
      ...rows.map((row) => `+${row}`),
      ...below.map((row) => ` ${row}`),
    ];
    return ["*** Begin Patch", "*** Update File: file", "@@", ...body, "*** End Patch"].join("\n");
  }
  return undefined;
}

const lf = (text: string): string => text.replace(/\r\n?/g, "\n");

async function check(intent: Intent, dialect: string): Promise<string> {
  const before = bytesOf(intent, intent.before);
  writeFileSync(join(root, "file"), before);
  const done = await dialects[dialect]?.(intent);
  if (done === undefined || done.message === "skip") return "cannot be said";
  if (!done.ok) return `${intent.name}: ${done.message}`;
  const made = readFileSync(join(root, "file"));
  return made.equals(bytesOf(intent, intent.after))
    ? "same"
    : `${intent.name}: ${JSON.stringify(made.toString().slice(0, 200))}`;
}

test("the corpus is large enough to be worth something", () => expect(corpus.length).toBeGreaterThanOrEqual(300));

describe("every edit of the corpus comes out byte for byte", () => {
  test.each(Object.keys(dialects))("said in %s", async (dialect) => {
    const counts = { same: 0, unsaid: 0 };
    const wrong: string[] = [];
    for (const intent of corpus) {
      const result = await check(intent, dialect);
      if (result === "same") counts.same++;
      else if (result === "cannot be said") counts.unsaid++;
      else wrong.push(result);
    }
    expect(wrong).toEqual([]);
    expect(counts.same).toBeGreaterThanOrEqual(300);
  });
});

test("any edit of any lines gives the same bytes in every dialect", async () => {
  const line = fc.oneof(
    fc.constantFrom("", "}", "a", "  b", "\tb", "+x", "-y", "é", "\u{1f600}", "@@", "*** z"),
    fc.string({ maxLength: 5 }).map((text) => text.replace(/[\r\n\0]/g, "")),
  );
  const intents = fc
    .record({
      lines: fc.array(line, { maxLength: 12 }),
      eol: fc.constantFrom("\n", "\r\n", "\r"),
      final: fc.boolean(),
      at: fc.nat(12),
      length: fc.nat(4),
      rows: fc.array(line, { maxLength: 4 }),
    })
    .map(({ lines, eol: wanted, final, at, length, rows }): Intent | undefined => {
      // An empty last line without its newline is no line.
      const bare = !final && lines.length > 0 && lines.at(-1) !== "";
      const eol = lines.length > (bare ? 1 : 0) ? wanted : "\n";
      const from = Math.min(at, lines.length) + 1;
      const to = Math.min(lines.length, from - 1 + length);
      const made = [...lines.slice(0, from - 1), ...rows, ...lines.slice(to)];
      const text = (all: string[]) => all.map((line, i) => line + (bare && i === all.length - 1 ? "" : eol)).join("");
      const own = {
        name: "",
        before: text(lines),
        from,
        to,
        rows,
        after: lines.length === 0 ? made.map((line) => `${line}\n`).join("") : text(made),
      };
      const vanishes = bare && made.at(-1) === "";
      return own.before === own.after || vanishes || (rows.length === 0 && to < from) ? undefined : own;
    });
  let said = 0;
  await fc.assert(
    fc.asyncProperty(intents, async (intent) => {
      for (const dialect of intent ? Object.keys(dialects) : []) {
        const result = await check(intent as Intent, dialect);
        if (result === "same") said++;
        else if (result !== "cannot be said") throw new Error(`${dialect}: ${result} for ${JSON.stringify(intent)}`);
      }
    }),
    { numRuns: 300 },
  );
  expect(said).toBeGreaterThan(500);
}, 120_000);
