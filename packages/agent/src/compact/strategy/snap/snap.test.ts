import { expect, test } from "bun:test";
import { inflateSync } from "node:zlib";
import { noUsage } from "@pith/llm";
import { archiveOf } from "../../../session/compaction/frame.ts";
import { messagesOf } from "../../../session/convert.ts";
import type { Entry, EntryDraft } from "../../../session/entry.ts";
import { Journal } from "../../../session/journal.ts";
import { memoryBlobs } from "../../../session/store/blob.ts";
import { memoryStorage } from "../../../session/store/storage.ts";
import { model as scripted } from "../../../test/scripted.ts";
import { sizesOf } from "../../size.ts";
import type { CompactionTask } from "../strategy.ts";
import { drawFrame, type FrameStyle, layOut } from "./draw.ts";
import { allGlyphs, spelled } from "./font.ts";
import { piecesOf, usualCuts } from "./piece.ts";
import { shapeFor, snapcompact } from "./snap.ts";

const user = (content: string): EntryDraft => ({ type: "message", message: { role: "user", content, timestamp: 0 } });
const reply = (text: string, input?: Record<string, unknown>): EntryDraft => ({
  type: "message",
  message: {
    role: "assistant",
    content: [
      { type: "text", text },
      ...(input ? [{ type: "toolCall" as const, id: "1", name: "bash", arguments: input }] : []),
    ],
    api: "",
    provider: "",
    model: "",
    usage: noUsage(),
    stopReason: "stop",
    timestamp: 0,
  },
});
const result = (text: string): EntryDraft => ({
  type: "message",
  message: {
    role: "toolResult",
    toolCallId: "1",
    toolName: "bash",
    content: [{ type: "text", text }],
    isError: false,
    timestamp: 0,
  },
});
const begin = () =>
  Journal.create({ storage: () => memoryStorage(), clock: { now: () => 0 }, blobs: memoryBlobs() }, { cwd: "/" });
const seeing = { ...scripted, input: ["text", "image"] as const, contextWindow: 200_000 };
const wishes = {
  thresholdPercent: -1,
  thresholdTokens: -1,
  reserveTokens: 16_384,
  reserve: "default",
  keepRecentTokens: 20_000,
} as const;

function task(path: readonly Entry[], more: Partial<CompactionTask> = {}): CompactionTask {
  return {
    cause: "threshold",
    path,
    earlier: () => [],
    cut: { at: path.length, turn: path.length },
    sizes: sizesOf(200_000, 10_000, wishes),
    model: seeing,
    additions: {},
    candidates: [],
    aside: () => Promise.reject(new Error("nobody is asked")),
    nextRequest: () => Promise.reject(new Error("nobody is asked")),
    tokens: () => 1500,
    signal: new AbortController().signal,
    ...more,
  };
}

async function snap(path: readonly Entry[], more: Partial<CompactionTask> = {}) {
  const made = await snapcompact(task(path, more));
  if (!made.ok || made.value.kind !== "summary") throw new Error(made.ok ? made.value.kind : made.message);
  return { ...made.value, frames: archiveOf(made.value.preserveData)?.frames ?? [] };
}

/** The cells of a frame as text again, read off its pixels: what a patient reader would see. */
function readBack(png: Buffer, [across, down]: FrameStyle["cell"]): string {
  const [width, height] = [png.readUInt32BE(16), png.readUInt32BE(20)];
  const [start, length] = chunkOf(png, "IDAT");
  const rows = inflateSync(png.subarray(start, start + length));
  const stride = 1 + width / 2;
  const pixel = (x: number, y: number) => ((rows[y * stride + 1 + (x >> 1)] as number) >> (x % 2 === 0 ? 4 : 0)) & 15;
  const known = new Map([...allGlyphs()].reverse().map(([code, glyph]) => [[...glyph].toString(), code]));
  let text = "";
  for (let y = 0; y < height; y += down)
    for (let x = 0; x < width; x += across) {
      const paper = pixel(x + 5 < x + across ? x + 5 : x, y + down - 1);
      const glyph = Array.from({ length: 8 }, (_, row) =>
        Array.from({ length: 5 }, (_, column) => (pixel(x + column, y + row) === paper ? 0 : 1)).reduce<number>(
          (bits, bit) => bits * 2 + bit,
          0,
        ),
      );
      text += glyph.every((row) => row === 0) ? " " : String.fromCodePoint(known.get(glyph.toString()) ?? 0xfffd);
    }
  return text;
}

