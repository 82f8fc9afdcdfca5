import { expect, test } from "bun:test";
import { createPictures } from "../picture/picture.ts";
import { cursorMark, type View } from "../screen/frame.ts";
import { parsePatch } from "../text/diff.ts";
import { diffRows } from "../text/diff-view.ts";
import { markdownRows } from "../text/markdown.ts";
import { width } from "../text/width.ts";
import { builtinTheme } from "../theme/palette.ts";
import { createEditor, type EditorOptions } from "./editor/editor.ts";
import { createList } from "./list.ts";
import { createSpinner } from "./spinner.ts";
import { statusRow } from "./status.ts";

const theme = builtinTheme({ level: "256" });
const timers = { now: () => 0, after: () => () => {} };
const nothing = () => {};
const hostile = [
  "\x1b]52;c;ZXZpbA==\x07", "\x1b]0;title\x07", "\x1bP1$r0m\x1b\\", "\x1b_Gi=1;x\x1b\\", "\x9b31m\x9d0;x\x9c",
  "\x1b[2J\x1b[H", "a\u202eb\u2066c", "\r\n\tx\x00\x07\b\x7f", "\x1b]8;;javascript:alert(1)\x1b\\x\x1b]8;;\x1b\\",
  "한국어\x1b[6n👨‍👩‍👧", "\x1b[?1049h", "\ud800", "\ufeff\u2028", "y".repeat(300),
]; // biome-ignore format: a list

const enter = { type: "key", name: "enter", combo: "enter", text: "", phase: "press" } as const;
const tab = { ...enter, name: "tab", combo: "tab" } as const;
const after = (view: View, columns: number, ...events: Parameters<NonNullable<View["input"]>>[0][]) => {
  view.focused = true;
  for (const event of events) view.input?.(event);
  return view.render(columns, 20);
};
const editor = (text: string, more: Partial<EditorOptions> = {}) => {
  const made = createEditor({ theme, timers, submit: nothing, ...more });
  made.text = text;
  made.top = text;
  return made;
};
const marked = (text: string) =>
  `# ${text}\n\n- ${text}\n\n\`\`\`${text}\n${text}\n\`\`\`\n\n[${text}](${text}) \`${text}\` **${text}**\n\n| ${text} | b |\n|--|--|\n| ${text} | c |\n\n![${text}](${text})\n`;

const places: Record<string, (text: string, columns: number) => readonly string[]> = {
  status: (text, columns) => [
    statusRow(
      theme,
      [
        { text, side: "left", weight: 1 },
        { text, side: "right", weight: 2 },
      ],
      columns,
    ),
  ],
  list: (text, columns) =>
    after(createList({ theme, items: [{ label: text, detail: text, keywords: text }], filter: true }), columns, {
      type: "paste",
      text,
    }),
  "empty list": (text, columns) => createList({ theme, items: [], empty: text }).render(columns, 20),
  spinner: (text, columns) => {
    const spinner = createSpinner(theme, timers, nothing);
    spinner.start(text);
    return spinner.render(columns, 1);
  },
  editor: (text, columns) => after(editor(text), columns, { type: "paste", text: text.repeat(3) }),
  "editor that is empty": (text, columns) => after(editor("", { placeholder: text }), columns),
  "drawn cursor": (text, columns) => after(editor(text, { cursor: "drawn" }), columns, { ...enter, combo: "home" }),
  suggestions: (text, columns) =>
    after(editor("", { completer: () => [{ label: text, detail: text, insert: text, from: 0, to: 0 }] }), columns, tab),
  attachment: (text, columns) => {
    const view = editor("");
    view.attach(text, undefined);
    return view.render(columns, 20);
  },
  markdown: (text, columns) => markdownRows(marked(text), columns, { theme }),
  "inline diff": (text, columns) =>
    diffRows(parsePatch(`@@ -1,2 +1,2 @@ ${text}\n-${text}\n+${text}x\n ${text}`), columns, theme, "inline"),
  "split diff": (text, columns) =>
    diffRows(parsePatch(`@@ -1,2 +1,2 @@ ${text}\n-${text}\n+${text}x\n ${text}`), columns, theme, "split"),
  picture: (text, columns) =>
    createPictures({ protocol: "off", placeholders: false, budget: 1, write: nothing }).rows(
      { png: new Uint8Array(), width: 99, height: 50, name: text },
      columns,
      4,
    ),
};

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are the subject
const harmless = /\x1b\[[0-9;:]*m|\x1b\]8;;(?:(?:https?|mailto|file):[\x21-\x7e]*)?\x1b\\/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are the subject
const control = /[\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/;

test("in no place of any widget does a text from outside become a command or break a row", () => {
  for (const [place, rows] of Object.entries(places))
    for (const text of hostile)
      for (const columns of [8, 21, 80])
        for (const row of rows(text, columns).map((each) => each.replaceAll(cursorMark, ""))) {
          expect([place, text, control.exec(row.replace(harmless, ""))?.[0]]).toEqual([place, text, undefined]);
          expect([place, text, columns, width(row) <= columns]).toEqual([place, text, columns, true]);
        }
});

test("no widget fails in a window of any size", () => {
  for (const rows of Object.values(places))
    for (const text of hostile) for (let columns = 1; columns < 8; columns++) expect(rows(text, columns)).toBeArray();
});
