// Fills packaging/ with the version and the checksums of a release: `bun scripts/gen/packaging.ts <folder with
// SHA256SUMS>`. Debian packages are built where `dpkg-deb` is installed.
import { chmodSync, copyFileSync, cpSync, existsSync, linkSync, mkdirSync, rmSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { gzipSync } from "node:zlib";
import { scratch } from "../../packages/kit/src/test/index.ts";
import { root } from "../gate/tree.ts";
import { outputOf, type Target } from "./target.ts";

const templates = join(root, "packaging");

/** Names of processors in Debian and Docker. */
const architectures: Record<string, Target> = { amd64: "linux-x64", arm64: "linux-arm64" };

type Holes = (hole: string) => string | undefined;

/** Writes `packaging/` and the Debian packages below a folder of released files; returns what was made. */
export async function makePackaging(folder: string): Promise<string[]> {
  const { version } = await Bun.file(join(root, "package.json")).json();
  const sums = sumsOf(await Bun.file(join(folder, "SHA256SUMS")).text());
  const out = join(folder, "packaging");
  rmSync(out, { recursive: true, force: true });
  const holes: Holes = (hole) => (hole === "version" ? version : sums.get(hole.replace(/^sha256 /, "")));
  for (const file of ["homebrew/pith.rb", "nix/flake.nix", "devcontainer/devcontainer-feature.json"])
    await Bun.write(join(out, file), fill(file, await Bun.file(join(templates, file)).text(), holes));
  cpSync(join(templates, "install.sh"), join(out, "install.sh"));
  cpSync(join(templates, "install.sh"), join(out, "devcontainer", "install.sh"));
  cpSync(join(templates, "docker"), join(out, "docker"), { recursive: true });
  const made = [out];
  for (const [architecture, target] of Object.entries(architectures)) {
    const program = join(folder, outputOf(target));
    if (!existsSync(program)) continue;
    const copy = join(out, "docker", architecture, "pith");
    mkdirSync(dirname(copy), { recursive: true });
    linkSync(program, copy);
    if (Bun.which("dpkg-deb")) made.push(await debian({ program, architecture, version, folder }));
  }
  return made;
}

function sumsOf(list: string): Map<string, string> {
  return new Map([...list.matchAll(/^([0-9a-f]{64}) {2}(\S+)$/gm)].map(([, sum = "", name = ""]) => [name, sum]));
}

/** Fills the holes of a template; one that nothing fills is a fault. */
function fill(name: string, template: string, holes: Holes): string {
  return template.replace(/\{\{([^{}]+)\}\}/g, (_, hole: string) => {
    const text = holes(hole);
    if (text === undefined) throw new Error(`packaging/${name}: nothing fills {{${hole}}}`);
    return text;
  });
}

interface Debian {
  program: string;
  architecture: string;
  version: string;
  folder: string;
}

async function debian({ program, architecture, version, folder }: Debian): Promise<string> {
  using tree = scratch();
  const put = (from: string, to: string, mode: number) => {
    mkdirSync(dirname(tree.at(to)), { recursive: true });
    copyFileSync(from, tree.at(to));
    chmodSync(tree.at(to), mode);
  };
  const control = await Bun.file(join(templates, "debian", "control")).text();
  const kilobytes = String(Math.ceil(statSync(program).size / 1024));
  const holes: Record<string, string> = { version, architecture, kilobytes };
  await Bun.write(
    tree.at("DEBIAN/control"),
    fill("debian/control", control, (hole) => holes[hole]),
  );
  put(program, "usr/bin/pith", 0o755);
  put(join(root, "LICENSE"), "usr/share/doc/pith/copyright", 0o644);
  const zipped = { "docs/pith.1": "usr/share/man/man1/pith.1.gz", "CHANGELOG.md": "usr/share/doc/pith/changelog.gz" };
  for (const [from, to] of Object.entries(zipped))
    await Bun.write(tree.at(to), gzipSync(await Bun.file(join(root, from)).bytes()));
  chmodSync(tree.path, 0o755);
  const file = join(folder, `pith_${version}_${architecture}.deb`);
  const built = Bun.spawnSync(["dpkg-deb", "--build", "--root-owner-group", "-Zxz", "-z1", tree.path, file]);
  if (built.exitCode !== 0) throw new Error(`${file} could not be built: ${built.stderr}`);
  return file;
}

if (import.meta.main) {
  const [folder = join(root, "dist")] = process.argv.slice(2);
  for (const made of await makePackaging(folder)) process.stdout.write(`${made}\n`);
}
