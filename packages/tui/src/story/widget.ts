import { createPictures } from "../picture/picture.ts";
import { composite } from "../screen/overlay.ts";
import { boxView, progressRow, statusRow, textView } from "../widget/basic.ts";
import { createEditor, type EditorOptions } from "../widget/editor/editor.ts";
import { createForm } from "../widget/form.ts";
import { createList } from "../widget/list.ts";
import { createScrollPane } from "../widget/scroll-pane.ts";
import { createSpinner } from "../widget/spinner.ts";
import { createTabs } from "../widget/tabs.ts";
import { createTree } from "../widget/tree.ts";
import { frozenTimers, type Story, type StoryContext, shownAfter } from "./story.ts";

const nothing = () => {};
const editor = (stage: StoryContext, more: Partial<EditorOptions> = {}) =>
  createEditor({ theme: stage.theme, timers: frozenTimers(), submit: nothing, cursor: "drawn", ...more });
const tools = [
  { label: "read", detail: "look into a file" },
  { label: "write", detail: "make a new file" },
  { label: "edit", detail: "change parts of a file" },
  { label: "search", detail: "find text in files" },
  { label: "run", detail: "start a program" },
];
const paste = `\x1b[200~${"a line of a log\n".repeat(40)}\x1b[201~`;

export const widgetStories: readonly Story[] = [
  {
    name: "editor-empty",
    about: "waiting for words",
    rows: (stage) => shownAfter(editor(stage, { placeholder: "Ask anything" }), "", stage),
  },
  {
    name: "editor-lines",
    about: "several lines, a selection, a wrapped row",
    rows: (stage) =>
      shownAfter(
        editor(stage),
        `first line\nsecond line that is long enough to go on in another row, because nobody types short ones in practice\nthird${"\x1b[1;2D".repeat(3)}`,
        stage,
      ),
  },
  {
    name: "editor-fold",
    about: "a long paste stands as one piece",
    rows: (stage) => shownAfter(editor(stage), `see ${paste} please`, stage),
  },
  {
    name: "editor-complete",
    about: "suggestions below the text",
    rows(stage) {
      const commands = ["/help", "/model", "/new", "/resume"];
      const view = editor(stage, {
        completer: (_, cursor) =>
          commands.map((label) => ({ label, detail: "a command", insert: label, from: 0, to: cursor })),
      });
      return shownAfter(view, "/\t", stage);
    },
  },
  {
    name: "editor-vim",
    about: "normal mode of vi",
    rows: (stage) => {
      const view = editor(stage, { vim: true });
      return shownAfter(view, "one two three\x1b", stage);
    },
  },
  {
    name: "list",
    about: "one of several",
    rows: (stage) => shownAfter(createList({ theme: stage.theme, items: tools, choose: nothing }), "\x1b[B", stage),
  },
  {
    name: "list-filter",
    about: "narrowed down by letters",
    rows: (stage) =>
      shownAfter(createList({ theme: stage.theme, items: tools, filter: true, choose: nothing }), "re", stage),
  },
  {
    name: "list-multiple",
    about: "several of several",
    rows: (stage) =>
      shownAfter(
        createList({ theme: stage.theme, items: tools, multiple: true, choose: nothing }),
        " \x1b[B\x1b[B ",
        stage,
      ),
  },
  {
    name: "tree",
    about: "branches that open and close",
    rows: (stage) =>
      shownAfter(
        createTree({
          theme: stage.theme,
          choose: nothing,
          roots: [
            {
              value: 1,
              label: "src",
              children: [
                { value: 2, label: "screen", children: [{ value: 3, label: "ledger.ts" }] },
                { value: 4, label: "index.ts" },
              ],
            },
            { value: 5, label: "README.md" },
          ],
          open: () => true,
        }),
        "\x1b[B\x1b[B",
        stage,
      ),
  },
  {
    name: "tabs",
    about: "pages behind each other",
    rows: (stage) =>
      shownAfter(
        createTabs(stage.theme, [
          { label: "Models", view: textView(() => "the first page") },
          { label: "Keys", view: textView(() => "the second page") },
        ]),
        "\t",
        stage,
      ),
  },
  {
    name: "form",
    about: "questions below each other",
    rows: (stage) =>
      shownAfter(
        createForm({
          theme: stage.theme,
          timers: frozenTimers(),
          submit: nothing,
          cursor: "drawn",
          fields: [
            { kind: "text", name: "a", label: "Name", value: "pith" },
            {
              kind: "text",
              name: "b",
              label: "Address",
              check: (value) => (value ? undefined : "an address is needed"),
            },
            { kind: "toggle", name: "c", label: "Remember", value: true },
            { kind: "choice", name: "d", label: "Level", choices: ["low", "middle", "high"] },
          ],
        }),
        "\t\t\t\r",
        stage,
      ),
  },
  {
    name: "progress",
    about: "how far something is",
    rows: ({ theme, columns }) => [0, 0.33, 1].map((share) => progressRow(theme, share, "files", columns)),
  },
  {
    name: "spinner",
    about: "something is going on",
    rows: ({ theme, columns }) =>
      [0, 240, 2400].flatMap((now) => {
        let time = 0;
        const spinner = createSpinner(theme, { now: () => time, after: () => nothing }, nothing);
        spinner.start("Reading 12 files");
        time = now;
        return [...spinner.render(columns, 1)];
      }),
  },
  {
    name: "scroll-pane",
    about: "a part of many rows",
    rows: (stage) =>
      shownAfter(
        createScrollPane(
          stage.theme,
          () => Array.from({ length: 40 }, (_, at) => `row ${at + 1}`),
          () => 5,
        ),
        "\x1b[6~",
        stage,
      ),
  },
  {
    name: "box",
    about: "a frame around something",
    rows: (stage) =>
      boxView(
        stage.theme,
        () => "Allow this?",
        textView(() => "The program wants to delete 3 files in build/."),
      ).render(Math.min(50, stage.columns), stage.height),
  },
  {
    name: "status",
    about: "what is where, least important first to go",
    rows: ({ theme, columns }) =>
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
  },
  {
    name: "overlay",
    about: "a box over the window",
    rows: (stage) =>
      composite(
        Array.from({ length: 7 }, () => "the text below 한국어 ".repeat(8)),
        {
          view: boxView(
            stage.theme,
            () => "On top",
            textView(() => "What lies below stays out of history until this closes."),
          ),
          options: { columns: 40 },
          hidden: false,
        },
        stage.columns,
        7,
      ).rows,
  },
  {
    name: "picture",
    about: "a picture where there are none",
    rows: ({ columns }) =>
      createPictures({ protocol: "off", placeholders: false, budget: 1, write: nothing }).rows(
        { png: new Uint8Array(), width: 320, height: 64, name: "chart.png" },
        columns,
        4,
      ),
  },
];
