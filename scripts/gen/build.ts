// `npm run build`: makes dist/pith, one file with everything in it, and dist/sdk (see sdk.ts). Needs no network. The
// program reads no bunfig.toml, .env, tsconfig.json or package.json of the directory it is started in.
// `npm run build -- --target <name>` or `--all` makes files for other systems too (see release.ts).
import { mkdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { scratch } from "../../packages/kit/src/test/index.ts";
import { root } from "../gate/tree.ts";
import { compile, entrypoints } from "./compile.ts";
import { ordersOf } from "./order.ts";
import { readArguments, release } from "./release.ts";
import { makeSdk } from "./sdk.ts";

const outfile = join(root, "dist", "pith");

const wanted = readArguments(process.argv.slice(2));
if (typeof wanted === "string") {
  process.stderr.write(`${wanted}\n`);
  process.exit(2);
}
const began = performance.now();
mkdirSync(join(root, "dist"), { recursive: true });
await compile({ outfile, bytecodeOrder: [] });
{
  using folder = scratch();
  const bytecodeOrder = await ordersOf(outfile, folder.path);
  await compile({ outfile, bytecodeOrder });
  if (wanted.targets.length > 0) await release(wanted, bytecodeOrder);
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
if (wanted.parts) {
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
