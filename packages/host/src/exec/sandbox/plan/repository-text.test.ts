import { expect, test } from "bun:test";
import { rmSync, symlinkSync } from "node:fs";
import { type Scratch, scratch } from "@pith/kit/test";
import { repositoryText } from "./repository-text.ts";

function repository(dir: Scratch, config = "[core]\n\tbare = false\n"): string {
  dir.write({ "w/.git/HEAD": "ref: refs/heads/main\n", "w/.git/config": config, "w/.git/objects/.keep": "" });
  dir.write({ "w/.git/refs/.keep": "", "w/.git/hooks/pre-commit.sample": "x" });
  return dir.at("w");
}

test("an ordinary repository has nothing that needs a yes", () => {
  using dir = scratch();
  expect(repositoryText(repository(dir))).toBeUndefined();
  expect(repositoryText(dir.at("none"))).toBeUndefined();
});

test("a yes to a configuration that is a link holds for what it leads to", () => {
  using dir = scratch();
  const root = repository(dir);
  rmSync(dir.at("w/.git/config"));
  symlinkSync("../conf", dir.at("w/.git/config"));
  dir.write({ "w/conf": "[core]\n\tfsmonitor = x\n" });
  const text = repositoryText(root);
  expect(text).toContain("fsmonitor = x");
  dir.write({ "w/conf": "[core]\n\tfsmonitor = y\n" });
  expect(repositoryText(root)).not.toBe(text);
});

test("a yes holds for all that git runs: configurations, what they include, and hooks", () => {
  using dir = scratch();
  const root = repository(dir, "[core]\n\thooksPath = .husky/_\n[include]\n\tpath = ../more\n");
  const files = {
    "w/more": "[alias]\n\tx = !y\n",
    "w/.husky/_/pre-commit": "husky\n",
    "w/.husky/pre-commit": "npm test\n",
    "w/.git/hooks/pre-push": "push\n",
    "w/.git/modules/sub/HEAD": "ref: refs/heads/main\n",
    "w/.git/modules/sub/objects/.keep": "",
    "w/.git/modules/sub/refs/.keep": "",
    "w/.git/modules/sub/config": "[core]\n\tfsmonitor = x\n",
    "w/.git/modules/sub/hooks/pre-commit": "sub\n",
  };
  dir.write(files);
  const text = repositoryText(root);
  expect(text).toStartWith("[core]\n\thooksPath = .husky/_\n");
  // A change of any of them is another text.
  for (const [path, before] of Object.entries(files)) {
    if (/HEAD|keep/.test(path)) continue;
    expect([path, text?.includes(before)]).toEqual([path, true]);
    dir.write({ [path]: `${before}# more\n` });
    expect([path, repositoryText(root) === text]).toEqual([path, false]);
    dir.write({ [path]: before });
  }
  expect(repositoryText(root)).toBe(text);
  dir.write({ "w/.git/hooks/post-commit": "new\n" });
  expect(repositoryText(root)).not.toBe(text);
});
