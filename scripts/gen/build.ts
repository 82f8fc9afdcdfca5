// `npm run build`: makes dist/pith, one file with everything in it, and dist/sdk (see sdk.ts). Needs no network. The
// program reads no bunfig.toml, .env, tsconfig.json or package.json of the directory it is started in.
import { mkdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { scratch } from "../../packages/kit/src/test/index.ts";
import { root } from "../gate/tree.ts";
import { ordersOf } from "./order.ts";
import { makeSdk } from "./sdk.ts";

const outfile = join(root, "dist", "pith");

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
const entrypoints = [join(root, "packages", "cli", "src", "main.ts")];
const began = performance.now();
mkdirSync(join(root, "dist"), { recursive: true });
await build();
{
  using folder = scratch();
  await build(await ordersOf(outfile, folder.path));
}
const took = performance.now() - began;

const starts: number[] = [];
while (starts.length < 5) {
  const start = performance.now();
  const { exitCode, stderr } = Bun.spawnSync([outfile, "--version"], { stdin: "ignore" });
  starts.push(performance.now() - start);
  if (exitCode === 0) continue;
  process.stderr.write(`dist/pith does not start: ${stderr}\n`);
  process.exit(1);
}
const size = statSync(outfile).size;
const mb = (bytes: number) => `${(bytes / 1e6).toFixed(1)} MB`;
process.stdout.write(
  `dist/pith: ${mb(size)} in ${(took / 1000).toFixed(1)} s, starts in ${Math.min(...starts).toFixed(1)} ms\n`,
);
await makeSdk();
process.stdout.write("dist/sdk: made\n");
// `npm run build -- --parts` prints the size of each part. It builds again into several files, because the one file
// does not tell.
if (process.argv.includes("--parts")) {
  const { outputs } = await Bun.build({ entrypoints, target: "bun", format: "esm", splitting: true });
  const sum = (wanted: (name: string) => boolean) =>
    outputs.filter(({ path }) => wanted(path)).reduce((total, file) => total + file.size, 0);
  const rows = {
    Bun: statSync(process.execPath).size,
    "ast-grep (native)": sum((name) => name.endsWith(".node")),
    ripgrep: sum((name) => /\brg-[^.]*\.?(?:exe)?$/.test(name)),
    "grammars and their parser (WebAssembly)": sum((name) => /\.(?:wasm|zst)$/.test(name)),
    "pith and its libraries (text)": sum((name) => name.endsWith(".js")),
  };
  const rest = size - Object.values(rows).reduce((total, bytes) => total + bytes, 0);
  for (const [part, bytes] of Object.entries({ ...rows, "the same, compiled": rest }))
    process.stdout.write(`${mb(bytes).padStart(9)}  ${part}\n`);
}

async function build(bytecodeOrder: string[] = []): Promise<void> {
  const built = await Bun.build({
    entrypoints,
    target: "bun",
    format: "esm",
    // Measured with --version and with one prompt: bytecode lowers 21 ms to 6 and 39 ms to 12, because nothing is
    // parsed; splitting lowers 6 ms to 4, because modules that a command does not import are not read. Minifying gains
    // nothing and makes stack traces unreadable.
    bytecode: true,
    splitting: true,
    plugins: [prose],
    compile: {
      outfile,
      autoloadBunfig: false,
      autoloadDotenv: false,
      autoloadTsconfig: false,
      autoloadPackageJson: false,
      bytecodeOrder,
      // Compiles a function later than usual: a turn runs most functions a few times only, so compiling them costs more
      // than it saves. Measured: a turn takes a quarter less CPU, a long answer too.
      jitPolicy: 20,
    },
    throw: false,
  });
  for (const log of built.logs) process.stderr.write(`${log}\n`);
  if (!built.success) process.exit(1);
}
