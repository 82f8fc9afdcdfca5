import { expect, test } from "bun:test";
import { createDecoder } from "../input/decoder.ts";
import type { InputEvent } from "../input/event.ts";
import type { Pane, View } from "../screen/frame.ts";
import { createFakeTimers } from "../test/timers.ts";
import { builtinLook, plainLook } from "../text/palette.ts";
import { strip, width } from "../text/width.ts";
import { boxView, progressRow, statusRow, textView } from "./basic.ts";
import { createForm, type FormValues } from "./form.ts";
import { createList } from "./list.ts";
import { createScrollPane } from "./scroll-pane.ts";
import { createSpinner } from "./spinner.ts";
import { createTabs } from "./tabs.ts";
import { createTree } from "./tree.ts";

const press = (view: View, bytes: string) => {
  const decoder = createDecoder();
  for (const event of [...decoder.feed(bytes), ...decoder.flush()]) view.input?.(event as InputEvent);
};
const text = (view: View, columns = 40) => view.render(columns, 24).map((row) => strip(row).trimEnd());
const names = ["alpha", "beta", "gamma", "delta"].map((label) => ({ label, detail: `about ${label}` }));

test("a list chooses what the pointer is on, after narrowing down by letters", () => {
  const chosen: string[] = [];
  const list = createList({
    look: plainLook,
    items: names,
    filter: true,
    choose: (items) => chosen.push(...items.map((item) => item.label)),
  });
  expect(text(list)[1]).toBe("❯ alpha  about alpha");
  press(list, "\x1b[B\r");
  press(list, "dlt\r");
  expect(chosen).toEqual(["beta", "delta"]);
  press(list, "\x7f\x7f\x7fzzz");
  expect(text(list)[1]).toBe("  nothing found");
});

test("letters that are more than one character are filtered, taken back and marked whole", () => {
  const list = createList({
    look: builtinLook({ level: "none" }),
    items: [{ label: "x" }, { label: "a👨‍👩‍👧 family" }],
    filter: true,
    choose: () => {},
  });
  press(list, "\x1b[B");
  press(list, "👨‍👩‍👧fam");
  expect(list.current?.label).toBe("a👨‍👩‍👧 family");
  press(list, "\x7f\x7f\x7f");
  expect(list.query).toBe("👨‍👩‍👧");
  press(list, "\x7f");
  expect(list.query).toBe("");
  const two = createList({
    look: builtinLook({ level: "none" }),
    items: [{ label: "x fam" }, { label: "👨‍👩‍👧 fam" }],
    filter: true,
    choose: () => {},
  });
  press(two, "fam");
  expect(two.render(40, 10)[2]).toContain("👨‍👩‍👧 \x1b[4mf\x1b[24m");
});

test("in a low window the pointer of a list and of a tree can be seen", () => {
  const list = createList({ look: plainLook, items: names, choose: () => {} });
  const tree = createTree({
    look: plainLook,
    roots: names.map(({ label }) => ({ value: label, label })),
    choose: () => {},
  });
  for (const view of [list, tree]) {
    view.render(40, 3);
    press(view, "\x1b[B\x1b[B\x1b[B");
    const rows = view.render(40, 3);
    expect(rows.length).toBeLessThanOrEqual(3);
    expect(rows.join()).toContain("❯");
    expect(rows.join()).toContain("delta");
  }
});

test("a list of several gives back what was ticked, in the order of the list", () => {
  const chosen: string[] = [];
  const list = createList({
    look: plainLook,
    items: names,
    multiple: true,
    choose: (items) => chosen.push(...items.map((item) => item.label)),
  });
  press(list, "\x1b[B\x1b[B \x1b[A\x1b[A \r");
  expect(chosen).toEqual(["alpha", "gamma"]);
});

test("a long list scrolls with its pointer and wraps around", () => {
  const list = createList({
    look: plainLook,
    items: Array.from({ length: 100 }, (_, at) => ({ label: `item ${at}` })),
    height: 5,
    choose: () => {},
  });
  press(list, "\x1b[A");
  expect(text(list)).toEqual(["  item 95", "  item 96", "  item 97", "  item 98", "❯ item 99", "  100/100"]);
  press(list, "\x1b[B");
  expect(text(list)[0]).toBe("❯ item 0");
});

