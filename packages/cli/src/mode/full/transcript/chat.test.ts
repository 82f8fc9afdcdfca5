import { expect, test } from "bun:test";
import type { Entry, Event } from "@pith/agent";
import { plainTheme, strip } from "@pith/tui";
import { wordAlbum } from "./album.ts";
import { Chat } from "./chat.ts";
import type { Piece, PieceStyle } from "./piece.ts";

/** The transcript after these events. */
function told(...events: readonly Event[]): string {
  const style: PieceStyle = { theme: plainTheme, album: wordAlbum, whole: false, thinking: "brief" };
  const pieces: Piece[] = [];
  const chat = new Chat(style, {
    add: (piece) => void pieces.push(piece),
    settle() {},
    cut() {},
    entry: () => undefined,
  });
  for (const event of events) chat.take(event);
  return strip(pieces.flatMap((piece) => piece.render(100)).join("\n"));
}

const entry = (fields: object): Entry => ({ id: "a", parentId: null, timestamp: "", ...fields }) as unknown as Entry;
const summary = entry({
  type: "compaction",
  summary: "We mended the sum.",
  tokensBefore: 120_000,
  firstKeptEntryId: "b",
});

test("a conversation that was made shorter says so once, with its length before and after", () => {
  const compacted: Event = {
    type: "compacted",
    cause: "threshold",
    entry: summary as Entry & { type: "compaction" },
    tokensAfter: 8_000,
    aborted: false,
    willRetry: false,
  };
  const said = told({ type: "entry", entry: summary }, compacted);
  expect(said).toContain("the conversation was compacted: 120,000 tokens, now about 8,000");
  expect(said.split("We mended the sum.")).toHaveLength(2);
});

test("one that was stopped, failed or left no summary is told as what it was", () => {
  const with_ = (more: object): string =>
    told({ type: "compacted", cause: "manual", aborted: false, willRetry: false, ...more });
  expect(with_({ aborted: true, cause: "threshold" })).toContain("Stopped: the conversation is as long as it was.");
  expect(with_({ error: "no room" })).toContain("could not be made shorter: no room");
  expect(with_({ tokensAfter: 500 })).toContain("The conversation is shorter: about 500 tokens.");
});

test("one that was stopped is told once: by its line, or by the command that began it", () => {
  const end: Event = {
    type: "turn",
    state: { name: "idle", end: { reason: "interrupted", message: "compaction was stopped" } },
  } as Event;
  const lines = (cause: "manual" | "threshold") =>
    told({ type: "compacted", cause, aborted: true, willRetry: false }, end).split("\n").filter(Boolean).length;
  expect([lines("threshold"), lines("manual")]).toEqual([1, 0]);
});

test("a file that was laid before somebody's words is named, and the words are what is seen", () => {
  const file = (name: string) =>
    `Contents of ${name} (already provided — do not re-read):\n[${name}#12ab]\n1:x\n2:\n\n`;
  const text = `${file("a.txt")}${file("b.txt")}look at @a.txt\n\nand @b.txt`;
  const message = { role: "user", content: [{ type: "text", text }], timestamp: 0 };
  const said = told({ type: "entry", entry: entry({ type: "message", message }) });
  expect(said).toMatch(/^. look at @a\.txt[\s\S]*and @b\.txt\s+with a\.txt, b\.txt\s*$/);
});

test("broken rules, a new session and what nobody knows are drawn or left out, never thrown at", () => {
  const said = told(
    { type: "reminded", how: "stopped", rules: [{ name: "no\x1b[2J any", path: ".pith/rules/a.md" }] },
    { type: "session", header: {} as never },
    { type: "somebody else's" } as never,
    { type: "entry", entry: entry({ type: "custom", customType: "stranger/x", data: { a: 1 } }) },
    { type: "entry", entry: entry({ type: "custom_message", customType: "x", content: "said aside", display: true }) },
  );
  expect(said).toContain("rule broken: no");
  expect(said).toContain("the answer was stopped");
  expect(said).not.toContain("\x1b[2J");
  expect(said).toContain("the conversation goes on in a new session");
  expect(said).toContain("note: said aside");
});

test("a list of two columns keeps them where its rows are broken", () => {
  const words = `/tree      ${"the tree of this session ".repeat(6).trim()}`;
  const said = told({ type: "notice", notice: { level: "info", text: `${words}\n/new       begin a new one` } });
  const rows = said.split("\n");
  expect(rows[0]).toStartWith("  /tree      the tree");
  expect(rows[1]).toMatch(/^ {13}\S/);
  expect(rows.at(-1)).toBe("  /new       begin a new one");
});
