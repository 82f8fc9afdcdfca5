// Nothing that a model asks for, or a repository holds, keeps pith from hearing a signal: each of these once took
// minutes in one piece.
import { expect, test } from "bun:test";
import { pith } from "../pith.ts";
import { scratch } from "../scratch.ts";

const row = `${"a b c d e f g h ".repeat(6)}\n`;
const patch = `*** Begin Patch\n*** Update File: same.txt\n@@\n${` ${row}`.repeat(3000)}-NOPE\n+x\n*** End Patch\n`;

test.each<[string, string, object, string]>([
  ["a name with fifty thousand colons", "read", { path: "a.zip:".repeat(50_000) }, ""],
  ["a table behind fifty thousand databases", "read", { path: "a.db:".repeat(50_000) }, ""],
  ["fifty thousand commands in a row", "bash", { command: `${"a|".repeat(50_000)}head` }, ""],
  ["a hundred thousand names in one", "search", { pattern: "x", paths: ["a,".repeat(100_000)] }, ""],
  ["a sum without end", "ast_grep", { pat: "$A + $B", paths: ["sum.js"] }, ""],
  [
    "three thousand lines that nearly stand there",
    "edit",
    { path: "same.txt", edits: [{ oldText: `${row.repeat(3000)}NOPE`, newText: "x" }] },
    "edit.mode: replace\n",
  ],
  ["a patch of three thousand lines that nearly stand there", "edit", { input: patch }, "edit.mode: apply_patch\n"],
])(
  "%s",
  async (_, name, input, config) => {
    using dir = scratch();
    dir.write({
      "work/same.txt": row.repeat(60_000),
      "work/sum.js": `x = ${"a + ".repeat(60_000)}1;\n`,
      "home/.pith/config.yml": config,
    });
    const began = performance.now();
    const { out } = await pith(dir, ["tool", "--batch"], { input: JSON.stringify({ name, input }) });
    expect(JSON.parse(out)).toHaveProperty("isError");
    expect(performance.now() - began).toBeLessThan(10_000);
  },
  60_000,
);
