import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { ok } from "@pith/kit";
import fc from "fast-check";
import type { Editing } from "../../../../edit/draft/file.ts";
import { place } from "../../../../edit/draft/place.ts";
import { Snapshots } from "../../../../snapshot/snapshot.ts";
import { filesIn } from "../../../../test/files.ts";
import { parseHashline } from "./parse.ts";
import { planHashline } from "./plan.ts";

let root = "";
let editing: Editing;
afterEach(() => rmSync(root, { recursive: true, force: true }));
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "pith-hashline-")));
  editing = {
    files: filesIn(root),
    resolve: (name) => resolve(root, name),
    snapshots: new Snapshots(undefined),
    generated: "refuse",
  };
});
const at = (name: string) => join(root, name);
const text = (name = "f.ts") => readFileSync(at(name), "utf8");
/** Writes a file and shows it to the model. */
const show = (content: string, name = "f.ts") => {
  writeFileSync(at(name), content);
  return `[${name}#${editing.snapshots.mint(at(name), content)}]`;
};
const run = async (...rows: string[]) => {
  const plan = await planHashline(editing, rows.join("\n"));
  if (!plan.ok) return plan;
  const files = await place(editing, plan.value.drafts);
  return files.ok ? ok({ files: files.value, warnings: plan.value.warnings }) : files;
};
async function fails(...rows: string[]): Promise<string> {
  const done = await run(...rows);
  return done.ok ? "it worked" : done.message;
}
async function works(...rows: string[]) {
  const done = await run(...rows);
  if (!done.ok) throw new Error(done.message);
  return done.value;
}
const six = "1\n2\n3\n4\n5\n6\n";

