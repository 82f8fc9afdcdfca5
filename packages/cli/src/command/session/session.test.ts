import { afterAll, expect, test } from "bun:test";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bucket, type Draft, fileBlobs, fileName, fileStorage, Journal, lastSession } from "@pith/agent";
import { assistant, call, fakeIo, result } from "../../test/fake.ts";
import { run } from "../run.ts";

const root = mkdtempSync(join(tmpdir(), "pith-commands-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));
let made = 0;
let time = Date.parse("2026-03-01T00:00:00Z");
const clock = { now: () => (time += 70_000) };

/** A home with its sessions, and the command line in front of it. */
function desk() {
  const home = join(root, String(made++));
  const cwd = join(home, "project");
  mkdirSync(cwd, { recursive: true });
  const pith = async (...argv: string[]) => {
    const io = fakeIo({ home, cwd, userHome: join(home, "user"), clock });
    const code = await run(argv, io);
    return { code, out: io.printed(), err: io.complained() };
  };
  const record = async (drafts: Draft[], where = cwd) => {
    const blobs = fileBlobs(join(home, "blobs"), () => time);
    const journal = Journal.create(
      {
        clock,
        blobs,
        onFault: () => {},
        storage: (header) => fileStorage(join(bucket(join(home, "sessions"), where), fileName(header))),
      },
      { cwd: where },
    );
    journal.appendAll(drafts);
    await journal.close();
    return { file: journal.file ?? "", id: journal.header.id, journal };
  };
  return { home, cwd, pith, record };
}
const said = (text: string): Draft => ({ type: "message", message: { role: "user", content: text, timestamp: 0 } });
const picture = Buffer.alloc(1200, 9).toString("base64");
const work: Draft[] = [
  said("fix <b>it</b> & go"),
  {
    type: "message",
    message: assistant([
      { type: "text", text: "see `x` and\n```\n<script>alert(1)</script>\n```" },
      call("c1", "edit", { path: "a.ts" }),
    ]),
  },
  {
    type: "message",
    message: result("c1", "edit", "done\u001b[31m", {
      details: {
        kind: "diff",
        files: [{ path: "a.ts", change: "modified", added: 1, removed: 1, patch: "@@ -1 +1 @@\n-old\n+new" }],
      },
    }),
  },
  {
    type: "message",
    message: { role: "user", content: [{ type: "image", data: picture, mimeType: "image/png" }], timestamp: 0 },
  },
];

test("sessions are listed, the newest first, and only those that were asked for", async () => {
  const { pith, record, cwd } = desk();
  const first = await record([said("in the project")]);
  const other = await record([said("elsewhere")], "/elsewhere");
  const all = await pith("sessions");
  expect(all.out.trim().split("\n")).toHaveLength(2);
  expect(all.out).toContain(`elsewhere  [/elsewhere]`);
  expect((await pith("sessions", "--here")).out).toContain(first.id.slice(0, 8));
  expect((await pith("sessions", "--project", "..")).out).not.toContain("elsewhere");
  expect(JSON.parse((await pith("sessions", "--json", "--project", "/elsewhere")).out)).toMatchObject({
    id: other.id,
    cwd: "/elsewhere",
    first: "elsewhere",
  });
  expect((await pith("sessions", "--since", "yesterday-ish")).code).toBe(2);
  expect((await pith("sessions", "--limit", "1")).err).toContain("1 more");
  expect(cwd).not.toBe("/elsewhere");
});

test("what was said anywhere is found, and a search without a hit exits with 1", async () => {
  const { pith, record } = desk();
  const { id } = await record([said("a walrus\u001b[2J appears"), ...work]);
  const found = await pith("sessions", "walrus");
  expect(found.out).toStartWith(`${id.slice(0, 8)}#`);
  expect(found.out).not.toContain("\u001b");
  expect((await pith("sessions", "--file", "a.ts", "--tool", "edit", "--json")).out.trim().split("\n")).toHaveLength(2);
  expect(await pith("sessions", "nothing-like-it")).toMatchObject({ code: 1, out: "" });
});

test("whatever page of the index of all sessions is damaged, the search finds what is there", async () => {
  const { pith, record, home } = desk();
  await record(Array.from({ length: 400 }, (_, at) => said(`walrus number ${at}`)));
  await pith("sessions", "walrus");
  const file = join(home, "search.db");
  const bytes = readFileSync(file);
  const told: string[] = [];
  for (let page = 0; page < bytes.length; page += 4096) {
    const hurt = Buffer.from(bytes);
    hurt.fill(0x55, page, page + 4096);
    for (const end of ["-wal", "-shm"]) rmSync(`${file}${end}`, { force: true });
    writeFileSync(file, hurt);
    const found = await pith("sessions", "walrus", "--limit", "3");
    expect({ page, hits: found.out.match(/walrus/g)?.length, err: found.err }).toMatchObject({ hits: 3 });
    told.push(found.err);
  }
  expect(told.some((text) => text.includes("built anew"))).toBe(true);
});

test("a session is renamed, pinned, forked, moved, deleted and restored by the beginning of its id", async () => {
  const { pith, record, home } = desk();
  const { id, file } = await record(work);
  expect(await pith("session", "rename", id.slice(0, 13), "a", "better", "name")).toMatchObject({ code: 0 });
  expect((await pith("session", "pin", id)).out).toBe("pinned\n");
  expect((await pith("sessions")).out).toContain("* a better name");
  const forked = (await pith("session", "fork", id)).out.trim();
  expect(readFileSync(forked, "utf8").split("\n")).toHaveLength(readFileSync(file, "utf8").split("\n").length);
  mkdirSync(join(home, "project", "sub"));
  const moved = (await pith("session", "move", forked, "sub")).out.trim();
  expect(existsSync(forked)).toBe(false);
  expect((await pith("sessions", "--project", "sub", "--json")).out).toContain(moved);
  expect((await pith("session", "delete", id)).err).toContain("restore");
  expect((await pith("session", "path", id)).code).toBe(2);
  expect((await pith("session", "restore", id.slice(0, 20))).out.trim()).toBe(file);
  expect((await pith("session", "path", id)).out.trim()).toBe(file);
});

test("wrong words are told and change nothing", async () => {
  const { pith, record } = desk();
  const { id } = await record(work);
  for (const argv of [
    ["session", "renme", id],
    ["session", "rename", id],
    ["session", "pin"],
    ["session", "restore"],
    ["session", "pin", id, "x"],
    ["export", id],
    ["export", id, "--md", "--html"],
    ["import", "other", "x"],
    ["import", "claude"],
    ["gc", "x"],
    ["replay"],
    ["session", "path", "zzz"],
  ]) {
    expect(await pith(...argv)).toMatchObject({ code: 2, out: "" });
  }
});

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

test("a recorded session is replayed, and one that does not come out the same exits with 1", async () => {
  const { pith, record } = desk();
  const good = await record([
    said("hi"),
    { type: "message", message: assistant([{ type: "text", text: "hello\u001b[2J" }]) },
  ]);
  const shown = await pith("replay", good.id);
  expect(shown).toMatchObject({ code: 0, err: "" });
  expect(shown.out).toBe("> hi\nhello\n");
  expect(
    (await pith("replay", good.id, "--json")).out.split("\n").map((line) => (line ? JSON.parse(line).type : "")),
  ).toContain("agent_settled");
  const odd = await record([
    said("hi"),
    { type: "message", message: assistant([call("c1", "edit", {})]) },
    said("and?"),
  ]);
  expect(await pith("replay", odd.id, "--check")).toMatchObject({
    code: 1,
    out: "",
    err: expect.stringContaining("message 3"),
  });
});

test("sessions of Claude Code are brought in, each once", async () => {
  const { pith, home } = desk();
  const folder = join(home, "user", ".claude", "projects", "-p");
  mkdirSync(folder, { recursive: true });
  const line = {
    type: "user",
    uuid: "u",
    parentUuid: null,
    sessionId: "11111111-2222-4333-8444-555555555555",
    cwd: "/p",
    timestamp: "2026-02-01T10:00:00.000Z",
    message: { role: "user", content: "from claude" },
  };
  writeFileSync(join(folder, "a.jsonl"), `${JSON.stringify(line)}\n`);
  writeFileSync(join(folder, "b.jsonl"), '{"type":"other"}\n');
  expect(await pith("import", "claude", "--all")).toMatchObject({
    code: 0,
    err: expect.stringContaining("1 session imported, 0 known already, 1 without"),
  });
  expect(await pith("import", "claude", "--all")).toMatchObject({
    out: "",
    err: expect.stringContaining("0 sessions imported, 1 known"),
  });
  expect((await pith("sessions", "claude")).out).toContain("from claude");
  expect(await pith("import", "claude", join(folder, "b.jsonl"))).toMatchObject({ code: 1 });
});

test("gc says what it would remove before it does", async () => {
  const { pith, record, home } = desk();
  const { id } = await record(work);
  writeFileSync(join(home, "sessions", "gone.jsonl.idx"), "");
  expect((await pith("gc", "--dry-run")).out).toContain("1 leftover would be removed");
  expect((await pith("gc")).out).toContain("1 leftover removed");
  expect((await pith("export", id, "--md")).out).toContain(picture);
});

test("an export cannot take the place of the session it is made of, and leaves what was there when it fails", async () => {
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

test("a hit is named so that it can be gone on with, though other sessions begin alike", async () => {
  const { pith, record } = desk();
  const texts = ["needle", "hay", "straw"];
  for (const text of texts) await record([said(text)]);
  const { out } = await pith("sessions", "needle");
  const [id = ""] = out.split("#");
  expect((await pith("session", "path", id)).code).toBe(0);
});

test("a search is narrowed to this directory, and to a project", async () => {
  const { pith, record, cwd } = desk();
  await record([said("needle here")]);
  await record([said("needle below")], join(cwd, "sub"));
  await record([said("needle elsewhere")], "/elsewhere");
  const found = async (...flags: string[]) =>
    [...(await pith("sessions", "needle", ...flags)).out.matchAll(/needle (\w+)/g)]
      .map(([, where]) => where)
      .toSorted();
  expect(await found()).toEqual(["below", "elsewhere", "here"]);
  expect(await found("--here")).toEqual(["here"]);
  expect(await found("--project", ".")).toEqual(["below", "here"]);
});

test("calls of a tool and answers of a model are found without a word of theirs", async () => {
  const { pith, record } = desk();
  await record(work);
  await record([said("nothing was done")]);
  expect((await pith("sessions", "--tool", "edit")).out).toMatch(/assistant|tool/);
  expect((await pith("sessions", "--tool", "bash")).code).toBe(1);
  expect((await pith("sessions", "--model", "no such")).code).toBe(1);
  expect((await pith("sessions", "--file", "a.ts")).code).toBe(0);
  expect((await pith("sessions", "***")).code).toBe(1);
});

test("sessions are listed and searched where no index can be kept", async () => {
  const { pith, record, home } = desk();
  await record([said("needle")]);
  mkdirSync(join(home, "search.db"));
  expect(await pith("sessions")).toMatchObject({ code: 0, out: expect.stringContaining("needle") });
  expect(await pith("sessions", "needle")).toMatchObject({ code: 0, out: expect.stringContaining("needle") });
});

test("sessions kept elsewhere are listed, exported and restored from there", async () => {
  const { pith, home } = desk();
  const dir = join(home, "elsewhere");
  const there = (...argv: string[]) => pith(...argv, "--session-dir", dir);
  const journal = Journal.create(
    { clock, onFault: () => {}, storage: (header) => fileStorage(join(bucket(dir, "/p"), fileName(header))) },
    { cwd: "/p" },
  );
  journal.append(said("far away"));
  await journal.close();
  const { id } = journal.header;
  expect((await there("sessions")).out).toContain("far away");
  expect((await there("sessions", "away")).code).toBe(0);
  expect((await pith("sessions", "away")).code).toBe(1);
  expect((await there("export", id, "--md")).out).toContain("far away");
  expect((await there("session", "delete", id)).code).toBe(0);
  expect(await there("session", "restore", id)).toMatchObject({ code: 0, out: `${journal.file}\n` });
  expect((await there("session", "restore", "")).code).toBe(2);
  expect((await there("session", "path", "")).code).toBe(2);
});

test("a folder where a session should be is told, by every command", async () => {
  const { pith, cwd } = desk();
  mkdirSync(join(cwd, "odd.jsonl"));
  for (const words of [
    ["export", "odd.jsonl", "--md"],
    ["replay", "odd.jsonl"],
    ["session", "fork", "odd.jsonl"],
    ["session", "rename", "odd.jsonl", "x"],
  ]) {
    const { code, err } = await pith(...words);
    expect(code).toBeGreaterThan(0);
    expect(err).toContain("cannot be read");
  }
});

test("messages of every role that a relative writes are in an export, and nothing in it is obeyed by a terminal", async () => {
  const { pith, record } = desk();
  const odd = (message: object): Draft => ({ type: "message", message }) as unknown as Draft;
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

test("a pipe or a device that is called like a session keeps nobody waiting", async () => {
  const { pith, record, home, cwd } = desk();
  const { file } = await record([said("needle")]);
  const pipe = join(file, "..", "2027-01-01T00-00-00-000Z_ffff.jsonl");
  expect(Bun.spawnSync(["mkfifo", pipe]).exitCode).toBe(0);
  symlinkSync("/dev/zero", join(cwd, "zero.jsonl"));
  for (const name of [pipe, "zero.jsonl"]) {
    expect(await pith("export", name, "--md")).toMatchObject({
      code: 2,
      err: expect.stringContaining("is not a file"),
    });
    expect((await pith("session", "delete", name)).code).toBe(1);
    expect((await pith("session", "fork", name)).code).toBe(1);
    expect((await pith("import", "codex", name)).code).toBe(1);
  }
  expect((await pith("sessions")).out).toContain("needle");
  expect((await pith("sessions", "needle")).code).toBe(0);
  expect((await pith("session", "path", "01")).code).toBe(0);
  expect((await pith("gc")).code).toBe(0);
  expect(lastSession(join(home, "sessions"), cwd)).toBe(file);
}, 120_000);
