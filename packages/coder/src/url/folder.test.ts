import { afterAll, beforeEach, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { openArtifacts } from "@pith/agent";
import { capabilitiesIn } from "../test/capabilities.ts";
import { Conflicts } from "./conflicts.ts";
import { Router } from "./router.ts";

const top = realpathSync(mkdtempSync(join(tmpdir(), "pith-folder-")));
afterAll(() => rmSync(top, { recursive: true }));
const at = (path: string) => join(top, path);
const put = (path: string, content = "secret") => {
  mkdirSync(dirname(at(path)), { recursive: true });
  writeFileSync(at(path), content);
};
const link = (path: string, to: string) => {
  mkdirSync(dirname(at(path)), { recursive: true });
  symlinkSync(to, at(path));
};
beforeEach(() => {
  for (const path of ["project", "home", "sessions"]) rmSync(at(path), { recursive: true, force: true });
});

const { signal } = new AbortController();
const router = () =>
  new Router({
    artifacts: openArtifacts(at("sessions/s.jsonl")),
    sessionDir: at("sessions/s"),
    project: at("project"),
    home: at("home"),
    conflicts: new Conflicts(),
    capabilities: capabilitiesIn(at("project"), at("home"), at("user")),
  });
const opened = async (href: string) => {
  const got = await router().resolve(href, signal);
  return got.ok ? got.value.file : undefined;
};

// Everything that an address could be made to lead to.
put("outside/deploy/SKILL.md", "---\ndescription: d\n---\nsecret");
put("outside/key");
put("outside/key.md");
put("outside/key.json");
put("outside/key.jsonl");
put("outside/0.bash.log");

/** Names of built-in items. */
const own = readdirSync(join(import.meta.dir, "../capability/builtin")).map(
  (file) => `rule://${basename(file, ".md")}`,
);

/** The folder of each scheme, and an address in it. What users keep for themselves they may keep anywhere. */
const schemes = [
  { base: "project/.pith/skills", hrefs: ["skill://deploy", "skill://deploy/SKILL.md"], dir: "deploy" },
  { base: "project/.pith/rules", hrefs: ["rule://key", "rule://deploy/SKILL"], dir: "deploy", file: "key.md" },
  { base: "home/memory", hrefs: ["memory://key", "memory://deploy/SKILL.md"], dir: "deploy", file: "key" },
  { base: "sessions/s/local", hrefs: ["local://key", "local://deploy/SKILL.md"], dir: "deploy", file: "key" },
  { base: "sessions/s", hrefs: ["agent://key", "history://key", "artifact://0"], file: "key.json" },
];

test("a folder that is a link to somewhere else has no addresses", async () => {
  for (const { base, hrefs } of schemes) {
    link(base, at("outside"));
    for (const href of hrefs) {
      expect([base, href, await opened(href)]).toEqual([base, href, undefined]);
      const scheme = `${href.slice(0, href.indexOf(":"))}://`;
      const names = (await router().names(scheme)).filter((name) => name !== scheme);
      expect(names.filter((name) => !own.includes(name))).toEqual([]);
    }
    rmSync(at(base));
    rmSync(at("sessions"), { recursive: true, force: true });
    rmSync(at("project"), { recursive: true, force: true });
  }
  link("project/.pith", at("outside"));
  put("outside/skills/deploy/SKILL.md");
  expect(await opened("skill://deploy")).toBeUndefined();
});

test("a link to the root of the disk as the folder of skills shows no file of the machine", async () => {
  link("project/.pith/skills", "/");
  expect(await opened("skill://etc/passwd")).toBeUndefined();
  link("project/.pith/rules", "/etc");
  expect(await opened("rule://passwd")).toBeUndefined();
});

test("a directory or a file in a folder that is a link to somewhere else is not shown", async () => {
  for (const { base, hrefs, dir, file } of schemes) {
    mkdirSync(at(base), { recursive: true });
    if (dir) link(`${base}/${dir}`, at(`outside/${dir}`));
    if (file) link(`${base}/${file}`, at(`outside/${file}`));
    if (base === "sessions/s")
      for (const name of ["key.jsonl", "0.bash.log"]) link(`${base}/${name}`, at(`outside/${name}`));
    for (const href of hrefs) expect([base, href, await opened(href)]).toEqual([base, href, undefined]);
    rmSync(at(base), { recursive: true });
  }
});

test("the file of a skill that is a link to somewhere else is not shown", async () => {
  link("project/.pith/skills/deploy/SKILL.md", at("outside/key"));
  expect(await opened("skill://deploy")).toBeUndefined();
});

test("a project cannot lead into pith's home either", async () => {
  put("home/auth/SKILL.md", "key");
  link("project/.pith/skills", at("home"));
  expect(await opened("skill://auth")).toBeUndefined();
});

test("a session's folder that is a link is refused, also beside its record", async () => {
  put("sessions/private/key.json");
  link("sessions/s", "private");
  expect(await opened("agent://key")).toBeUndefined();
});

test("a folder may be a link to another place of the same project, and the project a link itself", async () => {
  put("project/shared/skills/deploy/SKILL.md", "---\ndescription: d\n---\nours");
  link("project/.pith/skills", "../shared/skills");
  expect(await opened("skill://deploy")).toBe(at("project/.pith/skills/deploy/SKILL.md"));
  put("elsewhere/rules/tidy.md", "be tidy");
  link("home", at("elsewhere"));
  expect(await opened("rule://tidy")).toBe(at("home/rules/tidy.md"));
});

test("nothing is written through a link in the scratch directory", async () => {
  link("sessions/s/local", at("outside"));
  expect(await router().target("local://new.txt")).toMatchObject({ ok: false });
  rmSync(at("sessions/s/local"));
  link("sessions/s/local/out", at("outside"));
  link("sessions/s/local/key", at("outside/key"));
  link("sessions/s/local/fresh", at("outside/fresh"));
  for (const href of ["local://out/new.txt", "local://key", "local://fresh", "local://../x"])
    expect(await router().target(href)).toMatchObject({ ok: false });
  expect(await router().target("local://fine/new.txt")).toEqual({
    ok: true,
    value: at("sessions/s/local/fine/new.txt"),
  });
});

test("what is there instead of a missing name is not looked for behind links", async () => {
  put("outside/tree/hidden.md");
  for (const { base } of schemes) link(`${base}/linked`, at("outside/tree"));
  put("home/memory/kept/note.md", "x");
  const said = async (href: string) => {
    const got = await router().resolve(href, signal);
    return got.ok ? got.value.text : got.message;
  };
  for (const href of ["memory://none", "rule://none", "skill://none", "local://none", "agent://none", "local://"])
    expect(await said(href)).not.toContain("hidden");
  expect(await said("memory://")).toBe("kept/note.md");
});