describe("operations", () => {
  const cases: [string, string, string[], string][] = [
    ["replace the first line", six, ["replace 1..1:", "+one"], "one\n2\n3\n4\n5\n6\n"],
    ["replace lines in the middle by more", six, ["replace 3..4:", "+a", "+b", "+c"], "1\n2\na\nb\nc\n5\n6\n"],
    ["replace the last line", six, ["replace 6..6:", "+six"], "1\n2\n3\n4\n5\nsix\n"],
    ["delete one line", six, ["delete 2"], "1\n3\n4\n5\n6\n"],
    ["delete everything", six, ["delete 1..6"], ""],
    ["insert before the first line", six, ["insert before 1:", "+0"], `0\n${six}`],
    ["insert after the last line", six, ["insert after 6:", "+7"], `${six}7\n`],
    ["insert at head and tail", six, ["insert head:", "+h", "insert tail:", "+t"], `h\n${six}t\n`],
    ["insert into an empty file", "", ["insert head:", "+h", "insert tail:", "+t"], "h\nt\n"],
    ["insert after a last line without a newline", "a", ["insert tail:", "+b"], "a\nb"],
    [
      "numbers refer to the original, whatever the order",
      six,
      ["delete 5", "insert after 2:", "+2b", "insert before 2:", "+1b"],
      "1\n1b\n2\n2b\n3\n4\n6\n",
    ],
    [
      "insert around a replaced range",
      six,
      ["replace 3..4:", "+x", "insert before 3:", "+b", "insert after 4:", "+a"],
      "1\n2\nb\nx\na\n5\n6\n",
    ],
    [
      "insert after a line, delete the next, without a final newline",
      "a\nb",
      ["insert after 1:", "+x", "delete 2"],
      "a\nx",
    ],
    [
      "an empty row, and rows that begin with a sign",
      "a\n",
      ["replace 1..1:", "+", "+-minus", "++plus", "+ space"],
      "\n-minus\n+plus\n space\n",
    ],
    ["a block", "if (f) {\n  a\n}\nz\n", ["replace block 1:", "+g {}"], "g {}\nz\n"],
    ["a deleted block", "if (f) {\n  a\n}\nz\n", ["delete block 1"], "z\n"],
    ["rows of what goes, when they are right", six, ["replace 2..3:", "-2", "-3", "+x"], "1\nx\n4\n5\n6\n"],
    [
      "also of a deletion, and of a block",
      "if (f) {\n}\nz\n",
      ["delete 3", "-z", "replace block 1:", "-if (f) {", "-}", "+g"],
      "g\n",
    ],
    ["in a CRLF file", "a\r\nb\r\n", ["replace 1..1:", "+x", "+y"], "x\r\ny\r\nb\r\n"],
    ["in a file with a byte order mark", "\ufeffa\nb\n", ["replace 1..1:", "+x"], "\ufeffx\nb\n"],
  ];
  test.each(cases)("%s", async (_, before, rows, after) => {
    await works(show(before), ...rows);
    expect(text()).toBe(after);
  });
  const lenient: [string, string[], string][] = [
    ["one number is a range of one", ["replace 2:", "+x"], "1\nx\n3\n4\n5\n6\n"],
    ["the colon may be missing", ["replace 2..3", "+x"], "1\nx\n4\n5\n6\n"],
    ["also of an insertion", ["insert after 1", "+x"], "1\nx\n2\n3\n4\n5\n6\n"],
    ["a range with a hyphen", ["replace 2-3:", "+x"], "1\nx\n4\n5\n6\n"],
    ["a range with an ellipsis", ["replace 2…3:", "+x"], "1\nx\n4\n5\n6\n"],
    ["a range with a space", ["replace 2 3:", "+x"], "1\nx\n4\n5\n6\n"],
    ["blank rows between operations", ["", "delete 1", "", "", "delete 3", ""], "2\n4\n5\n6\n"],
    ["the envelope of another format", ["delete 1", "*** End Patch"], "2\n3\n4\n5\n6\n"],
    ["rows with CRLF", ["replace 1..1:\r", "+x\r"], "x\n2\n3\n4\n5\n6\n"],
  ];
  test.each(lenient)("lenient: %s", async (_, rows, after) => {
    await works("*** Begin Patch", show(six), ...rows);
    expect(text()).toBe(after);
  });
  test("rows without + are taken with a warning, blank ones between them too", async () => {
    const done = await works(show("a\n"), "replace 1..1:", "x {", "", "+y", "}");
    expect(text()).toBe("x {\n\ny\n}\n");
    expect(done.warnings[0]).toStartWith("Rows without + were taken as new lines.");
  });
  test("an abort keeps what came before it, and says so", async () => {
    const done = await works(show(six), "delete 1", "*** Abort", "delete 2");
    expect(text()).toBe("2\n3\n4\n5\n6\n");
    expect(done.warnings).toEqual(["`*** Abort` ended the input; the operations before it were applied."]);
  });
});

describe("headers", () => {
  test.each([
    (path: string) => `¶${path}`,
    (path: string) => `*** ¶Update File: ${path}`,
    (path: string) => `*** Update File: [${path}]`,
    (path: string) => `[Add File: ${path}]`,
    (path: string) => `*** [${path}] ***`,
    (path: string) => `*** Update File: ${path}`,
  ])("a header is found among remains of other formats: %p", async (form) => {
    const header = show(six).slice(1, -1);
    await works(form(header), "delete 1");
    expect(text()).toBe("2\n3\n4\n5\n6\n");
  });
  test("several files in one call, all or none", async () => {
    const [a, b] = [show("a\n", "a.ts"), show("b\n", "b.ts")];
    expect(await fails(a, "replace 1:", "+A", b, "replace 2:", "+B")).toStartWith(
      "There is no line 2: the file ends with line 1",
    );
    expect([text("a.ts"), text("b.ts")]).toEqual(["a\n", "b\n"]);
    const done = await works(a, "replace 1:", "+A", b, "replace 1:", "+B");
    expect(done.files.map((file) => file.change.path)).toEqual(["a.ts", "b.ts"]);
    expect([text("a.ts"), text("b.ts")]).toEqual(["A\n", "B\n"]);
  });
  test("two sections of one file are one", async () => {
    const header = show(six);
    await works(header, "delete 1", header, "delete 6");
    expect(text()).toBe("2\n3\n4\n5\n");
  });
  test("two sections of one file under different tags are refused", async () => {
    const old = show("1\n2\n");
    const now = show("1\n2\n3\n");
    expect(await fails(now, "delete 1", old, "delete 2")).toContain("name different tags");
    expect(text()).toBe("1\n2\n3\n");
  });
  test("a new file needs no tag", async () => {
    const done = await works("[new.ts]", "insert head:", "+a", "+b");
    expect(text("new.ts")).toBe("a\nb\n");
    expect(done.files[0]?.change.change).toBe("added");
  });
});

