import { afterAll, expect, test } from "bun:test";
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { scratch } from "@pith/kit/test";
import { forgetProject, noteProject, undoDir, vanishedStores } from "./directory.ts";

const dir = scratch(afterAll);

function storeOf(name: string): { home: string; root: string; store: string } {
  const [home, root] = [dir.at(name, "home"), dir.at(name, "project")];
  const store = undoDir(home, root);
  for (const folder of [root, join(store, "active")]) mkdirSync(folder, { recursive: true });
  noteProject(store, root);
  return { home, root, store };
}

test("a store goes with its project, and not while the project or somebody who uses it is there", () => {
  const { home, root, store } = storeOf("plain");
  expect(vanishedStores(home)).toEqual([]);
  rmSync(root, { recursive: true });
  writeFileSync(join(store, "active", String(process.pid)), "");
  expect(vanishedStores(home)).toEqual([]);
  rmSync(join(store, "active", String(process.pid)));
  expect(vanishedStores(home)).toEqual([store]);
  forgetProject(home, root);
  expect(existsSync(store)).toBe(false);
});

test("a project whose disk is not there now has not vanished", () => {
  const { home, root, store } = storeOf("disk");
  const noted = readFileSync(join(store, "project.json"), "utf8");
  writeFileSync(join(store, "project.json"), noted.replace(/"device":\d+/, '"device":1'));
  rmSync(root, { recursive: true });
  expect(vanishedStores(home)).toEqual([]);
  // A place whose folder is gone too may be one where nothing is mounted.
  const away = dir.at("disk", "mount", "project");
  const other = undoDir(home, away);
  mkdirSync(away, { recursive: true });
  mkdirSync(other);
  noteProject(other, away);
  rmSync(dir.at("disk", "mount"), { recursive: true });
  expect(vanishedStores(home)).toEqual([]);
});

test("a store that claims another project, or is reached through a link, is left alone", () => {
  const { home, root, store } = storeOf("odd");
  rmSync(root, { recursive: true });
  const odd = join(home, "undo", "odd-000000000000");
  mkdirSync(odd);
  symlinkSync(join(store, "project.json"), join(odd, "project.json"));
  expect(vanishedStores(home)).toEqual([store]);
});
