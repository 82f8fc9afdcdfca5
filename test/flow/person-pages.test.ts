// The pages list everything, and their links lead somewhere.
import { expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { actionCommands } from "../../packages/cli/src/mode/full/action/table.ts";
import { root } from "../need.ts";
import { pageText } from "../transcript.ts";

const docs = readdirSync(join(root, "docs"), { recursive: true, encoding: "utf8" }).filter((name) =>
  name.endsWith(".md"),
);

test("the pages name every place that pith writes below its home", async () => {
  const folder = join(root, "packages");
  const sources = [...new Bun.Glob("{cli,coder,agent,llm}/src/**/*.ts").scanSync({ cwd: folder })];
  const places = sources
    .filter((name) => !/\.test\.ts$|\/test\//.test(name))
    .flatMap((name) => [...readFileSync(join(folder, name), "utf8").matchAll(/join\((?:io\.)?home, "(\w[^"]*)"/g)])
    .map(([, place = ""]) => place);
  const page = await pageText("install.md");
  expect(new Set(places).size).toBeGreaterThan(15);
  for (const place of new Set(places)) expect([place, page.includes(`\`${place}`)]).toEqual([place, true]);
});

test("the pages keep a blank between an option and what it does", async () => {
  expect(await pageText("options.md")).not.toMatch(/^ +(?:-\w, +)?--[\w-]+ <[^>]+>\S/m);
});

test("the pages name every command of the full screen", async () => {
  const page = await pageText("commands.md");
  const commands = actionCommands({} as never, []);
  expect(commands.length).toBeGreaterThan(15);
  for (const { name, aliases = [] } of commands)
    for (const word of [name, ...aliases]) expect([word, new RegExp(`/${word}\\b`).test(page)]).toEqual([word, true]);
});

test("the pages lead nowhere that does not exist", async () => {
  const anchors = (text: string) =>
    new Set(
      [...text.matchAll(/^#+ (.+)$/gm)].map(([, title = ""]) =>
        title
          .toLowerCase()
          .replace(/[^\w\- ]/g, "")
          .replaceAll(" ", "-"),
      ),
    );
  const lost: string[] = [];
  for (const name of [...docs.map((page) => `docs/${page}`), "README.md", "CHANGELOG.md"]) {
    for (const [, link = ""] of readFileSync(join(root, name), "utf8").matchAll(/\]\(([^)\s]+)\)/g)) {
      if (/^\w+:/.test(link)) continue;
      const [path = "", anchor] = link.split("#");
      const file = path === "" ? join(root, name) : join(root, name, "..", path);
      if (!existsSync(file) || (anchor && !anchors(readFileSync(file, "utf8")).has(anchor)))
        lost.push(`${name}: ${link}`);
    }
  }
  expect(lost).toEqual([]);
});
