import { fail, fill, ok, plural, sumOf } from "@pith/kit";
import type { Image, Model } from "@pith/llm";
import { type Archive, type ArchiveFrame, archiveOf, wordsOf } from "../../../session/compaction/frame.ts";
import type { Compaction, Entry } from "../../../session/entry.ts";
import type { CompactionTask, Strategy } from "../strategy.ts";
import { type DrawnText, drawFrame, type FrameStyle, gridOf, layOut } from "./draw.ts";
import guide from "./guide.md" with { type: "text" };
import { piecesOf } from "./piece.ts";

/** Pictures that are kept: the first has the task, the last ones the state of the work. */
const mostFrames = 8;

// Layouts that each maker's servers take unchanged: larger images would be shrunk, and five-pixel letters with them.
const plain: FrameStyle = { name: "plain", cell: [6, 9], side: 1072, sentences: false };
const shapes: readonly (readonly [RegExp, FrameStyle])[] = [
  [/claude|anthropic/, plain],
  [/gemini|gemma|google/, { name: "coloured", cell: [6, 9], side: 1536, sentences: true }],
  [/gpt-|openai|\bo[134]\b/, { name: "dense", cell: [5, 8], side: 768, sentences: false }],
];

/** Layout of frames for a model. */
export function shapeFor({ vendor, id }: Pick<Model, "vendor" | "id">): FrameStyle {
  const name = `${vendor}/${id}`.toLowerCase();
  return shapes.find(([known]) => known.test(name))?.[1] ?? plain;
}

/** Turns the conversation into pictures of its words: no model is asked, and nothing is paraphrased. */
export const snapcompact: Strategy = async (task) => {
  const { model, path, cut, signal } = task;
  if (!model.input.includes("image")) return fail("unable", `${model.id} does not see pictures`);
  const shape = shapeFor(model);
  const budget = Math.min(mostFrames, Math.floor(task.sizes.summary / frameTokens(task, shape)));
  if (budget < 1) return fail("unable", `the window of ${model.id} has no room for pictures`);
  const old = path.slice(0, cut.at);
  const last = old.findLast((entry): entry is Compaction => entry.type === "compaction");
  const archive = archiveOf(last?.preserveData);
  const before = carriedOn(archive);
  const cells = layOut([...(before.length > 0 ? [] : filmed(last, archive)), ...piecesOf(old.filter(isSaid))], shape);
  const { columns, rows } = gridOf(shape);
  const full = columns * rows;
  const fresh = Array.from({ length: Math.ceil(cells.codes.length / full) }, (_, index) => index * full);
  const { kept, gone } = within<Page | number>([...before, ...fresh], budget);
  const pages: Page[] = [];
  for (const page of kept) {
    if (signal.aborted) return fail("aborted", "interrupted");
    pages.push(typeof page === "number" ? drawn(drawFrame(cells, page, shape)) : page);
    // Drawing a frame takes milliseconds; input is handled in between.
    await new Promise((resolve) => setImmediate(resolve));
  }
  const left = (before.length > 0 ? (archive?.left ?? 0) : 0) + gone;
  const frames = pages.map(({ frame }) => frame);
  const text = pages.map((page) => page.text).join("");
  const snapcompact = { frames, left, text, totalChars: text.length, truncatedChars: left * full };
  return ok({
    kind: "summary",
    summary: guideTo(frames, left),
    shortSummary: `${plural(frames.length, "picture")} of what was said`,
    details: { strategy: "snapcompact" },
    preserveData: { ...task.additions.preserveData, snapcompact },
  });
};

const isSaid = (entry: Entry): boolean => entry.type !== "compaction";

/** A picture and its text. */
interface Page {
  frame: ArchiveFrame;
  text: string;
}

/** Pictures of ours, whose words are known. Of others only the words are reused. */
function carriedOn(archive: Archive | undefined): Page[] {
  const { frames = [], text = "" } = archive ?? {};
  if (sumOf(frames, ({ chars }) => chars) !== text.length) return [];
  let at = 0;
  return frames.map((frame) => {
    at += frame.chars;
    return { frame, text: text.slice(at - frame.chars, at) };
  });
}

/** Texts to draw first: an earlier summary, or the words of pictures that cannot be reused. */
function filmed(last: Compaction | undefined, archive: Archive | undefined): DrawnText[] {
  if (archive) return [{ tag: "[Earlier history]", text: wordsOf(archive), ink: "dark" }];
  return last ? [{ tag: "[Summary of earlier history]", text: last.summary, ink: "dark" }] : [];
}

/** Keeps the first item and the newest others. */
function within<T>(all: readonly T[], most: number): { kept: T[]; gone: number } {
  if (all.length <= most) return { kept: [...all], gone: 0 };
  const [first, ...rest] = all;
  const kept = most === 1 ? all.slice(-1) : [first as T, ...rest.slice(rest.length - (most - 1))];
  return { kept, gone: all.length - kept.length };
}

const drawn = ({ png, text, columns, rows }: ReturnType<typeof drawFrame>): Page => ({
  text,
  frame: { ...pngImage(png), cols: columns, rows, chars: text.length },
});

function guideTo(frames: readonly ArchiveFrame[], left: number): string {
  const columns = [...new Set(frames.map((frame) => frame.cols))];
  return fill(guide, {
    pictures: plural(frames.length, "picture"),
    columns: columns.join(" or "),
    dim: " (in grey)",
    gap: left > 0 ? `\n- Behind the first picture ${plural(left, "picture is", "pictures are")} missing.` : "",
  }).trim();
}

/** Tokens of a full frame, measured with the header of a blank one. */
function frameTokens({ tokens }: Pick<CompactionTask, "tokens">, shape: FrameStyle): number {
  const { columns, rows } = gridOf(shape);
  const size = Buffer.alloc(24);
  size.set([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52]);
  size.writeUInt32BE(columns * shape.cell[0], 16);
  size.writeUInt32BE(rows * shape.cell[1], 20);
  return Math.max(1, tokens({ role: "user", content: [pngImage(size)], timestamp: 0 }));
}

const pngImage = (bytes: Buffer): Image => ({ type: "image", data: bytes.toString("base64"), mimeType: "image/png" });
