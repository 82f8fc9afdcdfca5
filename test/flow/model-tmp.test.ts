// The `/tmp` of a session beside the one of the machine: what a person names of that is seen, and what goes is told.
import { afterAll, expect, test } from "bun:test";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { answers } from "../answers.ts";
import { ask, model } from "../model.ts";
import { need } from "../need.ts";
import { pith, scripted } from "../pith.ts";
import { rpc } from "../rpc.ts";
import { scratch } from "../scratch.ts";

const lacking = need("bwrap") !== undefined;
const folder = mkdtempSync("/tmp/named-");
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const log = join(folder, "error.log");
const other = join(folder, "other.log");
writeFileSync(log, "first\nsecond\n");
writeFileSync(other, "nobody named this\n");
const bash = (command: string) => ({ calls: [{ tool: "bash", input: { command } }] });
const results = (out: string): string[] =>
  out
    .split("\n")
    .filter((line) => line.includes('"role":"toolResult"') && line.includes('"message_end"'))
    .map((line) =>
      JSON.parse(line)
        .message.content.map(({ text = "" }) => text)
        .join(""),
    );

test.skipIf(lacking)(
  "a file of /tmp that the person named is read by every tool and command, no other is",
  async () => {
    using dir = scratch();
    const said = scripted(
      dir,
      { calls: [{ tool: "read", input: { path: log } }] },
      { calls: [{ tool: "search", input: { pattern: "second", paths: [log] } }] },
      bash(`cat ${log}; wc -l < ${log}; cat ${other}; ls ${folder}`),
      { calls: [{ tool: "read", input: { path: other } }] },
      { text: "done" },
    );
    const { out } = await pith(dir, ["-p", `Look at ${log}.`, "--mode", "json", "--approval", "auto", ...said]);
    const [read, found, command = "", unnamed] = results(out);
    expect(read).toEndWith("1:first\n2:second");
    expect(found).toContain("*2:second");
    expect(command).toStartWith("first\nsecond\n2\n");
    expect(command).toContain("other.log: No such file");
    expect(command).toContain("error.log");
    expect(unnamed).toContain("no such file");
  },
);

test.skipIf(lacking)("a link that is named in /tmp leads nowhere, and a private file of the name wins", async () => {
  using dir = scratch();
  dir.write({ "home/.ssh/id_rsa": "CANARY" });
  const said = scripted(
    dir,
    bash(`mkdir -p ${folder}; echo mine > ${folder}/later.log; cat ${folder}/later.log`),
    bash(`cat ${folder}/link.log`),
    { calls: [{ tool: "read", input: { path: `${folder}/later.log` } }] },
    { text: "done" },
  );
  await Bun.$`ln -s ${dir.at("home/.ssh/id_rsa")} ${folder}/link.log`.quiet();
  const { out, err } = await pith(dir, [
    ...["-p", `See ${folder}/link.log`, "--mode", "json", "--approval", "auto"],
    ...said,
  ]);
  const [made, link, read] = results(out);
  expect([made, read?.split("\n").at(-1)]).toEqual(["mine", "1:mine"]);
  expect(link).toMatch(/No such file|may hold keys/);
  expect(out).not.toContain("CANARY");
  expect(`${out}${err}`).toContain(`Private /tmp, gone when the session ends: ${folder}/later.log`);
});

test.skipIf(lacking)("what goes to a named path of /tmp is asked about and gets there", async () => {
  using dir = scratch();
  const [page, list] = [join(folder, "page.md"), join(folder, "list.txt")];
  const said = scripted(
    dir,
    { calls: [{ tool: "write", input: { path: page, content: "a page\n" } }] },
    bash(`echo listed > ${list}; ls ${folder}`),
    { text: "done" },
  );
  await using talk = rpc(dir, [...said, "--approval", "auto"]);
  await talk.ask({ type: "prompt", message: `Write ${page} and ${list}` });
  const seen = new Set<unknown>();
  for (let at = 0; at < 2; at++) {
    const question = await talk.until(({ type, id }) => type === "question" && !seen.has(id));
    seen.add(question.id);
    expect(await talk.ask({ type: "answer", question: question.id, option: "yes" })).toMatchObject({ success: true });
  }
  await talk.until(({ type }) => type === "agent_end");
  expect(await talk.end()).toBe(0);
  expect([readFileSync(page, "utf8"), readFileSync(list, "utf8")]).toEqual(["a page\n", "listed\n"]);
});

test.skipIf(lacking)("with nobody to ask nothing is written to a named path, and the model is told", async () => {
  using dir = scratch();
  const path = join(folder, "never.md");
  const said = scripted(dir, { calls: [{ tool: "write", input: { path, content: "x" } }] }, bash(`echo x > ${path}`), {
    text: "done",
  });
  const { out } = await pith(dir, ["-p", `Write ${path}`, "--mode", "json", "--approval", "auto", ...said]);
  for (const text of results(out)) expect(text).toContain("there is nobody to ask");
  expect(existsSync(path)).toBe(false);
});

test.skipIf(lacking)(
  "the model is told once where commands run, what /tmp is, and whether anybody can be asked",
  async () => {
    using dir = scratch();
    using told = model({ text: "ok" });
    await pith(dir, ["-p", "hi", ...told.argv], { env: told.env });
    const system = told.asked[0]?.system ?? "";
    expect(system).toContain("Commands: in a sandbox: they write the project and /tmp, and reach no network.");
    expect(system).toContain("/tmp is the session's own");
    expect(system).toContain("Approval: auto; nobody can be asked");
    using free = model({ text: "ok" });
    await ask(dir, free, "hi");
    expect(free.asked[0]?.system).toContain("Commands: without a sandbox\nApproval: yolo");
  },
);

test("without a sandbox that works the model learns so before the next request", async () => {
  using dir = scratch();
  dir.write({ "home/.pith/sandbox.json": "{}", "bin/bwrap": "#!/bin/sh\necho broken >&2\nexit 1\n" });
  await Bun.$`chmod 755 ${dir.at("bin/bwrap")}`.quiet();
  using told = model({ calls: [{ tool: "bash", args: { command: "echo $((1+1))" } }] }, { text: "ok" });
  const env = Object.assign({}, told.env, { PATH: `${dir.at("bin")}:${process.env.PATH}` });
  await pith(dir, ["-p", "hi", "--approval", "auto", ...told.argv], { env });
  expect(told.asked[0]?.system).toContain("Commands: in a sandbox");
  expect(told.asked[1]?.said.join("\n")).toContain("A sandbox does not work here after all");
});

test("answers of calls name the session's own /tmp as commands see it", async () => {
  if (lacking) return;
  using dir = scratch();
  const [written] = await answers(dir, [["write", { path: "/tmp/a.txt", content: "a\n" }]], {
    argv: ["--approval", "auto"],
  });
  expect(written).toMatch(/^\[\/tmp\/a\.txt#[0-9A-F]{4}\]\nSuccessfully wrote 2 bytes to \/tmp\/a\.txt$/);
});
