import { afterAll, expect, test } from "bun:test";
import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { deflateSync } from "node:zlib";
import { cpuSince, scratch } from "@pith/kit/test";
import { writeMember } from "../archive/archive.ts";
import { runScript } from "../exec/script.ts";
import { readDocument } from "./document.ts";
import { walkXml } from "./xml.ts";

const { path: dir } = scratch(afterAll);
const data = join(import.meta.dir, "../../../../test/data/files");
const { signal } = new AbortController();
const text = async (path: string) => {
  const got = await readDocument(path, signal);
  return got.ok ? got.value : `${got.kind}: ${got.message}`;
};
const table = "| Region | Sold |\n| --- | --- |\n| North | 12 |\n| South | 7 |";

test("a text document keeps its headings, marks, links, tables and lists", async () => {
  for (const name of ["report.docx", "report.odt"]) {
    const got = await text(join(data, name));
    expect(got).toContain(
      "# Results\n\nSales rose by **12 %** in the *north*, see [the site](https://example.com/a?b=1&c=2).\n\n## By region",
    );
    expect(got).toContain(table);
    expect(got).toContain("- first point\n- second point\n  - nested point");
    expect(got).toContain("1. one\n1. two");
    expect(got).toContain("code line");
    expect(got).toEndWith("Grüße, 日本語 & <tags>.");
  }
});

test("an RTF file keeps its text, marks and tables", async () => {
  const got = await text(join(data, "report.rtf"));
  expect(got).toContain("# Results\n\nSales rose by **12 %** in the *north*, see the site.");
  expect(got).toContain("| Region | Sold |");
  expect(got).toContain("| North | 12 |");
  expect(got).toEndWith("Grüße, 日本語 & <tags>.");
});

test("an e-book is its chapters in the order of reading", async () => {
  const got = await text(join(data, "report.epub"));
  expect(got).toStartWith("# Quarterly report");
  expect(got).toContain("Sales rose by **12 %**");
  expect(got).toMatch(/Region\s*\|\s*Sold/);
});

test("slides come in their order, titles as headings", async () => {
  const got = await text(join(data, "report.pptx"));
  expect(got).toStartWith("<!-- Slide 1 -->\n# Quarterly report");
  expect(got).toContain("<!-- Slide 2 -->\n# Results");
  expect(got).toContain(table);
});

test("a workbook is one table per sheet, with dates as dates and formulas where nothing was computed", async () => {
  expect(await text(join(data, "sales.xlsx"))).toBe(
    "## Sales\n\n| Region | Sold | When |\n| --- | --- | --- |\n| North | 12.5 | 2024-03-01 |\n| South \\| East | 7 |  |\n|  | =SUM(B2:B3) |  |\n\n## Empty\n\n(empty)\n\n## More\n\n| TRUE |  |  |\n| --- | --- | --- |\n|  |  | far |",
  );
});

test("a PDF is its pages", async () => {
  expect(await text(join(data, "letter.pdf"))).toBe(
    "<!-- Page 1 -->\nDear reader,\nthis is page one.\n\n<!-- Page 2 -->\nAnd this is page two.",
  );
});

/** A package of the least that a program would write. */
async function pack(name: string, parts: Readonly<Record<string, string>>): Promise<string> {
  for (const [part, xml] of Object.entries(parts))
    await writeMember(join(dir, `${name}.zip`), { name: part, bytes: Buffer.from(xml), changed: 0 });
  renameSync(join(dir, `${name}.zip`), join(dir, name));
  return join(dir, name);
}

test("paragraphs that are list items by their style are list items", async () => {
  const path = await pack("styled.docx", {
    "word/styles.xml":
      '<styles><style styleId="LB"><name val="List Bullet"/><pPr><numPr><numId val="3"/></numPr></pPr></style><style styleId="LB2"><basedOn val="LB"/></style></styles>',
    "word/document.xml":
      '<document><p><pPr><pStyle val="LB"/></pPr><r><t>one</t></r></p><p><pPr><pStyle val="LB2"/></pPr><r><t>two</t></r></p><p><pPr><pStyle val="LB"/><numPr><numId val="0"/></numPr></pPr><r><t>plain</t></r></p></document>',
  });
  expect(await text(path)).toBe("- one\n- two\n\nplain");
});