function chunkOf(png: Buffer, type: string): [start: number, length: number] {
  for (let at = 8; at < png.length; at += 12 + png.readUInt32BE(at))
    if (png.toString("latin1", at + 4, at + 8) === type) return [at + 8, png.readUInt32BE(at)];
  throw new Error(`no ${type}`);
}

test("the conversation can be read off the pictures, in order and with its speakers", async () => {
  const journal = begin();
  journal.append(user("Fix the parser\n\n   of dates"));
  journal.append(reply("I look.", { command: "grep -n date src/parse.ts" }));
  journal.append(result("12: parseDate"));
  const { frames, summary } = await snap(journal.tree.pathTo());
  expect(frames).toHaveLength(1);
  const text = readBack(Buffer.from(frames[0]?.data ?? "", "base64"), [6, 9]).trimEnd();
  expect(text).toBe(
    "user Fix the parser¶of dates assistant I look. call bash command=grep -n date src/parse.ts result bash 12: parseDate",
  );
  expect(summary).toContain("178 cells");
});

test("a character without a glyph is spelled out, never dropped, and nothing hides", () => {
  const text = (codes: number[]) => String.fromCodePoint(...codes);
  expect(text(spelled("a😀中\u200bb\x1b[31m\u202ee\u0301"))).toBe(
    "a\\u{1f600}\\u{4e2d}\\u{200b}b\\u{1b}[31m\\u{202e}é",
  );
  expect(text(spelled("x\u0336 \ud800 y"))).toBe("x\\u{336} \\u{d800} y");
  expect(text(spelled("  a \t b\n\n\n  c  "))).toBe("a b¶c");
});

test("the same history is the same bytes, and each maker's models get their own shape", () => {
  const pieces = piecesOf([]);
  expect(pieces).toEqual([]);
  const shapes = ["anthropic/claude-x", "google/gemini-3", "openai/gpt-5", "who/knows"].map((name) => {
    const [vendor = "", id = ""] = name.split("/");
    return shapeFor({ vendor, id });
  });
  expect(shapes.map(({ name }) => name)).toEqual(["plain", "coloured", "dense", "plain"]);
  const said = [{ tag: "user", text: "One. Two. Three.", ink: "dark" } as const];
  const pngs = shapes.map((shape) => drawFrame(layOut(said, shape), 0, shape).png.toString("base64"));
  expect(new Set(pngs).size).toBe(3);
  expect(pngs[0]).toBe(pngs[3] as string);
});

test("long results and calls keep their beginning and their end", () => {
  const journal = begin();
  journal.append(reply("", { command: "x".repeat(900), more: { a: "y".repeat(3000) } }));
  journal.append(result(`first${"z".repeat(5000)}last`));
  const [call, out] = piecesOf(journal.tree.pathTo());
  expect(call?.text).toContain("[…400 characters…]");
  expect(call?.text.length).toBeLessThan(1200);
  expect(out).toMatchObject({ tag: "result bash", ink: "dim" });
  expect(out?.text).toStartWith("firstz");
  expect(out?.text).toEndWith("zlast");
  expect(out?.text).toContain("[…3009 characters…]");
  const bright = piecesOf(journal.tree.pathTo(), { ...usualCuts, results: "dark", result: 10, head: 0.5 });
  expect(bright[1]).toMatchObject({ ink: "dark", text: "first […4999 characters…] zlast" });
});

test("frames are carried on; above eight the first stays and the oldest of the others go", async () => {
  const journal = begin();
  const long = (at: number) => user(`round ${at} ${"words and more of them ".repeat(1500)}`);
  let firstFrame: string | undefined;
  for (let round = 0; round < 6; round++) {
    journal.append(long(round));
    const path = journal.tree.pathTo();
    const from = path.findLastIndex((entry) => entry.type === "compaction");
    const { summary, preserveData, frames } = await snap(from === -1 ? path : path.slice(from));
    firstFrame ??= frames[0]?.data;
    expect(frames.length).toBe(Math.min(8, 2 * (round + 1)));
    expect(frames[0]?.data).toBe(firstFrame as string);
    journal.append({ type: "compaction", summary, tokensBefore: 1, firstKeptEntryId: "none", preserveData });
    if (round === 5) expect(summary).toContain("Behind the first picture 4 pictures are missing");
  }
  const last = journal.tree.pathTo().at(-1) as Entry;
  const [message] = messagesOf(last);
  expect(Array.isArray(message?.content) && message.content.filter((part) => part.type === "image")).toHaveLength(8);
});

