import { afterAll, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openArtifacts } from "@pith/agent";
import { capabilitiesIn } from "../test/capabilities.ts";
import { Conflicts } from "./conflicts.ts";
import { findRegions } from "./marker.ts";
import { Router } from "./router.ts";

const dir = mkdtempSync(join(tmpdir(), "pith-builtin-"));
afterAll(() => rmSync(dir, { recursive: true }));
const put = (path: string, content: string) => {
  mkdirSync(join(dir, path, ".."), { recursive: true });
  writeFileSync(join(dir, path), content);
};
const router = new Router({
  artifacts: openArtifacts(join(dir, "s.jsonl")),
  sessionDir: join(dir, "s"),
  project: join(dir, "project"),
  home: join(dir, "home"),
  conflicts: new Conflicts(),
  capabilities: capabilitiesIn(join(dir, "project"), join(dir, "home"), join(dir, "user")),
});
const { signal } = new AbortController();
const get = async (href: string) => {
  const got = await router.resolve(href, signal);
  return got.ok ? got.value : got.message;
};

/** Shows the file behind an address. */
const shown = async (href: string) => {
  const got = await get(href);
  if (typeof got === "string" || got.file === undefined) return got;
  const text = got.extract?.(readFileSync(got.file, "utf8"));
  return text?.ok ? text.value : text?.message;
};

test("an unknown scheme lists the known ones, one without a source says why", async () => {
  expect(await get("zzz://a")).toBe(
    "Unknown scheme zzz://. Supported: agent://, artifact://, conflict://, history://, local://, memory://, pith://, rule://, skill://",
  );
  expect(await get("mcp://x")).toBe("mcp:// is not available: no MCP server is connected");
  expect(await get("toString://x")).toStartWith("Unknown scheme tostring://");
});

test("the scratch directory of a session is read by name, says where a write goes, and keeps inside", async () => {
  expect(await get("local://")).toEqual({ text: "(empty directory)" });
  put("s/local/notes/a.md", "häß");
  expect(await get("local://notes/a.md")).toEqual({ file: join(dir, "s", "local", "notes", "a.md") });
  expect(await get("local://")).toEqual({ text: "notes/a.md" });
  expect(await get("local://b")).toBe("local://b not found. Available: notes/a.md");
  expect(await get("local://../0.log")).toBe("../0.log leads out of its directory");
  symlinkSync("/etc", join(dir, "s", "local", "out"));
  expect(await router.target("local://out/x")).toMatchObject({
    ok: false,
    message: "out/x leads out of its directory",
  });
  expect(await router.target("local://notes/new.md")).toEqual({ ok: true, value: join(dir, "s/local/notes/new.md") });
  expect(await router.target("memory://x")).toMatchObject({ ok: false, message: expect.stringContaining("read-only") });
  expect(await router.target("local://")).toMatchObject({ ok: false });
  expect(await router.target("local://folder/")).toMatchObject({
    ok: false,
    message: "local:// needs the name of a file",
  });
});

test("skills, rules and memory are read by name, the project's before the user's", async () => {
  put("project/.pith/skills/deploy/SKILL.md", "---\ndescription: d\n---\nours");
  put("home/skills/deploy/SKILL.md", "---\ndescription: d\n---\ntheirs");
  put("project/.pith/skills/deploy/run.sh", "#!/bin/sh");
  put("home/rules/no-any.md", "never");
  put("home/memory/summary.md", "kept");
  expect(await get("skill://deploy")).toEqual({
    file: join(dir, "project/.pith/skills/deploy/SKILL.md"),
    whole: "always",
  });
  expect(await get("skill://deploy/run.sh")).toEqual({ file: join(dir, "project/.pith/skills/deploy/run.sh") });
  expect(await get("skill://other")).toBe("skill://other not found. Available: deploy");
  expect(await get("skill://deploy/../../../x")).toContain("not found");
  expect(await get("rule://no-any")).toEqual({ file: join(dir, "home/rules/no-any.md") });
  expect(await get("memory://summary")).toEqual({ file: join(dir, "home/memory/summary.md") });
  expect(await get("memory://../rules/no-any.md")).toBe("../rules/no-any.md leads out of its directory");
  expect(await router.target("rule://no-any")).toMatchObject({
    ok: false,
    message: "rule:// is read-only: rule://no-any was not written",
  });
});

test("an agent's answer is read whole or in part", async () => {
  put("s/Scout.json", '{"a":{"b":[{"c":"deep"},{"c":2}]}}');
  put("s/Writer.md", "prose");
  expect(await get("agent://Scout")).toEqual({ file: join(dir, "s", "Scout.json") });
  expect(await get("agent://Scout/a/b")).toMatchObject({ file: join(dir, "s", "Scout.json"), whole: "extract" });
  expect(await shown("agent://Scout/a/b")).toContain("deep");
  expect(await shown("agent://Scout?q=a.b[0].c")).toBe("deep");
  expect(await shown("agent://Scout?q=a.x")).toBe("agent://Scout: there is no a.x; there is b");
  expect(await shown("agent://Writer?q=a")).toContain("its output is not JSON");
  expect(await get("agent://Nobody")).toBe("Not found: Nobody. Available: Scout, Writer");
  expect(await get("agent://Scout/a?q=b")).toBe("agent://Scout: give a path or ?q=, not both");
  expect(await shown("agent://Scout/constructor")).toContain("there is no constructor");
});

test("a history is the record as a short transcript, torn lines left out", async () => {
  const lines = [
    { type: "session" },
    { type: "message", message: { role: "user", content: "go" } },
    {
      type: "message",
      message: {
        role: "assistant",
        content: [
          { type: "text", text: "ok" },
          { type: "toolCall", name: "read", arguments: { path: "a" } },
        ],
      },
    },
    {
      type: "message",
      message: { role: "toolResult", toolName: "read", content: [{ type: "text", text: "x".repeat(500) }] },
    },
  ];
  put("s/Scout.jsonl", `${lines.map((line) => JSON.stringify(line)).join("\n")}\n{"type":"mess`);
  expect(await shown("history://Scout")).toBe(
    `user: go\n\nassistant: ok\n→ read {"path":"a"}\n\ntoolResult read: ${"x".repeat(299)}…`,
  );
});

test("the documentation is carried inside, all of it", async () => {
  const pages = readdirSync(join(import.meta.dir, "../../../../docs"), { recursive: true })
    .map(String)
    .filter((name) => name.endsWith(".md"));
  expect(await router.names("pith://")).toEqual(pages.sort().map((name) => `pith://${name}`));
  expect(await get("pith://cli")).toMatchObject({ text: expect.stringContaining("pith") });
});

test("the documentation is also found by its older scheme", async () => {
  expect(await get("docs://tools/read")).toEqual(await get("pith://tools/read"));
});

const merged =
  "a\n<<<<<<< HEAD\nours\n||||||| base\nold\n=======\ntheirs\n>>>>>>> topic\nb\n<<<<<<< HEAD\n=======\nx\n>>>>>>> topic\n";

test("a conflict and its sides are read by number", async () => {
  router.conflicts.record("/a", findRegions(merged));
  expect(await get("conflict://1/base")).toEqual({ text: "old\n" });
  expect(await get("conflict://2/base")).toBe("Conflict 2 has no base: the merge did not record one");
  expect(await get("conflict://9")).toBe('Conflict "9" not found. Known: 1, 2');
});
