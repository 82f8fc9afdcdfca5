// Writes the lists of what stands beside the parts: settings (part/<name>/settings.ts), kinds of results
// (part/<name>/kinds.ts) and tools (functions that return a Tool). By hand: `node bin/bun scripts/gen/parts.ts`.
// A test fails when a list differs.
import { join, relative } from "node:path";
import { root } from "../gate/tree.ts";

const coder = join(root, "packages", "coder", "src");

/** Returns the text of each list by its file name, made from the parts below a folder. */
export async function partLists(src = coder): Promise<Record<string, string>> {
  const files = [...new Bun.Glob("part/**/*.ts").scanSync({ cwd: src })].filter((file) => !file.endsWith(".test.ts"));
  const beside = (name: "settings" | "kinds") =>
    files
      .filter((file) => file.split("/").length === 3 && file.endsWith(`/${name}.ts`))
      .map((file) => `export { ${name} as ${camel(file.split("/")[1] ?? "")} } from "./${file}";`);
  const tools = files.map(async (file) => {
    const made = (await Bun.file(join(src, file)).text()).matchAll(toolMaker);
    return [...made].map(([, name]) => `export { ${name} } from "./${file}";`);
  });
  return {
    "settings.gen.ts": listed("settings of the parts", beside("settings")),
    "kinds.gen.ts": listed("kinds of results of the parts", beside("kinds")),
    "tools.gen.ts": listed(
      "tools of the parts: one constructor each, which takes what the tool uses",
      (await Promise.all(tools)).flat(),
    ),
  };
}

/** Matches an exported function that returns a tool, within its first paragraph. */
const toolMaker = /^export (?:function|const) (\w+)(?: = )?\((?:(?!\n\n)[\s\S])*?\): Tool</gm;

const camel = (name: string): string => name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());

const listed = (title: string, lines: readonly string[]): string =>
  `// All ${title}. Made by scripts/gen/parts.ts.\n${lines.toSorted().join("\n")}\n`;

if (import.meta.main)
  for (const [name, text] of Object.entries(await partLists())) {
    await Bun.write(join(coder, name), text);
    process.stdout.write(`${relative(root, join(coder, name))}: ${text.split("\n").length - 2} rows\n`);
  }
