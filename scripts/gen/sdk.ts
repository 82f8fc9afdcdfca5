// Makes dist/sdk, pith for programs: the code of each entry in chunks that Bun and Node 24 load, its types, and a
// package.json. `npm install` takes the folder as it is. Runs in `npm run build` and before `npm pack`.
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

/** Modules that are not built in: native ones, and those of Bun. */
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
    // Finds files next to the code from the code, wherever the program runs, and removes the path of the build.
    const found = text.replace(besides, (_, name) => `= import.meta.dirname + ${JSON.stringify(name)};`);
    writeFileSync(path, found.replaceAll(root, ""));
  }
}
const besides = /= "\.(\/[\w.-]+\.(?:wasm|zst))";/g;

/** Writes the declarations that the entries need, and no others. */
async function makeTypes(): Promise<void> {
  const all = mkdtempSync(join(out, "..", "types-"));
  try {
    const output = await emitDeclarations(all);
    const used = copyDeclarations(all);
    // Files that no entry needs may have types that cannot be named.
    const wrong = output.split("\n").filter((line) => used.has(join(root, line.slice(0, line.indexOf("(")))));
    if (wrong.length > 0) throw new Error(`the types cannot be made:\n${wrong.join("\n")}`);
  } finally {
    rmSync(`${all}.json`, { force: true });
    rmSync(all, { recursive: true, force: true });
  }
}

/** Has the compiler write all declarations into a folder; returns its output. */
async function emitDeclarations(folder: string): Promise<string> {
  const config = `${folder}.json`;
  const emit = { declaration: true, emitDeclarationOnly: true, noEmit: false, stripInternal: true };
  // The folder is new each time: what the last check of the types remembers says nothing about it.
  const whole = { incremental: false, tsBuildInfoFile: null };
  const compilerOptions = { ...emit, ...whole, outDir: folder, rootDir: root };
  const include = ["../packages/prose.d.ts", "../packages/*/src/**/*.ts"];
  const exclude = ["../packages/*/src/**/*.test.ts", "../packages/*/src/test"];
  writeFileSync(config, JSON.stringify({ extends: "../tsconfig.json", compilerOptions, include, exclude }));
  const tsc = [process.execPath, join(root, "node_modules", "typescript", "bin", "tsc"), "-p", config];
  const child = Bun.spawn(tsc, { stdio: ["ignore", "pipe", "inherit"], env: { ...process.env } });
  const output = await new Response(child.stdout).text();
  await child.exited;
  return output;
}

/**
 * Copies the declarations of the entries, of all they import, and of files that extend an interface of those; returns
 * the sources.
 */
function copyDeclarations(folder: string): Set<string> {
  const sources = new Set(doors.map(fileOf));
  const extending = extensions(folder);
  // The set grows while it is walked.
  for (const file of sources) {
    const own = readFileSync(join(folder, relative(root, file)).replace(/\.ts$/, ".d.ts"), "utf8");
    // A compiler sees an extension only in a file that something imports.
    const also = (extending.get(file) ?? []).map((name) => `import "./${relative(dirname(file), name)}";\n`);
    const text = `${own}${also.join("")}`;
    const to = declared(file);
    const linked = text.replace(named, (whole, before: string, name: string) => {
      const target = targetOf(file, name);
      if (target === undefined) return whole;
      sources.add(target);
      const path = relative(dirname(to), declared(target)).replace(/\.d\.ts$/, ".js");
      return `${before}"${path.startsWith(".") ? path : `./${path}`}"`;
    });
    mkdirSync(dirname(to), { recursive: true });
    writeFileSync(to, file.includes("/src/sdk/") ? `${references}${linked}` : linked);
  }
  return sources;
}

/** Source files that extend an interface of another by `declare module`, by the file they extend. */
function extensions(folder: string): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const path of new Bun.Glob("packages/**/*.d.ts").scanSync(folder)) {
    const file = join(root, path.replace(/\.d\.ts$/, ".ts"));
    for (const [, name = ""] of readFileSync(join(folder, path), "utf8").matchAll(/\bdeclare module "([^"]+)"/g)) {
      const target = targetOf(file, name);
      if (target !== undefined && target !== file) found.set(target, [...(found.get(target) ?? []), file]);
    }
  }
  return found;
}

/** Types that all declarations need, whatever the settings of the project that imports them. */
const references = '/// <reference types="node" />\n/// <reference lib="esnext" />\n';

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