test("a tree opens, closes and says what was chosen", () => {
  const chosen: string[] = [];
  const roots = [
    {
      value: "src",
      label: "src",
      children: [
        { value: "a", label: "a.ts" },
        { value: "lib", label: "lib", children: [{ value: "b", label: "b.ts" }] },
      ],
    },
    { value: "doc", label: "doc" },
  ];
  const tree = createTree({ look: plainLook, roots, choose: (value) => chosen.push(value) });
  expect(text(tree)).toEqual(["❯ ▾ src", "  ├─   a.ts", "  ╰─ ▸ lib", "    doc"]);
  press(tree, "\x1b[B\x1b[B\x1b[C\x1b[C\r");
  expect(chosen).toEqual(["b"]);
  press(tree, "\x1b[D\x1b[D");
  expect(text(tree)[2]).toBe("❯ ╰─ ▸ lib");
  press(tree, "\x1b[D\x1b[D");
  expect(text(tree)).toEqual(["❯ ▸ src", "    doc"]);
});

test("tabs turn with the Tab key and hand everything else to the one in front", () => {
  const heard: string[] = [];
  const page = (name: string): View => ({
    render: () => [name],
    input: (event) => (heard.push(name + (event.type === "key" ? event.combo : "")) > 0 ? "used" : "passed"),
  });
  const tabs = createTabs(plainLook, [
    { label: "one", view: page("1") },
    { label: "two", view: page("2") },
  ]);
  press(tabs, "x\t");
  expect(text(tabs).at(-1)).toBe("2");
  press(tabs, "y\x1b[Z");
  expect(heard).toEqual(["1x", "2y"]);
  expect(tabs.index).toBe(0);
});

test("a form sends only good answers and says what is wrong with the others", () => {
  const sent: FormValues[] = [];
  const form = createForm({
    look: plainLook,
    timers: createFakeTimers(),
    submit: (values) => sent.push(values),
    fields: [
      { kind: "text", name: "name", label: "Name", check: (value) => (value === "" ? "is needed" : undefined) },
      { kind: "toggle", name: "on", label: "Switched on" },
      { kind: "choice", name: "level", label: "Level", choices: ["low", "high"] },
    ],
  });
  form.focused = true;
  press(form, "\r\r\r");
  expect(sent).toEqual([]);
  expect(text(form).some((row) => row.includes("is needed"))).toBe(true);
  press(form, "pith\r \r\x1b[C\r");
  expect(sent).toEqual([{ name: "pith", on: true, level: "high" }]);
});

test("a spinner turns every 80 ms, asks for its own pane only, and stands still where motion is unwanted", () => {
  const timers = createFakeTimers();
  const asked: Pane[] = [];
  const spinner = createSpinner(builtinLook({ level: "none" }), timers, (pane) => asked.push(pane));
  spinner.start("working");
  const seen = new Set<string>();
  for (let at = 0; at < 10; at++) {
    seen.add(spinner.render(40, 1)[0] ?? "");
    timers.advance(80);
  }
  expect(asked.length).toBe(10);
  expect(asked.every((pane) => pane === spinner)).toBe(true);
  expect(seen.size).toBe(10);
  spinner.stop();
  timers.advance(10_000);
  expect(asked.length).toBe(10);
  const still = createSpinner(builtinLook({ level: "none", reducedMotion: true }), timers, (pane) => asked.push(pane));
  still.start("working");
  timers.advance(900);
  expect(asked.length).toBe(10);
  expect(still.render(40, 1)).toEqual(["• working"]);
});

test("a status line drops what matters least when there is no room", () => {
  const parts = [
    { text: "model", side: "left", weight: 3 },
    { text: "a long path", side: "left", weight: 1 },
    { text: "12%", side: "right", weight: 2 },
  ] as const;
  expect(statusRow(plainLook, parts, 30)).toBe("model  a long path         12%");
  expect(statusRow(plainLook, parts, 14)).toBe("model      12%");
  expect(statusRow(plainLook, parts, 4)).toBe("mod…");
});

test("a box keeps what is inside it, a bar says how far it is, and a pane shows its part", () => {
  const box = boxView(
    plainLook,
    () => "title",
    textView(() => "wide 한국어 text\x1b[2J"),
  );
  for (const columns of [6, 12, 40]) for (const row of box.render(columns, 10)) expect(width(row)).toBe(columns);
  expect(progressRow(plainLook, 0.5, "files", 24)).toBe("███████░░░░░░  50% files");
  const pane = createScrollPane(
    plainLook,
    () => Array.from({ length: 20 }, (_, at) => `row ${at}`),
    () => 3,
  );
  pane.render(40, 24);
  press(pane, "\x1b[6~\x1b[B");
  expect(text(pane)).toEqual(["row 4", "row 5", "row 6", "5-7 of 20"]);
  press(pane, "\x1b[<65;1;1M");
  expect(text(pane)[0]).toBe("row 7");
});
