import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Result } from "@pith/kit";
import type { EditPlan } from "../../../edit/draft/intent.ts";
import { place } from "../../../edit/draft/place.ts";
import { Snapshots } from "../../../snapshot/snapshot.ts";
import { filesIn } from "../../../test/files.ts";
import { planHashline } from "./hashline/plan.ts";
import { planSimple } from "./simple.ts";

const json = `{
 "cells": [
  {
   "cell_type": "markdown",
   "metadata": {},
   "source": [
    "# Title\\n",
    "caf\\u00e9"
   ]
  },
  {
   "cell_type": "code",
   "execution_count": 3,
   "metadata": {"x": 1.0},
   "outputs": [{"name": "stdout", "text": ["1\\n"]}],
   "source": "print(1)"
  },
  {"cell_type": "code", "execution_count": null, "metadata": {}, "outputs": [], "source": []}
 ],
 "metadata": {"k": 1e3},
 "nbformat": 4,
 "nbformat_minor": 5
}
`;
const text = "# %% [markdown] cell:0\n# Title\ncafé\n\n# %% [code] cell:1\nprint(1)\n\n# %% [code] cell:2\n";

test("an edit of a cell leaves the rest of the file alone, by line and by text", async () => {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "pith-notebook-")));
  afterAll(() => rmSync(root, { recursive: true }));
  const file = join(root, "n.ipynb");
  writeFileSync(file, json);
  const editing = {
    files: filesIn(root),
    resolve: (name: string) => join(root, name),
    snapshots: new Snapshots(undefined),
    generated: "refuse" as const,
  };
  const make = async (plan: Result<EditPlan, "edit">) => (plan.ok ? place(editing, plan.value.drafts) : plan);
  const byLine = async (input: string) => make(await planHashline(editing, input));
  // A tag of the file's bytes has the lines of the file, one of its cells theirs.
  const bytes = editing.snapshots.mint(file, readFileSync(file));
  const raw = await byLine(`[n.ipynb#${bytes}]\nreplace 7..7:\n+    "# New\\n",`);
  if (!raw.ok) throw new Error(raw.message);
  expect(readFileSync(file, "utf8")).toBe(json.replace("# Title", "# New"));
  writeFileSync(file, json);
  const first = await byLine(`[n.ipynb#${editing.snapshots.mint(file, text)}]\nreplace 6..6:\n+print(2)`);
  if (!first.ok) throw new Error(first.message);
  expect(readFileSync(file, "utf8")).toBe(json.replace("print(1)", "print(2)"));
  const second = await byLine(`[n.ipynb#${first.value[0]?.tag}]\nreplace 6..6:\n+print(3)`);
  expect(second.ok).toBe(true);
  expect(
    (await make(planSimple(editing, "n.ipynb", { edits: [{ oldText: "print(3)", newText: "print(1)" }] }))).ok,
  ).toBe(true);
  expect(readFileSync(file, "utf8")).toBe(json);
});
