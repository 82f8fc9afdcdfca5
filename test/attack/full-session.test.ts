// A session of a stranger on the full screen, and windows that change as fast as they can.
import { expect, test } from "bun:test";
import { until } from "../../packages/kit/src/test/index.ts";
import { full } from "../full.ts";
import { need } from "../need.ts";
import { scripted } from "../pith.ts";
import { scratch } from "../scratch.ts";
import { tmuxed } from "../tmux.ts";

const evil = "\u001b]0;owned\u0007\u001b[2J\u009b31m\u202e\u001b]52;c;AAAA\u0007";

test("nothing in a stranger's session stops the screen, its dialogs or the conversation", async () => {
  using dir = scratch();
  const entries: object[] = [];
  const add = (fields: object) => {
    const parentId = entries.length === 0 ? null : `e${entries.length - 1}`;
    entries.push({ id: `e${entries.length}`, parentId, timestamp: "2026-01-01T00:00:00.000Z", ...fields });
  };
  const say = (message: unknown) => add({ type: "message", message });
  say({ role: "user", content: `hello ${evil}`, timestamp: 1 });
  say({
    role: "assistant",
    content: [
      { type: "text", text: `# said ${evil}` },
      { type: "thinking", thinking: evil },
      { type: "toolCall", id: "c1", name: evil, arguments: null },
      { type: "toolCall", id: "c2", name: "todo", arguments: { ops: [null, 3] } },
      { type: "toolCall", id: "c3", name: "read", arguments: { path: { a: 1 } } },
      { type: "toolCall", id: "c4", name: "ask", arguments: { questions: [null] } },
      null,
    ],
    provider: evil,
    model: evil,
  });
  say({
    role: "toolResult",
    toolCallId: "c2",
    content: [{ type: "image", data: "!", mimeType: evil }, null],
    details: { kind: "diff", files: [null] },
  });
  say({ role: "toolResult", toolCallId: "c3", content: [{ type: "text" }], details: { kind: "page", path: 3 } });
  say({ role: evil, content: [] });
  say(null);
  add({ type: "message" });
  say({ role: "bashExecution", command: null, output: 5, exitCode: "x" });
  add({ type: "compaction", summary: { a: 1 }, tokensBefore: evil, firstKeptEntryId: 5 });
  add({ type: "custom_message", customType: 5, content: null, display: true });
  add({ type: "session_info", name: evil });
  add({ type: "label", targetId: "e0", label: evil });
  add({ type: evil });
  say({ role: "user", content: "the last words", timestamp: 1 });
  const head = { type: "session", version: 3, id: "x", timestamp: "2026-01-01T00:00:00.000Z", cwd: dir.at("work") };
  dir.write({ "got.jsonl": `${[head, ...entries].map((entry) => JSON.stringify(entry)).join("\n")}\nno json\n[]\n` });
  const at = full(dir, ["-r", dir.at("got.jsonl"), "--yolo", ...scripted(dir, { text: "Still here." })]);
  await at.sees("the last words");
  await at.idle();
  at.type("and now?\r");
  await at.sees("Still here.");
  for (const [dialog, title] of [
    ["/tree", "── tree"],
    ["/transcript", "── the whole conversation"],
    ["/context", "── context"],
  ] as const) {
    await at.idle();
    at.type(`${dialog}\r`);
    await at.sees(title);
    at.type("\x1b");
    await at.gone(title);
  }
  for (const bad of ["\x1b]0;owned", "\x1b]52;c", "\u202e", "\x9b31m"]) expect(at.bytes()).not.toContain(bad);
  expect(at.tape()).not.toContain("not drawn");
  await at.idle();
  expect(await at.leave()).toBe(0);
});

const places = { "a terminal": full, tmux: tmuxed };
for (const [name, start] of Object.entries(places))
  test.skipIf(name === "tmux" && need("tmux") !== undefined)(
    `a window that changes as fast as it can leaves dialogs as they were (${name})`,
    async () => {
      using dir = scratch();
      const at = start(dir, scripted(dir, { text: `${"word ".repeat(200)}\n\n- a\n- b` }));
      using _end = { [Symbol.dispose]: () => ("child" in at ? at.child.kill() : at[Symbol.dispose]()) };
      await at.idle();
      at.type("go\r");
      await at.sees("• b");
      for (const [dialog, title] of [
        ["/settings", "── settings"],
        ["/transcript", "── the whole conversation"],
      ] as const) {
        await at.idle();
        at.type(`${dialog}\r`);
        await at.sees(title);
        // Above it is the conversation, of which a multiplexer may show more or less.
        const shown = () => at.grid().split(title)[1]?.trimEnd() ?? "";
        // tmux shows what it has of a frame.
        await until(() => shown().split("\n").at(-1)?.length === 80, "the lower edge");
        const before = shown();
        for (let n = 0; n < 20; n++) {
          at.resize(1 + ((n * 37) % 130), 1 + ((n * 17) % 45));
          await Bun.sleep((n * 7) % 23);
        }
        at.resize(80, 24);
        // The next line shows both when they differ.
        await until(() => shown() === before, "the dialog as it was", 10_000).catch(() => {});
        expect(shown()).toBe(before);
        at.type("\x1b");
        await at.gone(title);
      }
    },
    60_000,
  );
