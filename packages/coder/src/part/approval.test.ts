import { afterAll, expect, test } from "bun:test";
import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { type CallView, type Effect, type Tool, touch } from "@pith/agent";
import { scratch } from "@pith/kit/test";
import { type Approval, approvals, insideOf } from "../policy/approval.ts";
import { approval } from "./approval.ts";

const dir = scratch(afterAll);
const base = dir.path;
const project = dir.at("project");
dir.write({ "project/src/a": "", secret: "x" });
symlinkSync(join(base, "secret"), join(project, "to-file"));
symlinkSync(base, join(project, "to-folder"));
symlinkSync(join(base, "not-there-yet"), join(project, "dangling"));
symlinkSync(project, join(base, "alias"));

const inside = insideOf({ cwd: project, roots: [], home: join(base, "home"), folder: undefined });

async function ruling(mode: Approval, effect: Effect, ...paths: string[]) {
  const tool = { name: "tool" } as Tool;
  const view: CallView = {
    call: { type: "toolCall", id: "1", name: "tool", arguments: {} },
    tool,
    input: {},
    intent: {
      effect,
      paths: paths.map((path) => touch(effect === "net" ? "read" : effect, path)),
      run: () => Promise.reject(new Error("it is only judged")),
    },
  };
  return approval({ choice: { approval: mode }, inside } as never)?.hooks?.[0]?.call?.(view);
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
    const decisions = await Promise.all(approvals.map((mode) => decided(mode, effect, path)));
    expect([effect, path, ...decisions]).toEqual([effect, path, ...rulings]);
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

test("a mode that is chosen while the conversation goes on counts from the next call on", async () => {
  const choice: { approval: Approval } = { approval: "ask" };
  const guard = approval({ choice, inside } as never)?.hooks?.[0];
  const intent = { effect: "write", paths: [touch("write", join(project, "a"))] };
  const view = { tool: { name: "write" }, intent } as unknown as CallView;
  expect((await guard?.call?.(view))?.do).toBe("ask");
  choice.approval = "write";
  expect((await guard?.call?.(view))?.do).toBe("allow");
});

test("what is kept for the model may be read unasked, and written only where it keeps things itself", async () => {
  const folder = dir.at("sessions", "s");
  const own = insideOf({ cwd: project, roots: [], home: dir.at("home"), folder });
  const hall = { choice: { approval: "write" }, inside: own };
  const guard = approval(hall as never)?.hooks?.[0];
  const decide = async (effect: "read" | "write", ...names: string[]) => {
    const view = { tool: { name: "tool" }, intent: { effect, paths: [touch(effect, dir.at(...names))] } };
    return (await guard?.call?.(view as unknown as CallView))?.do;
  };
  expect([await decide("read", "home/skills/a"), await decide("write", "home/skills/a")]).toEqual(["allow", "ask"]);
  expect([await decide("read", "sessions/s/1.log"), await decide("write", "sessions/s/1.log")]).toEqual([
    "allow",
    "ask",
  ]);
  expect(await decide("write", "sessions/s/local/plan.md")).toBe("allow");
  expect([await decide("read", "home/auth.json"), await decide("read", "sessions/other/1.log")]).toEqual([
    "ask",
    "ask",
  ]);
});

test("a folder beside a session, or the memory, that is a link makes nothing else inside", () => {
  dir.write({ "victim/x": "", "linked/home/.keep": "", "linked/s/.keep": "" });
  symlinkSync(dir.at("victim"), dir.at("linked/s/local"));
  symlinkSync(dir.at("victim"), dir.at("linked/t"));
  symlinkSync(dir.at("victim"), dir.at("linked/home/memory"));
  for (const name of ["s", "t"]) {
    const { kept, scratch: written } = insideOf({
      cwd: project,
      roots: [],
      home: dir.at("linked/home"),
      folder: dir.at("linked", name),
    });
    expect([...kept, ...written]).not.toContain(dir.at("victim"));
    expect(written).toEqual([]);
  }
});

test("who writes what git reads its orders from is ruled as who runs something", async () => {
  dir.write({
    "project/bare/HEAD": "",
    "project/bare/objects/.keep": "",
    "project/bare/refs/.keep": "",
    "project/linked/HEAD": "",
    "project/linked/commondir": "",
    "project/half/HEAD": "",
    "project/half/objects/.keep": "",
    "project/bare/tree/.git": "gitdir: ../worktrees/tree",
    "project/bare/worktrees/tree/commondir": "../..",
    "project/bare/worktrees/tree/gitdir": join(project, "bare/tree/.git"),
  });
  const modes: Approval[] = ["ask", "write", "auto", "yolo", "plan"];
  const at = (name: string) => Promise.all(modes.map((mode) => decided(mode, "write", join(project, name))));
  const exec = ["ask", "ask", "allow", "allow", "deny"];
  for (const name of [
    ...[".git", ".git/config", "sub/.git/hooks/x", "sub/.git", ".GIT/config", "bare/config", "bare/hooks/deep/x"],
    ...["linked/config", "half/refs/heads/main", "bare/tree/.git"],
  ])
    expect([name, ...(await at(name))]).toEqual([name, ...exec]);
  for (const name of ["half/config", ".gitignore", ".github/x", "bare/tree/src/a"])
    expect([name, ...(await at(name))]).toEqual([name, "ask", "allow", "allow", "allow", "deny"]);
  expect(await decided("ask", "read", join(project, ".git/config"))).toBe("allow");
  const together = ["new/HEAD", "new/objects/x", "new/refs/x", "new/config"].map((name) => join(project, name));
  expect((await ruling("write", "write", ...together))?.do).toBe("ask");
  const asked = await ruling("write", "write", join(project, ".git/config"));
  expect(asked?.do === "ask" && asked.refusal).toMatch(/from which git runs programs.*--approval auto/);
});
