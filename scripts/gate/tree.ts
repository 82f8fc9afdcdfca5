import { join } from "node:path";

export const root = join(import.meta.dir, "..", "..");

export interface SourceFile {
  path: string;
  text: string;
}

/** Every hand-written source of the project, tests included; generated files are left out. */
export async function sourceFiles(): Promise<SourceFile[]> {
  const sources = await read(["packages/*/src/**/*.ts", "{test,scripts,bench}/**/*.{ts,mjs}"]);
  return sources.filter(({ path }) => !path.endsWith(".gen.ts"));
}

/** Hand-written sources of the packages without tests and without what only tests use. */
export async function productFiles(): Promise<SourceFile[]> {
  return (await sourceFiles()).filter(({ path }) => isProduct(path));
}

export const isProduct = (path: string): boolean =>
  /^packages\/\w+\/src\/.*\.ts$/.test(path) && !/\.(?:test|gen)\.ts$|^packages\/\w+\/src\/test\//.test(path);

/** Prose for the model and for people that is compiled in. */
export async function proseFiles(): Promise<SourceFile[]> {
  return read(["packages/*/src/**/*.md"]);
}

async function read(globs: string[]): Promise<SourceFile[]> {
  const paths = globs.flatMap((glob) => [...new Bun.Glob(glob).scanSync({ cwd: root })]).sort();
  return Promise.all(paths.map(async (path) => ({ path, text: await Bun.file(join(root, path)).text() })));
}
