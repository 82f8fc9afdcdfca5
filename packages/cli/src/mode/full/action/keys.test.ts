import { expect, test } from "bun:test";
import { hotkeys } from "./hotkeys.ts";
import { keysFrom } from "./keys.ts";
import { actions } from "./table.ts";

const read = (text: string) => keysFrom(text, "keys.yml", actions);

test("without a file every action has the keys of the table, and no two share one", () => {
  const keys = read("");
  expect(keys.warnings).toEqual([]);
  for (const { name, keys: own = [] } of actions) expect(keys.of(name)).toEqual([...own]);
  const all = actions.flatMap(({ keys: own = [] }) => own);
  expect(new Set(all).size).toBe(all.length);
});

test("every action can be reached, by a key or by a command", () => {
  for (const { name, keys = [], command } of actions)
    expect([name, keys.length > 0 || command !== undefined]).toEqual([name, true]);
});

test("a key of one's own takes the place of those of the table, however it is spelled", () => {
  const keys = read(
    'app.tools.expand: Shift+Ctrl+E\n"app.thinking.toggle": [f2, alt+t]\napp.history.search:\n  - ctrl+s\n',
  );
  expect(keys.warnings).toEqual([]);
  expect(keys.of("app.tools.expand")).toEqual(["ctrl+shift+e"]);
  expect(keys.actions.get("ctrl+o")).toBeUndefined();
  expect(keys.of("app.thinking.toggle")).toEqual(["f2", "alt+t"]);
  expect(keys.of("app.history.search")).toEqual(["ctrl+s"]);
});

test("a key that is given to something else is taken from whoever had it", () => {
  const keys = read("app.tools.expand: ctrl+t\ntui.editor.deleteWordBackward: ctrl+r\n");
  expect(keys.actions.get("ctrl+t")).toBe("app.tools.expand");
  expect(keys.of("app.thinking.toggle")).toEqual([]);
  expect(keys.editor["ctrl+r"]).toEqual({ cut: "wordLeft", keep: "ring" });
  expect(keys.actions.get("ctrl+r")).toBeUndefined();
  expect(keys.editor["ctrl+w"]).toBeUndefined();
});

test("what is not understood is told with its line, and the rest counts", () => {
  const keys = read("# mine\napp.tols.expand: f5\nnonsense\napp.redraw: f6\napp.hotkeys: f6\n");
  expect(keys.warnings).toEqual([
    "keys.yml, line 2: there is no action app.tols.expand",
    'keys.yml, line 3: "nonsense" is no name: key',
    "keys.yml, line 5: f6 is taken by app.redraw (line 4)",
  ]);
  expect(keys.actions.get("f6")).toBe("app.redraw");
});

test("an action can be left without a key", () => {
  expect(read("app.suspend: []\n").of("app.suspend")).toEqual([]);
});

test("what is no key is told with its line, and its action keeps the keys it has", () => {
  const keys = read("app.tools.expand: [ctrl+t\napp.suspend: hyper+x\napp.thinking.toggle: [f2, oops!]\n");
  expect(keys.warnings.map((each) => each.replace(/^keys.yml, /, ""))).toEqual([
    'line 1: "[ctrl+t" is no key',
    'line 2: "hyper+x" is no key',
    'line 3: "oops!" is no key',
  ]);
  expect([keys.of("app.tools.expand"), keys.of("app.suspend"), keys.of("app.thinking.toggle")]).toEqual([
    ["ctrl+o"],
    ["ctrl+z"],
    ["f2"],
  ]);
});

test("a name that no key has, and a letter that is typed, are told with their line", () => {
  const keys = read(
    "app.redraw: escpe\napp.jobs: [f2, f2]\napp.diff: a\napp.context: shift+7\napp.tools.expand: space\n",
  );
  expect(keys.warnings.map((each) => each.replace(/^keys.yml, /, ""))).toEqual([
    'line 1: "escpe" is no key',
    'line 3: "a" is text that is typed: it needs ctrl, alt or super',
    'line 4: "shift+7" is text that is typed: it needs ctrl, alt or super',
    'line 5: "space" is text that is typed: it needs ctrl, alt or super',
  ]);
  expect([keys.of("app.jobs"), keys.of("app.tools.expand")]).toEqual([["f2"], ["ctrl+o"]]);
});

test("a file of something else is told in a few lines, in their order", () => {
  const { warnings } = read(`app.redraw: f6\napp.jobs: f6\n${"no\n".repeat(400)}`);
  expect(warnings).toHaveLength(9);
  expect(warnings[0]).toBe("keys.yml, line 2: f6 is taken by app.redraw (line 1)");
  expect(warnings.at(-1)).toBe("keys.yml: 393 more lines of it are not understood");
});

test("/hotkeys has every key that does something, and the names to give it another", () => {
  const keys = read("app.diff: f7\n");
  const map = hotkeys(keys, actions, "keys");
  for (const { name, about, command } of actions) {
    expect(map).toContain(about);
    for (const key of keys.of(name)) expect(map).toContain(key);
    if (command !== undefined) expect(map).toContain(`/${command}`);
  }
  expect(map).toMatch(/^ {2}f7, \/diff {2,}\S/m);
  const names = hotkeys(keys, actions, "names");
  for (const name of [...actions.map((action) => action.name), ...keys.editing]) expect(names).toContain(name);
});