describe("what cannot be taken as written is refused, and nothing is changed", () => {
  const cases: [string, string[], string][] = [
    ["a stray row", ["+x"], 'line 2: "+x" belongs to no operation'],
    ...["replace 3..3: x", "delete 3,4", "REPLACE 3..4:", "insert after head:", "delete -1"].map(
      (row): [string, string[], string] => [
        `a header that is not quite one after a body: ${row}`,
        ["replace 1..1:", "+x", row],
        `line 4: "${row}" belongs to no operation`,
      ],
    ),
    ["a minus row in an insertion", ["insert after 1:", "-1", "+x"], "line 3: `-` rows are not needed"],
    [
      "a minus row that is not the line",
      ["replace 1..1:", "-2", "+x"],
      "line 2: The `-` rows are not what stands in line 1",
    ],
    ["too few minus rows", ["replace 1..2:", "-1", "+x"], "line 2: The `-` rows are not what stands in lines 1-2"],
    ["rows of a diff", ["replace 1..2:", "-1", " two", "+x"], "line 4: A row without a sign stands among `-` rows"],
    [
      "an empty replace",
      ["replace 1..2:"],
      "line 2: `replace` has no `+` row. To take lines away write `delete N..M`.",
    ],
    ["an empty insert", ["insert after 1:", "delete 2"], "line 2: `insert` has no `+` row."],
    ["an empty block", ["replace block 1:"], "line 2: `replace block` has no `+` row."],
    ["a delete with a body", ["delete 1..2", "+x"], "line 3: A deletion has no rows below it."],
    ["a block delete with a body", ["delete block 1", "+x"], "line 3: A deletion has no rows below it."],
    ["a delete with a colon", ["delete 1..2:"], "line 2: No colon behind a deletion: write `delete 1..2`."],
    ["a range that ends before it starts", ["replace 5..3:", "+x"], "line 2: 5..3 ends before it begins."],
    [
      "overlapping ranges",
      ["replace 1..3:", "+x", "delete 3"],
      "line 4: Line 3 is already changed by the operation on line 2.",
    ],
    ["an insertion into a range", ["insert after 2:", "+x", "delete 2..4"], "line 4: Line 3 is already changed by"],
    [
      "the same insertion twice",
      ["insert after 2:", "+x", "insert after 2:", "+y"],
      "line 4: The operation on line 2 inserts at the same place",
    ],
    ...["*** Update File: x", "*** Add File: x", "*** Delete File: x", "*** Move to: x"].map(
      (row): [string, string[], string] => [row, ["delete 1", row], `line 3: "${row}" is a row of another format.`],
    ),
    ["a unified diff", ["@@ -1,2 +1,2 @@"], 'line 2: "@@ -1,2 +1,2 @@" is the head of a diff.'],
    ["another bracketed header", ["@@ foo @@"], 'line 2: "@@ foo @@" is the head of a diff.'],
    ["a bare number", ["5"], "line 2: 5 alone does not say what to do. Write `replace 5..5:` or `delete 5`."],
    ["a bare range with a space", ["4 6"], "line 2: 4..6 alone does not say what to do."],
    ["a bare range with dots", ["4..6"], "line 2: 4..6 alone does not say what to do."],
    ["a line beyond the end", ["replace 7..7:", "+x"], "There is no line 7: the file ends with line 6."],
    ["a line before the beginning", ["delete 0"], "There is no line 0: the file ends with line 6."],
    ["nothing to do", [], "The section of f.ts has no operation"],
    ["no change", ["replace 1..1:", "+1"], "f.ts already reads like this at these lines."],
  ];
  test.each(cases)("%s", async (_, rows, message) => {
    const header = show(six);
    const said = await fails(header, ...rows);
    expect(said).toStartWith(message);
    expect(said).toContain(`Nothing was changed. Last given: ${header}.`);
    expect(text()).toBe(six);
  });
  test("lines are shown where they help, behind what is said", async () => {
    expect(await fails(show(six, "f.txt"), "replace block 2:", "+x")).toEndWith("\n\n 1:1\n*2:2\n 3:3\n 4:4");
    expect(await fails(show(six), "replace 1..1:", "-2", "+x")).toEndWith("\n\n*1:1\n 2:2\n 3:3");
  });
  test("no header at all", async () => {
    expect(await fails("", "replace 1..1:", "+x")).toStartWith(
      'The first row is not a header `[PATH#TAG]`: "replace 1..1:".',
    );
    expect(await fails("")).toContain("is not a header");
  });
  test("a header without a tag, or with something that is none", async () => {
    const given = show(six);
    for (const header of ["[f.ts]", "¶f.ts", "[f.ts#0a3b]", "¶f.ts#0A3"])
      expect(await fails(header, "delete 1")).toBe(
        `The header of f.ts has no tag. Read the file, then begin the section with [f.ts#TAG]. Nothing was changed. Last given: ${given}.`,
      );
  });
  test("a language without blocks", async () =>
    expect(await fails(show(six, "f.txt"), "delete 6", "replace block 2:", "+x")).toStartWith(
      "line 3: No block begins on line 2",
    ));
  test("a file that is gone, a directory, a binary and a generated one", async () => {
    const tag = editing.snapshots.mint(at("none"), "x");
    expect(await fails(`[none#${tag}]`, "delete 1")).toStartWith("none does not exist. Use write to make a new file.");
    expect(await fails("[.#0000]", "delete 1")).toContain("is a directory");
    writeFileSync(at("b"), "a\0");
    expect(await fails("[b#0000]", "delete 1")).toContain("is binary");
    expect(await fails(show("// Code generated by x. DO NOT EDIT.\n1\n", "g.go"), "delete 2")).toContain(
      "is generated",
    );
  });
});

