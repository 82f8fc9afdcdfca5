import { expect, test } from "bun:test";
import type { Data } from "@pith/agent";
import { plainTheme } from "../theme/theme.ts";
import { todo } from "./todo.ts";

const draw = { theme: plainTheme, width: 40, lines: 20 };
const show = (phases: Data["todo"]["phases"]) =>
  todo({ phases, storage: "session" }, { text: "", failed: false }, draw);
const task = (content: string, status: Data["todo"]["phases"][number]["tasks"][number]["status"] = "pending") => ({
  content,
  status,
});

test("the list is a tree of phases and tasks", () => {
  const rows = show([
    { name: "Build", tasks: [task("one", "completed"), task("two", "in_progress"), task("bad \u001b[31mred")] },
    { name: "Ship", tasks: [task("three", "abandoned")] },
  ]);
  expect(rows).toEqual(["Build", "  ☑ one", "  ▶ two", "  ☐ bad red", "Ship", "  ✗ three"]);
  expect(show([])).toEqual(["no tasks"]);
});

test("of a long list eight tasks are shown, around the one in progress", () => {
  const tasks = Array.from({ length: 12 }, (_, i) =>
    task(`t${i}`, i < 6 ? "completed" : i === 6 ? "in_progress" : "pending"),
  );
  const rows = show([{ name: "P", tasks }]);
  expect(rows).toEqual([
    "P",
    ...["☑ t4", "☑ t5", "▶ t6", "☐ t7", "☐ t8", "☐ t9", "☐ t10", "☐ t11"].map((row) => `  ${row}`),
    "… 4 more tasks",
  ]);
});
