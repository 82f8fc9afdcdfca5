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
    files.filter((file) => file.split("/").length === 3 && file.endsWith(`/${name}.ts`)).toSorted();
  const tools = files.map(async (file) => {
    const made = (await Bun.file(join(src, file)).text()).matchAll(toolMaker);
    return [...made].map(([, name]) => `export { ${name} } from "./${file}";`);
  });
  const extendSettings = 'declare module "./setting/schema.ts" {\n  interface SettingRows extends All {}\n}';
  const extendData = 'declare module "@pith/agent" {\n  interface Data extends All {}\n}';
  return {
    "settings.gen.ts": `${head}${joined("settings", beside("settings"), "partSettings")}
type All = typeof partSettings;
${extendSettings}
`,
    "kinds.gen.ts": `${head}import type { DataOf } from "@pith/agent";
${joined("kinds", beside("kinds"), "resultKinds")}
type All = DataOf<typeof resultKinds>;
${extendData}
`,
    "tools.gen.ts": `${head}${(await Promise.all(tools)).flat().toSorted().join("\n")}\n`,
  };
}

const head = "// Made by scripts/gen/parts.ts from the folders of the parts.\n";

/** Joins the objects that files export by the same name. */
function joined(name: string, files: readonly string[], all: string): string {
  const names = files.map((file) => camel(file.split("/")[1] ?? ""));
  const imports = files.map((file, at) => `import { ${name} as ${names[at]} } from "./${file}";\n`);
  return `${imports.join("")}\nexport const ${all} = {\n${names.map((one) => `  ...${one},\n`).join("")}};\n`;
}

/** Matches an exported function that returns a tool, within its first paragraph. */
const toolMaker = /^export (?:function|const) (\w+)(?: = )?\((?:(?!\n\n)[\s\S])*?\): Tool</gm;

const camel = (name: string): string => name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());

if (import.meta.main)
  for (const [name, text] of Object.entries(await partLists())) {
    await Bun.write(join(coder, name), text);
    process.stdout.write(`${relative(root, join(coder, name))}\n`);
  }
