import { createPictures } from "../picture/picture.ts";
import { composite } from "../screen/overlay.ts";
import { createEditor, type EditorOptions } from "../widget/editor/editor.ts";
import { createList } from "../widget/list.ts";
import { createScrollPane } from "../widget/scroll-pane.ts";
import { createSpinner } from "../widget/spinner.ts";
import { statusRow } from "../widget/status.ts";
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
  pressed("list", "one of several", "\x1b[B", ({ theme }) => createList({ theme, items })),
  pressed("list-filter", "narrowed down by letters", "re", ({ theme }) => createList({ theme, items, filter: true })),
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
    const view = createList({ theme, items });
    return composite(window, { view, options: { columns: 40 } }, columns, 7).rows;
  }),
  story("picture", "a picture where there are none", ({ columns }) =>
    createPictures({ protocol: "off", placeholders: false, budget: 1, write: nothing }).rows(chart, columns, 4),
  ),
];
