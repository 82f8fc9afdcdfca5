import { join } from "node:path";

export const root = join(import.meta.dir, "..", "..");

export interface SourceFile {
  path: string;
  text: string;
}

/** Every hand-written source of the project, tests included; generated files are left out. */
export async function sourceFiles(): Promise<SourceFile[]> {
  const paths = ["packages/*/src/**/*.ts", "{test,scripts,bench}/**/*.{ts,mjs}"].flatMap(filesBelow);
  return readFiles(paths.filter((path) => !path.endsWith(".gen.ts")));
}

/** Hand-written sources of the packages without tests and without what only tests use. */
export async function productFiles(): Promise<SourceFile[]> {
  return (await sourceFiles()).filter(({ path }) => isProduct(path));
}

export const isProduct = (path: string): boolean =>
  /^packages\/\w+\/src\/.*\.ts$/.test(path) && !/\.(?:test|gen)\.ts$|^packages\/\w+\/src\/test\//.test(path);

/** Prose for the model and for people that is compiled in. */
export async function proseFiles(): Promise<SourceFile[]> {
  return readFiles(filesBelow("packages/*/src/**/*.md"));
}

/** Paths of files below the root that match a glob; what is installed is left out. */
export const filesBelow = (glob: string): string[] =>
  [...new Bun.Glob(glob).scanSync({ cwd: root })].filter((path) => !path.includes("node_modules/")).sort();

export const readFiles = (paths: readonly string[]): Promise<SourceFile[]> =>
  Promise.all(paths.map(async (path) => ({ path, text: await Bun.file(join(root, path)).text() })));
