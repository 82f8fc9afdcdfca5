// dist/sdk: pith for programs. The code of each door in pieces that both Bun and Node 24 load, the types behind them,
// and a package.json; `npm install` takes the folder as it is. Made by `npm run build` and before `npm pack`.
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { root } from "../gate/tree.ts";

const out = join(root, "dist", "sdk");
const doors = ["pith", "rpc", "cli"] as const;
const fileOf = (door: string) => join(root, "packages", "cli", "src", "sdk", `${door}.ts`);

export async function makeSdk(): Promise<void> {
  rmSync(out, { recursive: true, force: true });
  mkdirSync(out, { recursive: true });
  await Promise.all([makeCode(), makeTypes()]);
  writeFileSync(join(out, "package.json"), `${JSON.stringify(manifest(), undefined, 2)}\n`);
  cpSync(join(root, "LICENSE"), join(out, "LICENSE"));
  cpSync(join(root, "docs", "sdk.md"), join(out, "README.md"));
}

/** What is made for one kind of machine stays outside, and so do the readers of formats that Bun has itself. */
const outside = ["@ast-grep/napi", "@vscode/ripgrep-*", "bun:*"];

async function makeCode(): Promise<void> {
  const built = await Bun.build({
    entrypoints: doors.map(fileOf),
    outdir: out,
    naming: { entry: "[name].js", chunk: "code/[name]-[hash].js", asset: "code/[name]-[hash].[ext]" },
    target: "node",
    format: "esm",
    splitting: true,
    external: outside,
    throw: false,
  });
  for (const log of built.logs) process.stderr.write(`${log}\n`);
  if (!built.success) process.exit(1);
  for (const { path } of built.outputs.filter((file) => file.path.endsWith(".js"))) {
    const text = readFileSync(path, "utf8");
    // A file beside the code is found from the code, wherever the program runs; and nobody is told where it was made.
    const found = text.replace(besides, (_, name) => `= import.meta.dirname + ${JSON.stringify(name)};`);
    writeFileSync(path, found.replaceAll(root, ""));
  }
}
const besides = /= "\.(\/[\w.-]+\.(?:wasm|zst))";/g;

/** The declarations that the doors lead to, and no others. */
async function makeTypes(): Promise<void> {
  const all = mkdtempSync(join(out, "..", "types-"));
  const config = `${all}.json`;
  try {
    const emit = { declaration: true, emitDeclarationOnly: true, noEmit: false, stripInternal: true };
    const wanted = { ...emit, outDir: all, rootDir: root };
    const include = ["../packages/prose.d.ts", "../packages/*/src/**/*.ts"];
    const exclude = ["../packages/*/src/**/*.test.ts", "../packages/*/src/test"];
    writeFileSync(config, JSON.stringify({ extends: "../tsconfig.json", compilerOptions: wanted, include, exclude }));
    const tsc = [process.execPath, join(root, "node_modules", "typescript", "bin", "tsc"), "-p", config];
    const child = Bun.spawn(tsc, { stdio: ["ignore", "pipe", "inherit"], env: { ...process.env } });
    const said = await new Response(child.stdout).text();
    await child.exited;
    const waiting = doors.map((door) => fileOf(door));
    const seen = new Set(waiting);
    for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
      const text = readFileSync(join(all, relative(root, file)).replace(/\.ts$/, ".d.ts"), "utf8");
      const to = declared(file);
      const told = text.replace(named, (whole, before: string, name: string) => {
        const target = targetOf(file as string, name);
        if (target === undefined) return whole;
        if (!seen.has(target)) waiting.push(target);
        seen.add(target);
        const way = relative(dirname(to), declared(target)).replace(/\.d\.ts$/, ".js");
        return `${before}"${way.startsWith(".") ? way : `./${way}`}"`;
      });
      mkdirSync(dirname(to), { recursive: true });
      writeFileSync(to, file.includes("/src/sdk/") ? `${known}${told}` : told);
    }
    // What no door leads to may have types that nobody could name.
    const wrong = said.split("\n").filter((line) => seen.has(join(root, line.slice(0, line.indexOf("(")))));
    if (wrong.length > 0) throw new Error(`the types cannot be made:\n${wrong.join("\n")}`);
  } finally {
    rmSync(config, { force: true });
    rmSync(all, { recursive: true, force: true });
  }
}

/** What all of them take for known, however little the project around knows. */
const known = '/// <reference types="node" />\n/// <reference lib="esnext" />\n';

/** `from "…"`, `import("…")`, `import "…"`, and `declare module "…"`. */
const named = /(\bfrom |\bimport\(|\bimport |\bdeclare module )"([^"]+)"/g;

/** packages/coder/src/a.ts → types/coder/a.d.ts */
function declared(file: string): string {
  const [, home = "", rest = ""] = /^packages\/(\w+)\/src\/(.+)\.ts$/.exec(relative(root, file)) ?? [];
  if (home === "") throw new Error(`the types lead to ${file}`);
  return join(out, "types", home, `${rest}.d.ts`);
}

function targetOf(file: string, name: string): string | undefined {
  if (name.startsWith(".")) return resolve(dirname(file), name);
  const [, home, door] = /^@pith\/(\w+)(\/\w+)?$/.exec(name) ?? [];
  if (home === undefined) return undefined;
  const { exports } = read(join(root, "packages", home, "package.json"));
  const target = exports[door ? `.${door}` : "."];
  if (target === undefined || !existsSync(join(root, "packages", home, target))) throw new Error(`no door ${name}`);
  return join(root, "packages", home, target);
}

function manifest(): object {
  const { name, version, description, license, keywords, repository, type, ...rest } = read(join(root, "package.json"));
  const inside = (path: string) => path.replace("./dist/sdk/", "./");
  return {
    name,
    version,
    description,
    license,
    keywords,
    repository,
    type,
    engines: { node: ">=24" },
    exports: JSON.parse(JSON.stringify(rest.exports), (_, value) =>
      typeof value === "string" ? inside(value) : value,
    ),
    types: "./types/cli/sdk/pith.d.ts",
    dependencies: rest.dependencies,
    optionalDependencies: Object.fromEntries(
      Object.entries(rest.optionalDependencies).filter(([each]) => each.startsWith("@vscode/ripgrep-")),
    ),
  };
}

const read = (file: string) => JSON.parse(readFileSync(file, "utf8"));

if (import.meta.main) await makeSdk();
