// Runs before `npm pack`: makes dist/lib, the program for a package registry, and dist/sdk. Native programs (Bun,
// ripgrep, ast-grep) stay outside: they are dependencies, and the registry brings those for the machine.
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../gate/tree.ts";
import { licences } from "./licences.ts";
import { makeSdk } from "./sdk.ts";

const outdir = join(root, "dist", "lib");
rmSync(outdir, { recursive: true, force: true });
const built = await Bun.build({
  entrypoints: [join(root, "packages", "cli", "src", "main.ts")],
  outdir,
  target: "bun",
  format: "esm",
  splitting: true,
  external: ["@ast-grep/napi", "@vscode/ripgrep-*"],
  throw: false,
});
for (const log of built.logs) process.stderr.write(`${log}\n`);
if (!built.success) process.exit(1);
const texts = await Promise.all(built.outputs.filter(({ path }) => path.endsWith(".js")).map((file) => file.text()));
writeFileSync(join(outdir, "LICENSES.txt"), licences(texts));
const megabytes = built.outputs.reduce((sum, file) => sum + file.size, 0) / 1e6;
await makeSdk();
process.stderr.write(`dist/lib: ${built.outputs.length} files, ${megabytes.toFixed(1)} MB\n`);
