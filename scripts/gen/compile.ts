import { join } from "node:path";
import { root } from "../gate/tree.ts";
import type { nativeOf } from "./target.ts";

export const entrypoints = [join(root, "packages", "cli", "src", "main.ts")];

interface Compiling {
  outfile: string;
  /** Lists the code that common starts run: see order.ts. */
  bytecodeOrder: string[];
  /** Runtime and native packages of another system; absent: those of this one. */
  native?: Awaited<ReturnType<typeof nativeOf>>;
}

/** Makes one file with everything in it. */
export async function compile({ outfile, bytecodeOrder, native }: Compiling): Promise<void> {
  const system = native && { target: native.bundler, executablePath: native.runtime };
  const built = await Bun.build({
    entrypoints,
    target: "bun",
    format: "esm",
    // Measured with --version and with one prompt: bytecode lowers 21 ms to 6 and 39 ms to 12, because nothing is
    // parsed; splitting lowers 6 ms to 4, because modules that a command does not import are not read. Minifying gains
    // nothing and makes stack traces unreadable.
    bytecode: true,
    splitting: true,
    plugins: native ? [prose, packagesOf(native.packages)] : [prose],
    compile: Object.assign(system ?? {}, {
      outfile,
      autoloadBunfig: false,
      autoloadDotenv: false,
      autoloadTsconfig: false,
      autoloadPackageJson: false,
      bytecodeOrder,
      // Compiles a function later than usual: a turn runs most functions a few times only, so compiling them costs more
      // than it saves. Measured: a turn takes a quarter less CPU, a long answer too.
      jitPolicy: 20,
    }),
    throw: false,
  });
  for (const log of built.logs) process.stderr.write(`${log}\n`);
  if (!built.success) throw new Error(`${outfile} could not be built`);
}

// Turns imported texts into literals. Bun would embed each of the hundred as a file, and open it when its importer is
// loaded.
const prose: Bun.BunPlugin = {
  name: "prose",
  setup(build) {
    build.onLoad({ filter: /[\\/]packages[\\/].*\.(?:md|txt)$/ }, async ({ path }) => ({
      contents: `export default ${JSON.stringify(await Bun.file(path).text())};`,
      loader: "js",
    }));
  },
};

/** Finds the native packages of another system, which are not installed here. */
const packagesOf = (packages: ReadonlyMap<string, string>): Bun.BunPlugin => ({
  name: "native packages",
  setup(build) {
    build.onResolve({ filter: /^@(?:vscode\/ripgrep|ast-grep\/napi)-/ }, ({ path }) => {
      const [, name = "", file] = /^(@[^/]+\/[^/]+)(?:\/(.+))?$/.exec(path) ?? [];
      const folder = packages.get(name);
      if (folder === undefined) return { path, external: true };
      const { main } = file ? { main: file } : require(join(folder, "package.json"));
      return { path: join(folder, main) };
    });
  },
});