test("what is hidden, cut or far to the right in a workbook is said", async () => {
  const path = await pack("odd.xlsx", {
    "xl/_rels/workbook.xml.rels":
      '<R><Relationship Id="r1" Target="worksheets/a.xml"/><Relationship Id="r2" Target="worksheets/b.xml"/></R>',
    "xl/workbook.xml":
      '<workbook><sheets><sheet name="A" id="r1" state="hidden"/><sheet name="B" id="r2"/></sheets></workbook>',
    "xl/styles.xml": '<styleSheet><cellXfs><xf numFmtId="0"/><xf numFmtId="21"/></cellXfs></styleSheet>',
    "xl/worksheets/a.xml": '<sheetData><row><c r="Z1"><v>5</v></c><c r="AA1" s="1"><v>0.5</v></c></row></sheetData>',
    "xl/worksheets/b.xml": `<sheetData>${'<row><c r="A1"><v>1</v></c></row>'.repeat(100_001)}</sheetData>`,
  });
  const got = await text(path);
  expect(got).toStartWith(
    "## A (hidden)\n\n| 5 | 12:00:00 |\n| --- | --- |\n\n(the first 25 columns are empty)\n\n## B",
  );
  expect(got).toEndWith("| 1 |\n\n(only the first 100000 of 100001 rows are shown)");
});

test("a spreadsheet and a presentation of LibreOffice are read, with their notes", async () => {
  const row = (cells: string) => `<table:table-row>${cells}</table:table-row>`;
  const cell = (said: string, more = "") => `<table:table-cell ${more}><text:p>${said}</text:p></table:table-cell>`;
  const empty = '<table:table-cell table:number-columns-repeated="16000"/>';
  const first = row(cell("a") + cell("b", 'table:number-columns-repeated="2"') + empty);
  const rows = first + row(empty) + row(cell("1|2") + empty);
  const ods = await pack("sheet.ods", {
    "content.xml": `<d><table:table table:name="One">${rows}</table:table><table:table table:name="Two"/></d>`,
  });
  expect(await text(ods)).toBe("## One\n\n| a | b | b |\n| --- | --- | --- |\n| 1\\|2 |  |  |\n\n## Two\n\n(empty)");
  const page = (title: string, note: string) =>
    `<draw:page><draw:frame presentation:class="title"><text:p>${title}</text:p></draw:frame><draw:frame><text:p>body</text:p></draw:frame><presentation:notes><draw:frame>${note}</draw:frame></presentation:notes></draw:page>`;
  const odp = await pack("talk.odp", {
    "content.xml": `<d>${page("First", "<text:p>say it</text:p>")}${page("Second", "")}</d>`,
  });
  expect(await text(odp)).toBe(
    "<!-- Slide 1 -->\n\n# First\n\nbody\n\nNotes: say it\n\n<!-- Slide 2 -->\n\n# Second\n\nbody",
  );
});

test("what a speaker noted stands below the slide", async () => {
  const slide = (placed: string, said: string) => `<sp><ph type="${placed}"/><p><r><t>${said}</t></r></p></sp>`;
  const path = await pack("noted.pptx", {
    "ppt/_rels/presentation.xml.rels": '<R><Relationship Id="r1" Target="slides/s1.xml"/></R>',
    "ppt/presentation.xml": '<p><sldId id="r1"/></p>',
    "ppt/slides/_rels/s1.xml.rels": '<R><Relationship Id="r1" Target="../notesSlides/n1.xml"/></R>',
    "ppt/slides/s1.xml": `<sld>${slide("title", "Head")}</sld>`,
    "ppt/notesSlides/n1.xml": `<notes>${slide("body", "remember")}${slide("sldNum", "1")}</notes>`,
  });
  expect(await text(path)).toBe("<!-- Slide 1 -->\n# Head\n\nNotes: remember");
});

test("a document that never ends is ended, and its reader with it", async () => {
  const stream = deflateSync(`BT ${"/F1 12 Tf (x) Tj ".repeat(20_000_000)} ET`.slice(0, 300_000_000));
  const head =
    "%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n3 0 obj<</Type/Page/Parent 2 0 R/Contents 4 0 R/MediaBox[0 0 9 9]/Resources<<>>>>endobj\n";
  const path = join(dir, "endless.pdf");
  writeFileSync(
    path,
    Buffer.concat([
      Buffer.from(`${head}4 0 obj<</Length ${stream.length}/Filter/FlateDecode>>stream\n`),
      stream,
      Buffer.from("\nendstream endobj\ntrailer<</Root 1 0 R>>\n"),
    ]),
  );
  const controller = new AbortController();
  setTimeout(() => controller.abort(), 500);
  expect(await readDocument(path, controller.signal)).toMatchObject({ ok: false, kind: "aborted" });
});

