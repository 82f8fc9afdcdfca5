import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { isCellText, notebookJson, notebookText } from "./notebook.ts";

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
