import { expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Entry } from "@pith/agent";
import { noUsage } from "@pith/llm";
import { spentIn } from "./scan.ts";
import { addAnswer, nothing } from "./total.ts";

const usage = (input: number, total = 0) => ({
  ...noUsage(),
  input,
  totalTokens: input,
  cost: { ...noUsage().cost, total },
});
const entry = (fields: object, id = "1"): Entry =>
  ({ id, parentId: null, timestamp: "2026-01-02T03:04:05.000Z", ...fields }) as Entry;
const message = (fields: object, id?: string) => entry({ type: "message", message: fields }, id);
test("what was spent is read from files of any size and program, and what a fork copied is counted once", async () => {
  const dir = mkdtempSync(join(tmpdir(), "pith-usage-"));
  const reply = (id: string, input: number, total: number) =>
    JSON.stringify(
      message(
        {
          role: "assistant",
          content: [{ type: "text", text: "x".repeat(400_000) }],
          provider: "p",
          model: "m",
          usage: usage(input, total),
          timestamp: 5,
        },
        id,
      ),
    );
  const head = (cwd: string) => JSON.stringify({ type: "session", version: 3, id: "s", cwd });
  try {
    const [one, two, none] = ["a.jsonl", "b.jsonl", "gone.jsonl"].map((name) => join(dir, name)) as [
      string,
      string,
      string,
    ];
    writeFileSync(
      one,
      [
        head("/a"),
        reply("1", 10, 0.5),
        "not json",
        JSON.stringify(message({ role: "user", content: '"role":"assistant"' })),
        reply("2", 20, 0),
      ].join("\n"),
    );
    writeFileSync(
      two,
      [
        head("/b"),
        reply("1", 10, 0.5),
        reply("3", 30, 0.25),
        '{"type":"message","id":"9","message":{"role":"assistant"',
      ].join("\n"),
    );
    const unreadable: string[] = [];
    const total = nothing();
    const projects: string[] = [];
    for await (const spent of spentIn([one, two, none], (file) => unreadable.push(file))) {
      addAnswer(total, spent.message);
      projects.push(spent.project);
    }
    expect(total).toEqual({ replies: 3, input: 60, output: 0, cacheRead: 0, cacheWrite: 0, cost: 0.75, unpriced: 20 });
    expect(projects).toEqual(["/a", "/a", "/b"]);
    expect(unreadable).toEqual([none]);
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
});
