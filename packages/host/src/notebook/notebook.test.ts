import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { spansOf } from "./json-span.ts";
import { isCellText, notebookJson, notebookText, openNotebook } from "./notebook.ts";

const study = readFileSync(join(import.meta.dir, "../../../../test/data/files/study.ipynb"), "utf8");
const text = () => {
  const got = notebookText(study);
  return got.ok ? got.value : got.message;
};
const json = (cells: string, old: string | undefined = study) => {
  const got = notebookJson(cells, old);
  if (!got.ok) throw new Error(got.message);
  return got.value;
};

test("a notebook is its cells, one after the other", () => {
  expect(text()).toBe(
    "# %% [markdown] cell:0\n# Title\n\nSome *text*\n\n# %% [code] cell:1\nimport math\nprint(math.pi)\n\n# %% [code] cell:2\nx = 1\n\n\n# %% [raw] cell:3\nraw",
  );
  expect(isCellText(text())).toBe(true);
  expect(isCellText('{ "cells": [] }')).toBe(false);
});

test("text that comes back unchanged gives the same file, byte for byte", () => {
  expect(json(text())).toBe(study);
});

test("a changed cell keeps its outputs and id, a new one gets its own, a removed one is gone", () => {
  const changed = text().replace("math.pi", "math.e").replace("# %% [raw] cell:3\nraw", "# %% [code]\nnew = 2");
  const cells = JSON.parse(json(changed)).cells;
  expect(cells[1]).toMatchObject({
    id: "cell-1",
    source: ["import math\n", "print(math.e)"],
    outputs: [{ name: "stdout" }],
    execution_count: 1,
  });
  expect(cells[3]).toMatchObject({ cell_type: "code", source: ["new = 2"], outputs: [] });
  expect(JSON.parse(json("# %% [code] cell:2\nx = 1\n")).cells).toHaveLength(1);
});

test("a new notebook can be written as cells", () => {
  const book = JSON.parse(json("# %% [markdown]\nHello\n\n# %% [code]\n1 + 1\n", undefined));
  expect(book).toMatchObject({
    nbformat: 4,
    cells: [
      { cell_type: "markdown", source: ["Hello"] },
      { cell_type: "code", source: ["1 + 1"] },
    ],
  });
});

test("what is no notebook is refused", () => {
  expect(notebookText("{")).toMatchObject({ ok: false, message: "is not valid JSON" });
  expect(notebookText('{"cells":[1]}')).toMatchObject({ ok: false });
  expect(notebookJson("no cells", study)).toMatchObject({ ok: false });
});

test("a cell that speaks of cells stays one cell", () => {
  const book = JSON.stringify({
    cells: [
      { cell_type: "markdown", source: ["# %% [code] cell:9\n", "# %%% [x]\n", "# %% [code] and more"], metadata: {} },
    ],
  });
  const shown = notebookText(book);
  expect(shown.ok && shown.value).toBe(
    "# %% [markdown] cell:0\n# %%% [code] cell:9\n# %%%% [x]\n# %%% [code] and more",
  );
  expect(shown.ok && JSON.parse(json(shown.value, book))).toEqual(JSON.parse(book));
});

test("a notebook of version 3 or 2 is its cells as well, and stays what it is", () => {
  const code = { cell_type: "code", input: ["a=1\n", "b=2"], language: "python", outputs: [], prompt_number: 1 };
  const old = JSON.stringify({
    nbformat: 3,
    worksheets: [{ cells: [code, { cell_type: "heading", level: 2, source: "Head" }], metadata: {} }],
  });
  const shown = notebookText(old);
  expect(shown.ok && shown.value).toBe("# %% [code] cell:0\na=1\nb=2\n\n# %% [heading] cell:1\nHead");
  expect(shown.ok && json(shown.value, old)).toBe(old);
  const more = JSON.parse(json("# %% [code] cell:0\na=3\n\n# %% [code]\nc=4\n", old)).worksheets[0].cells;
  expect(more).toMatchObject([
    { input: ["a=3"], prompt_number: 1 },
    { cell_type: "code", input: ["c=4"] },
  ]);
  expect(notebookText('{"worksheets":5}')).toMatchObject({ ok: false });
});

const plain = `{
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
const shown = "# %% [markdown] cell:0\n# Title\ncafé\n\n# %% [code] cell:1\nprint(1)\n\n# %% [code] cell:2\n";

function apply(change: (text: string) => string): string {
  const done = openNotebook(plain)?.apply(change(shown));
  return done?.ok ? done.value : (done?.message ?? "no notebook");
}

describe("a notebook as text", () => {
  test("shows its cells, and unchanged text gives the same bytes", () => {
    expect(openNotebook(plain)?.text).toBe(shown);
    expect(apply((all) => all)).toBe(plain);
  });
  test("a changed line changes that line; outputs and escapes stay", () => {
    expect(apply((all) => all.replace("# Title", "# New\n"))).toBe(
      plain.replace('"# Title\\n",', '"# New\\n",\n    "\\n",'),
    );
    expect(apply((all) => all.replace("print(1)", "print(2)\nx"))).toBe(plain.replace('"print(1)"', '"print(2)\\nx"'));
    expect(apply((all) => `${all}x = 1`)).toBe(plain.replace('"source": []', '"source": ["x = 1"]'));
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
      value: marked.replace("cell:9", "cell:8"),
    });
    const old = '{"nbformat": 3, "worksheets": [{"cells": [{"cell_type": "code", "input": ["a=1\\n", "b=2"]}]}]}';
    const book = openNotebook(old);
    expect(book?.text).toBe("# %% [code] cell:0\na=1\nb=2");
    expect(book?.apply("# %% [code] cell:0\na=1\nb=3")).toEqual({ ok: true, value: old.replace("b=2", "b=3") });
    expect(openNotebook('{"worksheets": [{"cells": []}, {"cells": []}]}')).toBeUndefined();
  });
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
