import { expect, test } from "bun:test";
import type { Data } from "@pith/agent";
import { plainTheme } from "@pith/tui/theme";
import { resultBrief } from "../view.ts";
import { todo } from "./todo.ts";

const show = (phases: Data["todo"]["phases"]) =>
  todo.rows(
    { phases, storage: "session" },
    { text: "", failed: false, brief: brief(phases) },
    { theme: plainTheme, columns: 40, height: 20 },
  );
const brief = (phases: Data["todo"]["phases"]) =>
  resultBrief({ content: [], isError: false, details: { kind: "todo", phases, storage: "session" } });
const task = (content: string, status: Data["todo"]["phases"][number]["tasks"][number]["status"] = "pending") => ({
  content,
  status,
});

test("the list is a tree of phases and tasks", () => {
  const phases = [
    { name: "Build", tasks: [task("one", "completed"), task("two", "in_progress"), task("bad \u001b[31mred")] },
    { name: "Ship", tasks: [task("three", "abandoned")] },
  ];
  expect(show(phases)).toEqual(["Build", "  ✓ one", "  ❯ two", "  ◯ bad red", "Ship", "  ✗ three"]);
  expect(brief(phases)).toBe("1 of 4 tasks done");
  expect(show([])).toEqual(["no tasks"]);
  expect(brief([])).toBe("no tasks");
});

test("of a long list eight tasks are shown, around the one in progress", () => {
  const tasks = Array.from({ length: 12 }, (_, i) =>
    task(`t${i}`, i < 6 ? "completed" : i === 6 ? "in_progress" : "pending"),
  );
  const rows = show([{ name: "P", tasks }]);
  expect(rows).toEqual([
    "P",
    ...["✓ t4", "✓ t5", "❯ t6", "◯ t7", "◯ t8", "◯ t9", "◯ t10", "◯ t11"].map((row) => `  ${row}`),
    "… 4 more tasks",
  ]);
});
