import { afterAll, describe, expect, test } from "bun:test";
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Result } from "@pith/kit";
import fc from "fast-check";
import type { EditPlan } from "../../../edit/draft/intent.ts";
import { place } from "../../../edit/draft/place.ts";
import { spansOf } from "../../../edit/notebook/json-span.ts";
import { openNotebook } from "../../../edit/notebook/notebook.ts";
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

function apply(change: (text: string) => string): string {
  const done = openNotebook(json)?.apply(change(text));
  return done?.ok ? done.json : (done?.message ?? "no notebook");
}

describe("a notebook as text", () => {
  test("shows its cells, and unchanged text gives the same bytes", () => {
    expect(openNotebook(json)?.text).toBe(text);
    expect(apply((all) => all)).toBe(json);
  });
  test("a changed line changes that line; outputs and escapes stay", () => {
    expect(apply((all) => all.replace("# Title", "# New\n"))).toBe(
      json.replace('"# Title\\n",', '"# New\\n",\n    "\\n",'),
    );
    expect(apply((all) => all.replace("print(1)", "print(2)\nx"))).toBe(json.replace('"print(1)"', '"print(2)\\nx"'));
    expect(apply((all) => `${all}x = 1`)).toBe(json.replace('"source": []', '"source": ["x = 1"]'));
  });
  test("cells are added, removed, moved and given another kind", () => {
    const cells = (made: string) =>
      (JSON.parse(made).cells as { cell_type: string; source: string | string[] }[]).map((cell) => [
        cell.cell_type,
        [cell.source].flat().join(""),
      ]);
    expect(cells(apply((all) => `${all}\n\n# %% [code]\nnew()\n`))).toEqual([
      ["markdown", "# Title\ncafé"],
      ["code", "print(1)"],
      ["code", ""],
      ["code", "new()"],
    ]);
    expect(cells(apply((all) => all.replace("# %% [markdown] cell:0\n# Title\ncafé\n\n", "")))).toEqual([
      ["code", "print(1)"],
      ["code", ""],
    ]);
    expect(cells(apply((all) => all.replace("[code] cell:1", "[markdown] cell:1")))[1]).toEqual([
      "markdown",
      "print(1)",
    ]);
    expect(apply(() => "no cell\n")).toContain("begins with a cell");
    expect(apply((all) => `${all}\n${all}`)).toContain("stands there twice");
  });
  test("what is no notebook is plain text", () => {
    for (const other of ["", "{}", "[1]", '{"cells": [{"source": 1}]}']) expect(openNotebook(other)).toBeUndefined();
  });
  test("a cell that holds a marker, and a notebook before version 4, are edited as they are shown", () => {
    const marked = '{"cells": [{"cell_type": "code", "source": "# %% [code] cell:9"}]}';
    expect(openNotebook(marked)?.apply("# %% [code] cell:0\n# %%% [code] cell:8")).toEqual({
      ok: true,
      json: marked.replace("cell:9", "cell:8"),
    });
    const old = '{"nbformat": 3, "worksheets": [{"cells": [{"cell_type": "code", "input": ["a=1\\n", "b=2"]}]}]}';
    const book = openNotebook(old);
    expect(book?.text).toBe("# %% [code] cell:0\na=1\nb=2");
    expect(book?.apply("# %% [code] cell:0\na=1\nb=3")).toEqual({ ok: true, json: old.replace("b=2", "b=3") });
    expect(openNotebook('{"worksheets": [{"cells": []}, {"cells": []}]}')).toBeUndefined();
  });
});

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
  const byLine = async (input: string) =>
    make(await planHashline({ ...editing, blocks: async () => undefined }, input));
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

test("spans are where JSON says they are", () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.constantFrom(0, 1, 4), (original, indent) => {
      const source = JSON.stringify(original, null, indent);
      const value: unknown = JSON.parse(source);
      const spans = spansOf(source, 0);
      expect(source.slice(spans.start, spans.end)).toBe(source);
      for (const [key, span] of spans.keys ?? [])
        expect(JSON.parse(source.slice(span.start, span.end))).toEqual(
          (value as Record<string, unknown>)[key] as never,
        );
      for (const [i, span] of (spans.items ?? []).entries())
        expect(JSON.parse(source.slice(span.start, span.end))).toEqual((value as unknown[])[i] as never);
    }),
    { numRuns: 500 },
  );
});
