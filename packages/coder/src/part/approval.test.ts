import { afterAll, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { CallView, Effect, Tool } from "@pith/agent";
import { type Approval, approvals } from "../policy/approval.ts";
import { approval } from "./approval.ts";

const base = realpathSync(mkdtempSync(join(tmpdir(), "pith-approval-")));
const project = join(base, "project");
mkdirSync(join(project, "src"), { recursive: true });
writeFileSync(join(base, "secret"), "x");
symlinkSync(join(base, "secret"), join(project, "to-file"));
symlinkSync(base, join(project, "to-folder"));
symlinkSync(join(base, "not-there-yet"), join(project, "dangling"));
symlinkSync(project, join(base, "alias"));
afterAll(() => rmSync(base, { recursive: true }));

async function ruling(mode: Approval, effect: Effect, ...paths: string[]) {
  const tool = { name: "tool" } as Tool;
  const view: CallView = {
    call: { type: "toolCall", id: "1", name: "tool", arguments: {} },
    tool,
    input: {},
    effect,
    paths,
  };
  return approval(mode, [project]).call?.(view);
}
const decided = async (mode: Approval, effect: Effect, path: string) => (await ruling(mode, effect, path))?.do;

test("each mode lets run what it says and nothing more", async () => {
  const rows: [effect: Effect, path: string, ...rulings: string[]][] = [
    ["read", join(project, "a"), "allow", "allow", "allow", "allow", "allow"],
    ["read", join(base, "secret"), "ask", "ask", "ask", "allow", "ask"],
    ["write", join(project, "a"), "ask", "allow", "allow", "allow", "deny"],
    ["write", join(base, "a"), "ask", "ask", "ask", "allow", "deny"],
    ["exec", project, "ask", "ask", "allow", "allow", "deny"],
    ["exec", base, "ask", "ask", "ask", "allow", "deny"],
    ["net", project, "ask", "ask", "ask", "allow", "deny"],
  ];
  for (const [effect, path, ...rulings] of rows) {
    const given = await Promise.all(approvals.map((mode) => decided(mode, effect, path)));
    expect([effect, path, ...given]).toEqual([effect, path, ...rulings]);
  }
});

test("a path that leaves the project by a link, by dots, or by a link to nothing is outside", async () => {
  for (const name of ["to-file", "to-folder/secret", "../secret", "src/../../secret", "dangling", "to-folder/new/file"])
    expect([name, await decided("write", "write", join(project, name))]).toEqual([name, "ask"]);
  for (const name of ["new/deep/file", "src/../a", "to-folder/project/a"])
    expect([name, await decided("write", "write", join(project, name))]).toEqual([name, "allow"]);
  expect(await decided("write", "write", join(base, "alias", "a"))).toBe("allow");
  expect(await decided("write", "write", `${project}-other/a`)).toBe("ask");
});

test("one path outside is enough to ask, and a call without paths stays inside", async () => {
  expect((await ruling("write", "write", join(project, "a"), join(base, "b")))?.do).toBe("ask");
  expect((await ruling("ask", "read"))?.do).toBe("allow");
});

test("a refusal names the tool, the mode, and the mode that would be enough", async () => {
  const asked = await ruling("ask", "exec", project);
  expect(asked?.do === "ask" && asked.refusal).toContain("--approval auto");
  const outside = await ruling("auto", "read", join(base, "secret"));
  expect(outside?.do === "ask" && outside.refusal).toMatch(/outside the project.*--approval yolo/);
  const denied = await ruling("plan", "write", join(project, "a"));
  expect(denied?.do === "deny" && denied.reason).toContain('"plan"');
});
