import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type EntryDraft, fileStorage, Journal } from "@pith/agent";
import { clock, picture, recordsIn, work } from "../../test/record.ts";

const root = mkdtempSync(join(tmpdir(), "pith-export-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));
const desk = () => recordsIn(root);

test("an export as a page holds everything and no markup of the session", async () => {
  const { pith, record, home } = desk();
  const { id } = await record(work);
  const file = join(home, "x.html");
  expect(await pith("export", id, "--html", "--out", file)).toMatchObject({ code: 0, out: "", err: "" });
  const page = readFileSync(file, "utf8");
  expect(page).toContain("fix &#60;b&#62;it&#60;/b&#62; &#38; go");
  expect(page).not.toContain("<script>alert");
  expect(page).not.toContain("\u001b");
  expect(page).toContain('<span class="added">+new</span>');
  expect(page).toContain(`src="data:image/png;base64,${picture}"`);
  expect(page).not.toMatch(/(?:src|href)="https?:/);
  expect(page).toContain("default-src 'none'");
});

test("an export as text and as data holds what was said, done and shown", async () => {
  const { pith, record } = desk();
  const { id } = await record(work);
  const text = (await pith("export", id, "--md")).out;
  for (const part of [
    "fix <b>it</b> & go",
    "```diff\n@@ -1 +1 @@\n-old\n+new\n```",
    `data:image/png;base64,${picture}`,
  ])
    expect(text).toContain(part);
  const data = JSON.parse((await pith("export", id, "--json")).out);
  expect(data.entries).toHaveLength(4);
  expect(data.entries[3].message.content[0].data).toBe(picture);
});

test("a session file is exported with references, or with the images in it", async () => {
  const { pith, record, home } = desk();
  const { id, file } = await record(work);
  expect((await pith("export", id, "--jsonl")).out).toBe(readFileSync(file, "utf8"));
  const inline = (await pith("export", id, "--jsonl", "--inline")).out;
  expect(readFileSync(file, "utf8")).toContain("blob:sha256:");
  expect(inline).not.toContain("blob:sha256:");
  const copy = join(home, "copy.jsonl");
  writeFileSync(copy, inline);
  const opened = Journal.open({ storage: fileStorage(copy), clock, onFault: () => {} });
  expect(opened.ok && JSON.stringify(opened.value.journal.tree.pathTo())).toContain(picture);
  expect((await pith("export", id, "--md", "--inline")).code).toBe(2);
});

test("an export never replaces its own session, and leaves what was there when it fails", async () => {
  const { pith, record, cwd } = desk();
  const { file, id } = await record(work);
  const before = readFileSync(file);
  symlinkSync(file, join(cwd, "link.md"));
  expect(await pith("export", id, "--md", "--out", file)).toMatchObject({
    code: 2,
    err: "pith: --out names the session itself\n",
  });
  expect(await pith("export", id, "--md", "--out", "link.md")).toMatchObject({ code: 2 });
  expect(readFileSync(file).equals(before)).toBe(true);
  expect(await pith("export", id, "--md", "--out", "out.md")).toMatchObject({ code: 0 });
  expect(readdirSync(cwd).toSorted()).toEqual(["link.md", "out.md"]);
  expect(await pith("export", id, "--md", "--out", "no/such/folder.md")).toMatchObject({ code: 1 });
});

test("messages of every role of a relative are in an export, and nothing in it is obeyed", async () => {
  const { pith, record } = desk();
  const odd = (message: object): EntryDraft => ({ type: "message", message }) as unknown as EntryDraft;
  const { id } = await record([
    odd({ role: "pythonExecution", code: "print(1)", output: "one", exitCode: 1 }),
    odd({ role: "fileMention", files: [{ path: "notes.md", content: "attached text" }, null] }),
    odd({ role: "custom", customType: "hint", content: "of an extension", display: true }),
    odd({ role: "custom", customType: "hidden", content: "not to be seen", display: false }),
    odd({ role: "compactionSummary", summary: "it was long" }),
    odd({ role: "assistant", content: [], model: "m\u001b[31m\nx" }),
    { type: "session_info", name: "a\u001b]0;title\u0007 name\nof two lines" },
  ]);
  const { out } = await pith("export", id, "--md");
  for (const text of [
    "print(1)",
    "one",
    "attached text",
    "of an extension",
    "it was long",
    "# a name of two lines",
    "## m x",
  ])
    expect(out).toContain(text);
  expect(out).not.toContain("not to be seen");
  expect(out).not.toContain("\u001b");
  expect((await pith("export", id, "--html")).out).not.toContain("\u001b");
});
