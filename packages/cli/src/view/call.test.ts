import { expect, test } from "bun:test";
import { plainTheme } from "@pith/tui/theme";
import { call } from "../test/fake.ts";
import { callRow } from "./call.ts";

const canvas = { theme: plainTheme, columns: 40, height: 4 };

test("a call is one line about what it does", () => {
  expect(callRow(call("c", "read", { path: "src/a.ts" }), canvas)).toBe("• read src/a.ts");
  expect(callRow(call("c", "bash", { command: "ls\npwd", cwd: "/" }), canvas)).toBe("• bash ls …");
  expect(callRow(call("c", "todo", { items: [1] }), canvas)).toBe('• todo {"items":[1]}');
  expect(callRow({ ...call("c", "read", {}), rawArguments: "{broken" }, canvas)).toBe("• read {broken");
  expect(Bun.stringWidth(callRow(call("c", "read", { path: "日x".repeat(99) }), canvas))).toBeLessThanOrEqual(40);
});

test("a call's name and words are shown and not obeyed", () => {
  const row = callRow(call("c", "tool\u001b]0;owned\u0007\nx", { path: "a\u009b2J\u202eb" }), canvas);
  expect(row).toBe("• tool x a<202e>b");
});

test("a rewrite of code is told by its pattern, or by how many there are", () => {
  const row = (...pats: string[]) =>
    callRow(call("c", "ast_edit", { ops: pats.map((pat) => ({ pat, out: "x" })), paths: ["src"] }), canvas);
  expect(row("foo(\n\t$A,\n  $B)")).toBe("• ast_edit foo( $A, $B)");
  expect([row("a", "b", "c"), row(), row(" \t")]).toEqual(["• ast_edit 3 rewrites", "• ast_edit ?", "• ast_edit"]);
});
