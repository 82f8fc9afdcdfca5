import { expect, test } from "bun:test";
import { openArtifacts, Registry } from "@pith/agent";
import { Snapshots } from "../snapshot/snapshot.ts";
import { builtinTools, toolNames } from "./index.ts";

const parts = {
  cwd: "/nowhere",
  userHome: "/nowhere",
  env: {},
  artifacts: openArtifacts(undefined),
  cacheDir: "/nowhere",
  snapshots: new Snapshots(undefined),
  edit: { mode: "hashline" as const },
};

test("the table of tools is the list of tools", () => {
  expect(toolNames).toEqual(["read", "write", "edit", "bash", "search", "find"]);
  expect(builtinTools(parts).map((own) => own.name)).toEqual(toolNames);
  expect(builtinTools(parts, ["find", "read"]).map((own) => own.name)).toEqual(["find", "read"]);
});

test("what is sent about the tools with every request stays small", () => {
  const bytes = Buffer.byteLength(JSON.stringify(new Registry(builtinTools(parts)).specs));
  expect(bytes).toBeLessThan(6 * 1024);
});

test("each tool has its effect", () => {
  expect(builtinTools(parts).map((own) => [own.name, own.effect])).toEqual([
    ["read", "read"],
    ["write", "write"],
    ["edit", "write"],
    ["bash", "exec"],
    ["search", "read"],
    ["find", "read"],
  ]);
});