describe("results", () => {
  test("a follow-up edit uses the tag from the result, without reading", async () => {
    const first = await works(show(six), "delete 1");
    const file = first.files[0];
    expect(file?.change).toMatchObject({ change: "modified", added: 0, removed: 1, firstChangedLine: 1 });
    expect(file?.excerpt).toBe("-1:1\n 1:2\n 2:3");
    await works(`[f.ts#${file?.tag}]`, "replace 1..1:", "+two");
    expect(text()).toBe("two\n3\n4\n5\n6\n");
  });
  test("a block says which lines it was", async () => {
    const done = await works(show("if (f) {\n  a\n}\nz\n"), "replace block 1:", "+g");
    expect(done.files[0]?.echoes).toEqual(["replace block 1 → resolved lines 1-3 (3 lines)"]);
  });
  test("a tag means the same in the next process", async () => {
    const header = show(six);
    editing = { ...editing, snapshots: new Snapshots(undefined) };
    await works(header, "delete 1");
    expect(text()).toBe("2\n3\n4\n5\n6\n");
  });
});

describe("a tag that is not the newest", () => {
  const ten = Array.from({ length: 20 }, (_, i) => `line ${i + 1}\n`).join("");
  test("is carried along with our own edits", async () => {
    const header = show(ten);
    await works(header, "insert head:", "+new 1", "+new 2");
    await works(header, "delete 3");
    const done = await works(header, "replace 5..5:", "+five");
    expect(done.warnings).toEqual([
      `${header} is from before your own later edits. The line numbers were moved along with them; use the newest tag for the next edit.`,
    ]);
    expect(text().split("\n").slice(0, 8)).toEqual([
      "new 1",
      "new 2",
      "line 1",
      "line 2",
      "line 4",
      "five",
      "line 6",
      "line 7",
    ]);
  });
  test("is carried over a change from outside when the lines around are the same", async () => {
    const header = show(ten);
    writeFileSync(at("f.ts"), `outside\n${ten.replace("line 18\n", "")}`);
    const done = await works(header, "replace 10..10:", "+ten");
    expect(done.warnings[0]).toContain("was changed outside this session");
    expect(text()).toBe(`outside\n${ten.replace("line 18\n", "").replace("line 10\n", "ten\n")}`);
  });
  test("is carried over our edits and then a change from outside", async () => {
    const header = show(ten);
    await works(header, "insert head:", "+new");
    writeFileSync(at("f.ts"), `${text()}end\n`);
    const done = await works(header, "replace 10..10:", "+ten");
    expect(done.warnings[0]).toContain("after them");
    expect(text()).toBe(`new\n${ten.replace("line 10\n", "ten\n")}end\n`);
  });
  test("head and tail are always there", async () => {
    const header = show(ten);
    writeFileSync(at("f.ts"), "all new\n");
    await works(header, "insert head:", "+h", "insert tail:", "+t");
    expect(text()).toBe("h\nall new\nt\n");
  });
  const mended: [string, string, (old: string) => string, string[]][] = [
    ["a line far above was put in", "replace 10..10:", (old) => `outside\n${old}`, ["replace 12..12:", "+twelve"]],
    [
      "a line right above was put in",
      "replace 10..10:",
      (old) => old.replace("ten\n", "outside\nten\n"),
      ["replace 12..12:", "+twelve"],
    ],
    [
      "a line between was put in",
      "replace 10..10:",
      (old) => old.replace("line 11\n", "line 11\noutside\n"),
      ["replace 12..12:", "+twelve"],
    ],
    [
      "a line right below was put in",
      "replace 10..10:",
      (old) => old.replace("line 13\n", "outside\nline 13\n"),
      ["replace 12..12:", "+twelve"],
    ],
  ];
  test.each(mended)("is carried over our own edit beside it, and then %s from outside", async (_, own, spoil, rows) => {
    const header = show(ten);
    await works(header, own, "+ten");
    const spoilt = spoil(text());
    writeFileSync(at("f.ts"), spoilt);
    await works(header, ...rows);
    expect(text()).toBe(spoilt.replace("line 12\n", "twelve\n"));
  });
  const refused: [string, (old: string) => string, string[]][] = [
    ["the line itself was changed", (old) => old.replace("line 10\n", "LINE 10\n"), ["replace 10..10:", "+x"]],
    ["a line next to it was changed", (old) => old.replace("line 11\n", "LINE 11\n"), ["replace 10..10:", "+x"]],
    [
      "one was put where it puts one",
      (old) => old.replace("line 11\n", "between\nline 11\n"),
      ["insert after 10:", "+x"],
    ],
    ["a line was put between", (old) => old.replace("line 11\n", "line 11\nbetween\n"), ["replace 10..12:", "+x"]],
    ["the lines are there twice", (old) => `${old}${old}`, ["replace 10..10:", "+x"]],
    ["nothing is as it was", () => "other\n", ["delete 10"]],
  ];
  test.each(refused)("is refused when %s", async (_, spoil, rows) => {
    const header = show(ten);
    writeFileSync(at("f.ts"), spoil(ten));
    const said = await fails(header, ...rows);
    expect(said).toStartWith(`${header} is out of date: `);
    expect(text()).toBe(spoil(ten));
    const current = editing.snapshots.mint(at("f.ts"), text());
    expect(said).toContain(`The current tag is [f.ts#${current}]`);
  });
  test("shows what stands around the lines that were meant", async () => {
    const header = show(ten);
    writeFileSync(at("f.ts"), ten.replace("line 10\n", "LINE 10\n"));
    expect(await fails(header, "delete 10")).toEndWith(
      "\n\n 8:line 8\n 9:line 9\n*10:LINE 10\n 11:line 11\n 12:line 12",
    );
  });
  test("is told from one that was never given out", async () => {
    show(ten);
    expect(await fails("[f.ts#0000]", "delete 10")).toStartWith("[f.ts#0000] was never given out for this file");
    expect(text()).toBe(ten);
  });
  test("is refused when our own edit changed its line", async () => {
    const header = show(ten);
    await works(header, "replace 10..10:", "+x");
    expect(await fails(header, "delete 10")).toContain("is out of date");
  });
});

