// Downloads the grammars of source.json from the npm registry and stores them compressed (a parse table shrinks to a
// fifteenth). By hand, after a change of source.json: `node bin/bun scripts/gen/grammars.ts`.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { constants, zstdCompressSync } from "node:zlib";
import sources from "../../packages/host/src/syntax/data/source.json";

const work = mkdtempSync(join(tmpdir(), "grammar-"));
try {
  await Bun.write(
    join(work, "package.json"),
    JSON.stringify({
      private: true,
      dependencies: Object.fromEntries(sources.map((source) => [source.package, source.version])),
    }),
  );
  const install = Bun.spawnSync([process.execPath, "install", "--ignore-scripts"], {
    cwd: work,
    stdout: "inherit",
    stderr: "inherit",
  });
  if (install.exitCode !== 0) throw new Error("the install failed");
  for (const { name, package: from, file, sha256 } of sources) {
    const bytes = await Bun.file(join(work, "node_modules", from, file)).bytes();
    const digest = new Bun.CryptoHasher("sha256").update(bytes).digest("hex");
    if (digest !== sha256) throw new Error(`${from}/${file} is ${digest}, source.json says ${sha256}`);
    await Bun.write(
      join(import.meta.dir, "../../packages/host/src/syntax/data", `${name}.wasm.zst`),
      zstdCompressSync(bytes, { params: { [constants.ZSTD_c_compressionLevel]: 19 } }),
    );
  }
} finally {
  rmSync(work, { recursive: true, force: true });
}