test("an earlier summary in words is drawn first", async () => {
  const journal = begin();
  journal.append({ type: "compaction", summary: "We fixed dates.", tokensBefore: 1, firstKeptEntryId: "none" });
  journal.append(user("now weeks"));
  const { frames } = await snap(journal.tree.pathTo());
  const text = readBack(Buffer.from(frames[0]?.data ?? "", "base64"), [6, 9]);
  expect(text).toStartWith("[Summary of earlier history] We fixed dates. user now weeks");
});

test("a model that sees no pictures and a window without room get a summary instead", async () => {
  const journal = begin();
  journal.append(user("x"));
  const path = journal.tree.pathTo();
  const blind = { ...seeing, input: ["text"] as const };
  const small = sizesOf(8000, 2000, wishes);
  for (const more of [{ model: blind }, { sizes: small }])
    expect(await snapcompact(task(path, more))).toMatchObject({ ok: false, kind: "unable" });
  expect(await snapcompact(task(path, { signal: AbortSignal.abort() }))).toMatchObject({ kind: "aborted" });
});

test("frames of a stranger's record that are none are not shown", () => {
  const odd = [null, 3, { data: 4 }, { data: "x", mimeType: "text/html" }, { data: "aGk=", mimeType: "image/png" }];
  expect(archiveOf({ snapcompact: { frames: odd, left: "many", text: 3 } })).toEqual({
    frames: [{ type: "image", data: "aGk=", mimeType: "image/png", cols: 0, rows: 0, chars: 0 }],
    left: 0,
  });
  expect(archiveOf({ snapcompact: { frames: Array.from({ length: 99 }, () => odd[4]) } })?.frames).toHaveLength(16);
  expect(archiveOf({ snapcompact: "x" })).toBeUndefined();
});

test("the text of each picture is kept and carried on with it", async () => {
  const journal = begin();
  for (const round of ["first", "second"]) {
    journal.append(user(`${round} ${"words and more of them ".repeat(1500)}`));
    const { summary, preserveData } = await snap(journal.tree.pathTo().slice(-2));
    journal.append({ type: "compaction", summary, tokensBefore: 1, firstKeptEntryId: "none", preserveData });
  }
  const last = journal.tree.pathTo().at(-1) as Entry & { type: "compaction" };
  const { frames = [], text = "" } = archiveOf(last.preserveData) ?? {};
  expect(text).toMatch(/^user first words and more of them[\s\S]*user second words/);
  let at = 0;
  for (const { data, chars } of frames) {
    expect(readBack(Buffer.from(data, "base64"), [6, 9]).trimEnd()).toBe(text.slice(at, at + chars).trimEnd());
    at += chars;
  }
  expect(at).toBe(text.length);
});

test("the text that another program keeps of its pictures is shown and continued", async () => {
  const kept = {
    textHead: "[User] fix \u000edates\u000f\u2588now",
    textTail: "the end",
    text: "[User] fix dates\u2588the end",
  };
  const frame = { data: "aGk=", mimeType: "image/png", cols: 3, rows: 3, chars: 4 };
  const entry = (snapcompact: object) => {
    const journal = begin();
    journal.append({
      type: "compaction",
      summary: "A guide.",
      tokensBefore: 1,
      firstKeptEntryId: "none",
      preserveData: { snapcompact },
    });
    return journal;
  };
  const shown = (snapcompact: object) =>
    JSON.stringify(messagesOf(entry(snapcompact).tree.pathTo()[0] as Entry)[0]?.content);
  expect(shown({ ...kept, frames: [frame] })).toMatch(/A guide.*fix dates\\nnow.*aGk=.*the end/);
  // A text without pictures is all there is; so it is where one of them is lost.
  expect(shown({ frames: [], textHead: kept.textHead })).toContain("fix dates\\nnow");
  expect(shown({ ...kept, frames: [{ ...frame, data: "blob:sha256:00" }] })).toContain("fix dates\\nthe end");
  const journal = entry({ ...kept, frames: [frame] });
  journal.append(user("now weeks"));
  const { frames } = await snap(journal.tree.pathTo());
  expect(readBack(Buffer.from(frames[0]?.data ?? "", "base64"), [6, 9])).toStartWith(
    "[Earlier history] [User] fix dates¶the end user now weeks",
  );
});
