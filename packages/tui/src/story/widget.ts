import { createPictures } from "../picture/picture.ts";
import { composite } from "../screen/overlay.ts";
import { boxView, progressRow, statusRow, textView } from "../widget/basic.ts";
import { createEditor, type EditorOptions } from "../widget/editor/editor.ts";
import { createForm, type FormField } from "../widget/form.ts";
import { createList } from "../widget/list.ts";
import { createScrollPane } from "../widget/scroll-pane.ts";
import { createSpinner } from "../widget/spinner.ts";
import { createTabs } from "../widget/tabs.ts";
import { createTree } from "../widget/tree.ts";
import { frozenTimers, pressed, type Story, type StoryContext, story } from "./story.ts";

const nothing = () => {};
const editor = ({ theme }: StoryContext, more: Partial<EditorOptions> = {}) =>
  createEditor({ theme, timers: frozenTimers, submit: nothing, cursor: "drawn", ...more });
const long = "second line that is long enough to go on in another row, because nobody types short ones in practice";
const paste = `\x1b[200~${"a line of a log\n".repeat(40)}\x1b[201~`;
const commands = ["/help", "/model", "/new", "/resume"];
const items = [
  { label: "read", detail: "look into a file" },
  { label: "write", detail: "make a new file" },
  { label: "edit", detail: "change parts of a file" },
  { label: "search", detail: "find text in files" },
  { label: "run", detail: "start a program" },
];
const screen = { value: 2, label: "screen", children: [{ value: 3, label: "ledger.ts" }] };
const roots = [
  { value: 1, label: "src", children: [screen, { value: 4, label: "index.ts" }] },
  { value: 5, label: "README.md" },
];
const fields: readonly FormField[] = [
  { kind: "text", name: "a", label: "Name", value: "pith" },
  { kind: "text", name: "b", label: "Address", check: (value) => (value ? undefined : "an address is needed") },
  { kind: "toggle", name: "c", label: "Remember", value: true },
  { kind: "choice", name: "d", label: "Level", choices: ["low", "middle", "high"] },
];
const chart = { png: new Uint8Array(), width: 320, height: 64, name: "chart.png" };

export const widgetStories: readonly Story[] = [
  pressed("editor-empty", "waiting for words", "", (stage) => editor(stage, { placeholder: "Ask anything" })),
  pressed(
    "editor-lines",
    "several lines, a selection, a wrapped row",
    `first line\n${long}\nthird${"\x1b[1;2D".repeat(3)}`,
    (stage) => editor(stage),
  ),
  pressed("editor-fold", "a long paste stands as one piece", `see ${paste} please`, (stage) => editor(stage)),
  pressed("editor-complete", "suggestions below the text", "/\t", (stage) =>
    editor(stage, {
      completer: (_, to) => commands.map((label) => ({ label, detail: "a command", insert: label, from: 0, to })),
    }),
  ),
  pressed("editor-vim", "normal mode of vi", "one two three\x1b", (stage) => editor(stage, { vim: true })),
  pressed("list", "one of several", "\x1b[B", ({ theme }) => createList({ theme, items, choose: nothing })),
  pressed("list-filter", "narrowed down by letters", "re", ({ theme }) =>
    createList({ theme, items, filter: true, choose: nothing }),
  ),
  pressed("list-multiple", "several of several", " \x1b[B\x1b[B ", ({ theme }) =>
    createList({ theme, items, multiple: true, choose: nothing }),
  ),
  pressed("tree", "branches that open and close", "\x1b[B\x1b[B", ({ theme }) =>
    createTree({ theme, choose: nothing, roots, open: () => true }),
  ),
  pressed("tabs", "pages behind each other", "\t", ({ theme }) =>
    createTabs(theme, [
      { label: "Models", view: textView(() => "the first page") },
      { label: "Keys", view: textView(() => "the second page") },
    ]),
  ),
  pressed("form", "questions below each other", "\t\t\t\r", ({ theme }) =>
    createForm({ theme, timers: frozenTimers, submit: nothing, cursor: "drawn", fields }),
  ),
  story("progress", "how far something is", ({ theme, columns }) =>
    [0, 0.33, 1].map((share) => progressRow(theme, share, "files", columns)),
  ),
  story("spinner", "something is going on", ({ theme, columns }) =>
    [0, 240, 2400].flatMap((now) => {
      let time = 0;
      const spinner = createSpinner(theme, { now: () => time, after: () => nothing }, nothing);
      spinner.start("Reading 12 files");
      time = now;
      return spinner.render(columns, 1);
    }),
  ),
  pressed("scroll-pane", "a part of many rows", "\x1b[6~", ({ theme }) =>
    createScrollPane(
      theme,
      () => Array.from({ length: 40 }, (_, at) => `row ${at + 1}`),
      () => 5,
    ),
  ),
  story("box", "a frame around something", ({ theme, columns, height }) => {
    const text = textView(() => "The program wants to delete 3 files in build/.");
    return boxView(theme, () => "Allow this?", text).render(Math.min(50, columns), height);
  }),
  story("status", "what is where, least important first to go", ({ theme, columns }) =>
    [columns, 40, 20].map((room) =>
      statusRow(
        theme,
        [
          { text: "model-name", side: "left", weight: 5, token: "accent" },
          { text: "~/project", side: "left", weight: 3 },
          { text: "main", side: "left", weight: 2 },
          { text: "42% of context", side: "right", weight: 4 },
        ],
        Math.min(room, columns),
      ),
    ),
  ),
  story("overlay", "a box over the window", ({ theme, columns }) => {
    const window = Array.from({ length: 7 }, () => "the text below 한국어 ".repeat(8));
    const text = textView(() => "What lies below stays out of history until this closes.");
    const view = boxView(theme, () => "On top", text);
    return composite(window, { view, options: { columns: 40 }, hidden: false }, columns, 7).rows;
  }),
  story("picture", "a picture where there are none", ({ columns }) =>
    createPictures({ protocol: "off", placeholders: false, budget: 1, write: nothing }).rows(chart, columns, 4),
  ),
];