test("the same line numbers twice in one session never hit another line", async () => {
  const header = show("a {\n}\nb {\n}\n");
  await works(header, "delete 1..2");
  expect(await fails(header, "delete 2")).toContain("is out of date");
  expect(text()).toBe("b {\n}\n");
});

test("no input makes the parser throw", () => {
  for (const input of [
    "[",
    "]",
    "¶",
    "[#0000]",
    "[a#0000]\n+",
    "***",
    "[a#0000]\nreplace",
    "\n\n",
    "[a#0000]\nreplace 99999999999999999999..1:\n+x",
  ])
    expect(typeof parseHashline(input).ok).toBe("boolean");
});

describe("with one old tag", () => {
  interface Pick {
    do: "replace" | "delete" | "before" | "after";
    at: number;
    rows: number;
  }
  // The model of it: every line has a name of its own, although many read alike.
  interface Named {
    name: number;
    text: string;
  }
  const opOf = (pick: Pick, line: number) =>
    pick.do === "delete" ? `delete ${line}` : pick.do === "replace" ? `replace ${line}:` : `insert ${pick.do} ${line}:`;
  function model(now: readonly Named[], pick: Pick, line: number, rows: readonly string[]): Named[] {
    const index = now.findIndex((other) => other.name === line);
    expect(index).not.toBe(-1);
    const start = pick.do === "after" ? index + 1 : index;
    const count = pick.do === "replace" || pick.do === "delete" ? 1 : 0;
    return [...now.slice(0, start), ...rows.map((text) => ({ name: -1, text })), ...now.slice(start + count)];
  }

  test("edit after edit lands on the very line that was meant, or is refused", async () => {
    const pick = fc.record({
      do: fc.constantFrom<Pick["do"]>("replace", "delete", "before", "after"),
      at: fc.nat(9),
      rows: fc.nat(2),
    });
    const lines = fc.array(fc.constantFrom("a", "b", "}"), { minLength: 2, maxLength: 10 });
    let files = 0;
    await fc.assert(
      fc.asyncProperty(
        lines,
        fc.array(pick, { minLength: 2, maxLength: 5 }),
        fc.constantFrom("", "\n"),
        async (lines, picks, end) => {
          let now: Named[] = lines.map((text, i) => ({ name: i + 1, text }));
          const said = () => now.map((line) => line.text).join("\n") + (now.length === 0 ? "" : end);
          const file = `f${files++}.ts`;
          const header = show(said(), file);
          for (const [n, pick] of picks.entries()) {
            const line = (pick.at % lines.length) + 1;
            const rows = Array.from({ length: pick.do === "delete" ? 0 : pick.rows + 1 }, (_, i) => `new ${n}.${i}`);
            const done = await run(header, opOf(pick, line), ...rows.map((row) => `+${row}`));
            if (done.ok) now = model(now, pick, line, rows);
            else expect(done.message).toContain("is out of date");
            expect(text(file)).toBe(said());
          }
        },
      ),
      { numRuns: 150 },
    );
  });

  test("a content that comes again leads on from where it is, not from where it once led", async () => {
    const header = show("a\nb\nb\n");
    const first = await works(header, "insert head:", "+x");
    writeFileSync(at("f.ts"), "a\nb\nb\n");
    await works(header, "delete 2");
    await works(header, "replace 3..3:", "+c");
    expect(text()).toBe("a\nc\n");
    expect(first.files.length).toBe(1);
  });
});
