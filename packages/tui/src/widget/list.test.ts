import { expect, test } from "bun:test";
import { createDecoder } from "../input/decoder.ts";
import type { InputEvent } from "../input/event.ts";
import type { View } from "../screen/frame.ts";
import { strip } from "../text/width.ts";
import { builtinTheme, plainTheme } from "../theme/palette.ts";
import { createList } from "./list.ts";

const press = (view: View, bytes: string) => {
  const decoder = createDecoder();
  for (const event of [...decoder.feed(bytes), ...decoder.flush()]) view.input?.(event as InputEvent);
};

const text = (view: View, columns = 40) => view.render(columns, 24).map((row) => strip(row).trimEnd());

const names = ["alpha", "beta", "gamma", "delta"].map((label) => ({ label, detail: `about ${label}` }));

test("a list chooses what the pointer is on, after narrowing down by letters", () => {
  const chosen: string[] = [];
  const list = createList({
    theme: plainTheme,
    items: names,
    filter: true,
    choose: ({ label }) => chosen.push(label),
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
    theme: builtinTheme({ level: "none" }),
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
    theme: builtinTheme({ level: "none" }),
    items: [{ label: "x fam" }, { label: "👨‍👩‍👧 fam" }],
    filter: true,
    choose: () => {},
  });
  press(two, "fam");
  expect(two.render(40, 10)[2]).toContain("👨‍👩‍👧 \x1b[4mf\x1b[24m");
});

test("in a low window the pointer of a list can be seen", () => {
  const list = createList({ theme: plainTheme, items: names, choose: () => {} });
  list.render(40, 3);
  press(list, "\x1b[B\x1b[B\x1b[B");
  const rows = list.render(40, 3);
  expect(rows.length).toBeLessThanOrEqual(3);
  expect(rows.join()).toContain("❯");
  expect(rows.join()).toContain("delta");
});

test("a long list scrolls with its pointer and wraps around", () => {
  const list = createList({
    theme: plainTheme,
    items: Array.from({ length: 100 }, (_, at) => ({ label: `item ${at}` })),
    height: 5,
    choose: () => {},
  });
  press(list, "\x1b[A");
  expect(text(list)).toEqual(["  item 95", "  item 96", "  item 97", "  item 98", "❯ item 99", "  100/100"]);
  press(list, "\x1b[B");
  expect(text(list)[0]).toBe("❯ item 0");
});

test("what is chosen stays chosen when others come before it", () => {
  const list = createList({ theme: plainTheme, items: [{ id: "b", label: "b" }], choose: () => {} });
  list.items = [
    { id: "a", label: "a" },
    { id: "b", label: "b, done" },
  ];
  expect(list.current?.id).toBe("b");
  list.items = [{ id: "c", label: "c" }];
  expect(list.current?.id).toBe("c");
});