test("a script that takes too long or too much is ended", async () => {
  expect(await runScript({ script: "for (;;) {}", timeoutMs: 300, signal })).toMatchObject({
    ok: false,
    kind: "timeout",
  });
  if (process.platform === "linux")
    expect(
      await runScript({
        script: "const all = []; for (;;) all.push(new Uint8Array(1e6).fill(1));",
        timeoutMs: 60_000,
        maxMemory: 3e8,
        signal,
      }),
    ).toMatchObject({
      ok: false,
      kind: "memory",
    });
});

test("a broken, empty or old document says so", async () => {
  for (const name of ["report.docx", "report.odt", "report.epub", "report.pptx", "sales.xlsx", "letter.pdf"]) {
    for (const [how, bytes] of [
      ["cut", readFileSync(join(data, name)).subarray(0, 700)],
      ["empty", Buffer.alloc(0)],
    ] as const) {
      const path = join(dir, `${how}-${name}`);
      writeFileSync(path, bytes);
      expect(await text(path)).toStartWith("document: ");
    }
  }
  writeFileSync(join(dir, "x.doc"), "old");
  expect(await text(join(dir, "x.doc"))).toBe(
    "document: the format before .docx is not understood; save it as .docx first",
  );
  expect(await text(join(dir, "gone.pdf"))).toBe("document: no such file or directory");
});

test("a document that unpacks to absurdly much is refused in little memory", async () => {
  const zip = join(dir, "bomb.zip");
  expect(
    await writeMember(zip, { name: "word/document.xml", bytes: Buffer.alloc(60 * 1024 * 1024, 32), changed: 0 }),
  ).toMatchObject({ ok: true });
  writeFileSync(join(dir, "bomb.docx"), readFileSync(zip));
  expect(await text(join(dir, "bomb.docx"))).toBe("document: word/document.xml unpacks to more than 32MB");
});

test("a document that was made to be slow is not", async () => {
  const traps = [
    "<!--".repeat(500_000),
    '<w:p "'.repeat(300_000),
    "<![CDATA[".repeat(200_000),
    "<mc:Fallback>".repeat(150_000),
    `<w:p ${"a".repeat(2_000_000)}>`,
    `<w:t>a${" ".repeat(2_000_000)}b</w:t></w:p>`,
    "&".repeat(2_000_000),
  ];
  const began = process.cpuUsage();
  for (const trap of traps) {
    const zip = join(dir, "slow.zip");
    await writeMember(zip, { name: "word/document.xml", bytes: Buffer.from(trap), changed: 0 });
    writeFileSync(join(dir, "slow.docx"), readFileSync(zip));
    expect(await readDocument(join(dir, "slow.docx"), signal)).toMatchObject({ ok: true });
  }
  writeFileSync(join(dir, "slow.rtf"), `{\\rtf1 ${"{".repeat(3_000_000)}deep`);
  expect(await text(join(dir, "slow.rtf"))).toBe("deep");
  expect(cpuSince(began)).toBeLessThan(10_000);
}, 120_000);

test("a stopped reading says that it was stopped", async () => {
  expect(await readDocument(join(data, "letter.pdf"), AbortSignal.abort())).toMatchObject({
    ok: false,
    kind: "aborted",
  });
});

test("XML is walked in the order it is written, and no entity is fetched", () => {
  const seen: string[] = [];
  walkXml(
    `<?xml version="1.0"?><!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><n:a b='1 &gt; "0"'>x&amp;<c/><![CDATA[<d>]]>&#65;&#x42;&x;</n:a>`,
    {
      open: { a: (attributes) => seen.push(`<a ${JSON.stringify(attributes)}`), c: () => seen.push("<c") },
      close: { a: () => seen.push("/a"), c: () => seen.push("/c") },
      text: (part) => seen.push(part),
    },
  );
  expect(seen.filter((part) => part !== "]>")).toEqual([
    '<a {"b":"1 > \\"0\\""}',
    "x&",
    "<c",
    "/c",
    "<d>",
    "AB&x;",
    "/a",
  ]);
});
