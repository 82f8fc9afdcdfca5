import { expect, test } from "bun:test";
import { openArtifacts, Registry } from "@pith/agent";
import { Shell } from "@pith/host";
import { Snapshots } from "../snapshot/snapshot.ts";
import { intentOf } from "../test/run.ts";
import { Conflicts } from "../url/conflicts.ts";
import { Router } from "../url/router.ts";
import { builtinTools, toolNames } from "./index.ts";

const shell = new Shell({ cwd: "/nowhere", env: {} });
const artifacts = openArtifacts(undefined);
const parts = {
  commands: {
    shell,
    artifacts,
    jobs: undefined,
    logs: "/nowhere",
    maxOutput: 1,
    noise: "keep" as const,
    [Symbol.asyncDispose]: async () => {},
  },
  cwd: "/nowhere",
  userHome: "/nowhere",
  env: {},
  artifacts,
  urls: new Router({
    artifacts,
    sessionDir: undefined,
    project: "/nowhere",
    home: "/nowhere",
    conflicts: new Conflicts(undefined),
  }),
  read: { display: "hashline" as const, defaultLimit: 1000, summarize: "on" as const },
  search: { contextBefore: 1, contextAfter: 3 },
  cacheDir: "/nowhere",
  snapshots: new Snapshots(undefined),
  edit: { mode: "hashline" as const },
  clock: { now: () => 0 },
};

test("the table of tools is the list of tools", () => {
  expect(toolNames).toEqual([
    "read",
    "write",
    "edit",
    "bash",
    "job",
    "search",
    "find",
    "ast_grep",
    "ast_edit",
    "todo",
    "checkpoint",
    "rewind",
  ]);
  expect(builtinTools(parts).map((own) => own.name)).toEqual([...toolNames, "resolve"]);
  expect(builtinTools(parts, ["find", "read"]).map((own) => own.name)).toEqual(["find", "read"]);
});

test("resolve is there exactly when a tool shows what it would do", () => {
  expect(builtinTools(parts, ["ast_edit"]).map((own) => own.name)).toEqual(["ast_edit", "resolve"]);
  expect(builtinTools(parts, ["ast_grep", "todo"]).map((own) => own.name)).toEqual(["ast_grep", "todo"]);
});

test("what is sent about the tools with every request stays small", () => {
  const bytes = (names = toolNames) =>
    Buffer.byteLength(JSON.stringify(new Registry(builtinTools(parts, names)).specs));
  expect(bytes(["read", "write", "edit", "bash", "search", "find"])).toBeLessThan(6 * 1024);
  expect(bytes()).toBeLessThan(12 * 1024);
});

test("each tool has its effect", () => {
  expect(
    builtinTools(parts).map((own) => [
      own.name,
      own.name === "resolve" ? own.effect : (await intentOf(own, { command: "ls" })).effect,
    ]),
  ).toEqual([
    ["read", "read"],
    ["write", "write"],
    ["edit", "write"],
    ["bash", "exec"],
    ["job", "read"],
    ["search", "read"],
    ["find", "read"],
    ["ast_grep", "read"],
    ["ast_edit", "read"],
    ["todo", "read"],
    ["checkpoint", "read"],
    ["rewind", "read"],
    ["resolve", expect.any(Function)],
  ]);
});
