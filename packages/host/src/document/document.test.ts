import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { cpuSince } from "@pith/kit/test";
import { writeMember } from "../archive/archive.ts";
import { readDocument } from "./document.ts";
import { walkXml } from "./xml.ts";

const dir = mkdtempSync(join(tmpdir(), "pith-document-"));
afterAll(() => rmSync(dir, { recursive: true }));
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
    expect(got).toContain("# Results\n\nSales rose by **12 %** in the *north*, see [the site](https://example.com/a?b=1&c=2).\n\n## By region");
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
  expect(await text(join(data, "letter.pdf"))).toBe("<!-- Page 1 -->\nDear reader,\nthis is page one.\n\n<!-- Page 2 -->\nAnd this is page two.");
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
  expect(await text(join(dir, "x.doc"))).toBe("document: the format before .docx is not understood; save it as .docx first");
  expect(await text(join(dir, "gone.pdf"))).toBe("document: no such file or directory");
});

test("a document that unpacks to absurdly much is refused in little memory", async () => {
  const zip = join(dir, "bomb.zip");
  expect(await writeMember(zip, { name: "word/document.xml", bytes: Buffer.alloc(60 * 1024 * 1024, 32), changed: 0 })).toMatchObject({ ok: true });
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
}, 60_000);

test("a stopped reading says that it was stopped", async () => {
  expect(await readDocument(join(data, "letter.pdf"), AbortSignal.abort())).toMatchObject({ ok: false, kind: "aborted" });
});

test("XML is walked in the order it is written, and no entity is fetched", () => {
  const seen: string[] = [];
  walkXml(`<?xml version="1.0"?><!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><n:a b='1 &gt; "0"'>x&amp;<c/><![CDATA[<d>]]>&#65;&#x42;&x;</n:a>`, {
    open: { a: (attributes) => seen.push(`<a ${JSON.stringify(attributes)}`), c: () => seen.push("<c") },
    close: { a: () => seen.push("/a"), c: () => seen.push("/c") },
    text: (part) => seen.push(part),
  });
  expect(seen.filter((part) => part !== "]>")).toEqual(['<a {"b":"1 > \\"0\\""}', "x&", "<c", "/c", "<d>", "AB&x;", "/a"]);
});
