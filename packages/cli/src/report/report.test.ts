import { expect, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { scratch } from "@pith/kit/test";
import { loadAdmin } from "@pith/llm";
import { logLines, reported, systemFacts, writeReport } from "./report.ts";

test("a report holds session, outputs, log and system, byte for byte, and no key that pith knows of", async () => {
  using dir = scratch();
  const home = dir.at("home");
  const random = Buffer.from(Array.from({ length: 2000 }, (_, at) => (at * 131) % 256));
  const log = Array.from({ length: 1500 }, (_, at) => `{"line":${at}}`).join("\n");
  dir.write({
    "home/logs/pith.log": `${log}\n{"said":"kept-in-store-0123456789"}\n`,
    "s/a.jsonl": '{"type":"session"}\n{"said":"my env-value-123 and sk-abcdefghijklmnop1234"}\n',
    "s/a/1.txt": "kept-in-store-0123456789",
    "outside/secret": "do not read me",
  });
  mkdirSync(dir.at("s/a/2"));
  writeFileSync(dir.at("s/a/2/picture.bin"), random);
  symlinkSync(dir.at("outside/secret"), dir.at("s/a/link.txt"));
  const { openKeyStore, keyStoreFile } = await loadAdmin();
  const store = await openKeyStore(keyStoreFile(home), "is made");
  if (!store.ok || !store.value) throw new Error("no store");
  store.value.add({ vendor: "v", kind: "key", label: "", secret: "kept-in-store-0123456789", now: 1 });
  store.value[Symbol.dispose]();
  const io = { env: { MY_API_KEY: "env-value-123" }, home, cwd: dir.path, clock: { now: () => 1_700_000_000_000 } };
  const file = await writeReport({ io, session: dir.at("s/a.jsonl") });
  try {
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const out = dir.at("out");
    mkdirSync(out);
    expect(spawnSync("tar", ["-xzf", file, "-C", out]).status).toBe(0);
    const read = (name: string) => readFileSync(`${out}/${name}`, "utf8");
    expect(readFileSync(`${out}/artifacts/2/picture.bin`).equals(random)).toBe(true);
    expect(read("artifacts/1.txt")).toBe("[removed]");
    expect(read("session.jsonl")).toContain('{"said":"my [removed] and [removed]"}');
    expect(read("pith.log").trimEnd().split("\n")).toHaveLength(1000);
    expect(read("pith.log")).not.toContain("kept-in-store");
    expect(read("system.txt")).toStartWith("pith ");
    expect(spawnSync("tar", ["-tzf", file]).stdout.toString()).not.toContain("link.txt");
  } finally {
    rmSync(dirname(file), { recursive: true });
  }
  expect(systemFacts(io).join("\n")).not.toContain("env-value-123");
  const lines = await logLines(io, 50);
  expect([lines.length, lines.at(-1)]).toEqual([50, '{"said":"[removed]"}']);
});

test("a report has the ten newest sub-agents wherever they are, and names of any length", async () => {
  using dir = scratch();
  const stamp = (i: number) =>
    `2026-01-01T00-00-${String(i).padStart(2, "0")}-000Z_01a1ef2b-3ba1-7b3a-ab7c-4ec010a0de42`;
  const deep = `${stamp(1)}/${stamp(13)}.jsonl`;
  dir.write({ "s/a.jsonl": "{}\n", [`s/a/${deep}`]: "deep", [`s/a/${"ü".repeat(110)}.txt`]: "wide" });
  for (let i = 1; i <= 12; i++) dir.write({ [`s/a/${stamp(i)}.jsonl`]: `child ${i}` });
  const io = { env: {}, home: dir.at("home"), cwd: dir.path, clock: { now: () => 0 } };
  const more = { "note.txt": "sk-abcdefghijklmnop1234" };
  const file = await writeReport({ io, session: dir.at("s/a.jsonl"), more });
  try {
    const listed = spawnSync("tar", ["-tzf", file]).stdout.toString().split("\n");
    const children = listed.filter((name) => name.endsWith(".jsonl") && name !== "session.jsonl");
    expect(children).toHaveLength(10);
    expect(children).toContain(`artifacts/${deep}`);
    expect(children).not.toContain(`artifacts/${stamp(3)}.jsonl`);
    expect(spawnSync("tar", ["-xzOf", file, `artifacts/${deep}`]).stdout.toString()).toBe("deep");
    expect(spawnSync("tar", ["-xzOf", file, "note.txt"]).stdout.toString()).toBe("[removed]");
    expect(listed.filter((name) => name.endsWith(".txt"))).toHaveLength(3);
  } finally {
    rmSync(dirname(file), { recursive: true });
  }
});

test("a report of nothing is a report, and one that cannot be written says so", async () => {
  using dir = scratch();
  const io = { env: {}, home: dir.at("home"), cwd: dir.path, clock: { now: () => 0 } };
  const { text, failed } = await reported({ io, session: undefined });
  expect([failed, text.includes("pith-report-1970")]).toEqual([false, true]);
  rmSync(dirname(/The report is (\S+)/.exec(text)?.[1] ?? ""), { recursive: true });
  const before = process.env.TMPDIR;
  process.env.TMPDIR = dir.at("nowhere");
  try {
    expect(await reported({ io, session: undefined })).toMatchObject({ failed: true });
  } finally {
    if (before === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = before;
  }
});
