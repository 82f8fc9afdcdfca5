import { afterAll, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runIn } from "../../test/command.ts";
import { clock, recordsIn, said, work } from "../../test/record.ts";

const root = mkdtempSync(join(tmpdir(), "pith-sessions-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));
const desk = () => recordsIn(root);

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
  expect((await pith("sessions", "--until", "2020-01-01")).err).toBe("pith: no session is of that time\n");
  expect(cwd).not.toBe("/elsewhere");
});

test("a narrow window shows what a session is about, and gives up its size and its time first", async () => {
  const { record, home, cwd } = desk();
  await record([said("mend the walrus, please, and then rest")]);
  const at = async (COLUMNS: string) =>
    (await runIn(root, ["sessions"], { home, cwd, clock, env: { COLUMNS }, outIs: "device" })).out.trimEnd();
  expect(await at("40")).toMatch(/^\S{8} {2}mend the walrus, please, an.*…$/);
  expect(await at("48")).toMatch(/^\S{8} {2}\d{4}-\S+ \d\d:\d\d {2}mend the walrus, pl…$/);
  expect(await at("80")).toMatch(/\dB {2}mend the walrus/);
});

test("what is found stays inside a narrow window, whole words and all", async () => {
  const { record, home, cwd } = desk();
  await record([said(`the walrus ${"and the carpenter ".repeat(6)}end`)]);
  const desktop = { home, cwd, clock, env: { COLUMNS: "40" }, outIs: "device" } as const;
  const { out } = await runIn(root, ["sessions", "walrus"], desktop);
  expect(out).toContain("carpenter end");
  for (const line of out.split("\n")) expect(line.length).toBeLessThanOrEqual(40);
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

test("what would turn the order of a line round is seen in a title, a name and an excerpt", async () => {
  const { pith, record } = desk();
  await record([said("a walrus \u202egnp.exe")]);
  await record([said("a walrus \u2066too"), { type: "session_info", name: "name\u202edlo" }]);
  const { out } = await pith("sessions");
  expect(out).toContain("a walrus <202e>gnp.exe");
  expect(out).toContain("name<202e>dlo");
  expect((await pith("sessions", "walrus")).out).toContain("a walrus <2066>too");
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
