import { expect, test } from "bun:test";
import { resultFields } from "@pith/agent";
import { plainTheme } from "@pith/tui";
import { call } from "../../../test/fake.ts";
import { wordAlbum } from "./album.ts";
import { Card } from "./card.ts";
import type { PieceStyle } from "./piece.ts";

const style: PieceStyle = { theme: plainTheme, album: wordAlbum, whole: false, thinking: "brief" };
const bash = () => new Card(style, call("c", "bash", { command: "npm test" }));
const run = (more: object, text: string) =>
  resultFields({ kind: "run", data: { command: "npm test", cwd: "/", durationMs: 1100, limits: {}, ...more }, text });

test("a command that runs is not said to have ended", () => {
  const card = bash();
  card.shows({ kind: "run", data: { command: "npm test", cwd: "/", durationMs: 1100, limits: {} }, text: "step 1" });
  expect(card.render(80)).toEqual(["• bash npm test", "  step 1"]);
  card.ends(run({ exitCode: 0 }, "step 1\nstep 2"));
  expect(card.render(80)).toEqual(["• bash npm test  exit 0 after 1.1 s", "  step 1", "  step 2"]);
});

test("how a command failed is said once, and a long command leaves room for it", () => {
  const card = new Card(style, call("c", "bash", { command: "npm test && ".repeat(20) }));
  card.ends({ ...run({ exitCode: 2 }, "oh\n\nCommand exited with code 2\n[a note]"), isError: true });
  const [head = "", ...rows] = card.render(60);
  expect(head).toEndWith("…  exit 2 after 1.1 s");
  expect(head.length).toBeLessThanOrEqual(60);
  expect(rows).toEqual(["  oh", "  [a note]"]);
});

test("an edit names its file once, and the task list is not told twice", () => {
  const file = { path: "a.js", change: "modified", added: 1, removed: 1, patch: "@@ -1,1 +1,1 @@\n-a\n+b\n" } as const;
  const edit = new Card(style, call("c", "edit", { path: "a.js" }));
  edit.ends(resultFields({ kind: "diff", data: { files: [file] }, text: "" }));
  expect(edit.render(80)).toEqual(["• edit a.js  +1 -1", "  1 - a", "  1 + b"]);
  const todo = new Card(style, call("c", "todo", { ops: [{ op: "done", task: "x" }] }));
  const phases = [{ name: "Fix", tasks: [{ content: "x", status: "completed" as const }] }];
  todo.ends(resultFields({ kind: "todo", data: { phases } as never, text: "" }));
  expect(todo.render(80)).toEqual(["• todo done x  1 of 1 task done"]);
  todo.expanded = true;
  expect(todo.render(80).join("\n")).toContain("Fix");
});

test("a file that the head does not name is named below it, and so is what is too long for the head", () => {
  const file = { path: "a.js", change: "modified", added: 1, removed: 1, patch: "@@ -1,1 +1,1 @@\n-a\n+b\n" } as const;
  const patch = new Card(style, call("c", "edit", { input: "*** Begin Patch" }));
  patch.ends(resultFields({ kind: "diff", data: { files: [file] }, text: "" }));
  expect(patch.render(80)[1]).toBe("  modified a.js +1 -1");
  const rewrite = new Card(style, call("c", "ast_edit", { ops: [{ pat: "a", out: "b" }], paths: ["src"] }));
  const data = {
    files: [],
    totalReplacements: 0,
    filesSearched: 12,
    scopePath: "src/and/some/more",
    limitReached: true,
  };
  rewrite.ends(resultFields({ kind: "diff", data: data as never, text: "" }));
  expect(rewrite.render(60)).toEqual(["• ast_edit a", "  0 replacements in src/and/some/more, searched 12, limit r…"]);
});

test("what a person declined is no fault of anybody", () => {
  const card = bash();
  const refused = { kind: "prose", data: {}, text: "The user said no.", failed: true, refused: "person" } as const;
  const signs: string[] = [];
  const theme: typeof plainTheme = {
    ...plainTheme,
    paint(token, text) {
      signs.push(token);
      return text;
    },
  };
  const drawn = new Card({ ...style, theme }, call("c", "bash", { command: "npm test" }));
  for (const each of [card, drawn]) each.ends(resultFields(refused));
  expect(card.render(80)).toEqual(["✗ bash npm test", "  The user said no."]);
  drawn.render(80);
  expect(signs).not.toContain("error");
  expect(signs).not.toContain("toolError");
});
