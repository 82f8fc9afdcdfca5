// The systems that `npm run build -- --target` makes a file for, and the packages that bring what is native there.
import { existsSync, mkdirSync, readFileSync, renameSync } from "node:fs";
import { homedir } from "node:os";
import { basename, dirname, join } from "node:path";
import { scratch } from "../../packages/kit/src/test/index.ts";
import { root } from "../gate/tree.ts";

interface Platform {
  /** The runtime; its file becomes the front of ours. */
  bun: string;
  ripgrep: string;
  astGrep: string;
  /** The name that the bundler has for it. */
  bundler: Bun.Build.CompileTarget;
}

/** All targets by the name that a person writes. ripgrep for Linux is linked statically and serves musl too. */
export const targets = {
  "linux-x64": {
    bun: "@oven/bun-linux-x64",
    ripgrep: "@vscode/ripgrep-linux-x64",
    astGrep: "@ast-grep/napi-linux-x64-gnu",
    bundler: "bun-linux-x64",
  },
  "linux-arm64": {
    bun: "@oven/bun-linux-aarch64",
    ripgrep: "@vscode/ripgrep-linux-arm64",
    astGrep: "@ast-grep/napi-linux-arm64-gnu",
    bundler: "bun-linux-arm64",
  },
  "linux-x64-musl": {
    bun: "@oven/bun-linux-x64-musl",
    ripgrep: "@vscode/ripgrep-linux-x64",
    astGrep: "@ast-grep/napi-linux-x64-musl",
    bundler: "bun-linux-x64-musl",
  },
  "linux-arm64-musl": {
    bun: "@oven/bun-linux-aarch64-musl",
    ripgrep: "@vscode/ripgrep-linux-arm64",
    astGrep: "@ast-grep/napi-linux-arm64-musl",
    bundler: "bun-linux-arm64-musl",
  },
  "darwin-arm64": {
    bun: "@oven/bun-darwin-aarch64",
    ripgrep: "@vscode/ripgrep-darwin-arm64",
    astGrep: "@ast-grep/napi-darwin-arm64",
    bundler: "bun-darwin-arm64",
  },
  "darwin-x64": {
    bun: "@oven/bun-darwin-x64",
    ripgrep: "@vscode/ripgrep-darwin-x64",
    astGrep: "@ast-grep/napi-darwin-x64",
    bundler: "bun-darwin-x64",
  },
  "windows-x64": {
    bun: "@oven/bun-windows-x64",
    ripgrep: "@vscode/ripgrep-win32-x64",
    astGrep: "@ast-grep/napi-win32-x64-msvc",
    bundler: "bun-windows-x64",
  },
} satisfies Record<string, Platform>;
export type Target = keyof typeof targets;

export const isTarget = (name: string): name is Target => Object.hasOwn(targets, name);

/** The file that a build for a target becomes, below `dist`. */
export const outputOf = (target: Target) => `pith-${target}${target.startsWith("windows") ? ".exe" : ""}`;

/** The native packages of a target, unpacked below `folder`; bytes that the lockfile does not name are refused. */
export async function nativeOf(target: Target, folder: string) {
  const packages = new Map<string, string>();
  for (const name of packagesOf(target)) packages.set(name, await unpacked(name, folder));
  const { bun, bundler } = targets[target];
  const runtime = join(packages.get(bun) ?? "", "bin", target.startsWith("windows") ? "bun.exe" : "bun");
  return { runtime, packages, bundler };
}

async function unpacked(name: string, folder: string): Promise<string> {
  const archive = await fetched(name);
  const into = join(folder, basename(archive, ".tgz"));
  await Bun.write(join(into, ".made"), "");
  const tar = Bun.spawnSync(["tar", "-xzf", archive, "-C", into, "--no-same-owner"], { stdin: "ignore" });
  if (tar.exitCode !== 0) throw new Error(`${archive} cannot be unpacked: ${tar.stderr}`);
  return join(into, "package");
}

/** True when a build for the target needs no network. */
export const isCached = (target: Target) => packagesOf(target).every((name) => existsSync(archiveOf(name)));

const packagesOf = (target: Target) => {
  const { bun, ripgrep, astGrep } = targets[target];
  return [bun, ripgrep, astGrep];
};

const archiveOf = (name: string) => {
  const cache =
    process.env.PITH_BUILD_CACHE ?? join(process.env.XDG_CACHE_HOME || join(homedir(), ".cache"), "pith-build");
  return join(cache, `${name.replace("/", "+")}@${locked(name).version}.tgz`);
};

/** The archive of a package, from the cache or the registry, compared with the hash in the lockfile every time. */
async function fetched(name: string): Promise<string> {
  const { version, integrity } = locked(name);
  const file = archiveOf(name);
  if (!existsSync(file)) {
    mkdirSync(dirname(file), { recursive: true });
    using fresh = scratch();
    const npm = [
      "npm",
      "pack",
      "--silent",
      "--ignore-scripts",
      `--pack-destination=${fresh.path}`,
      `${name}@${version}`,
    ];
    const pack = Bun.spawnSync(npm, { stdin: "ignore", cwd: fresh.path });
    const [made] = [...new Bun.Glob("*.tgz").scanSync(fresh.path)];
    if (pack.exitCode !== 0 || made === undefined) throw new Error(`npm could not fetch ${name}: ${pack.stderr}`);
    await Bun.write(`${file}.part`, Bun.file(join(fresh.path, made)));
    renameSync(`${file}.part`, file);
  }
  const found = `sha512-${new Bun.CryptoHasher("sha512").update(await Bun.file(file).bytes()).digest("base64")}`;
  if (found !== integrity) throw new Error(`${file} is not what the lockfile names; remove it and build again`);
  return file;
}

/** Version and hash of a package as the lockfiles pin them. */
function locked(name: string): { version: string; integrity: string } {
  const npm = JSON.parse(readFileSync(join(root, "runtime", "package-lock.json"), "utf8")).packages;
  const runtime = npm[`node_modules/${name}`];
  if (runtime) return runtime;
  const text = readFileSync(join(root, "bun.lock"), "utf8");
  const row = text.split("\n").find((line) => line.startsWith(`    "${name}": [`));
  const [, version, integrity] = row?.match(/"[^"]+@([^"@]+)",.*"(sha512-[^"]+)"\],?$/) ?? [];
  if (!version || !integrity) throw new Error(`${name} stands in no lockfile`);
  return { version, integrity };
}

// `bun scripts/gen/target.ts <target>…` fills the cache.
if (import.meta.main)
  for (const name of process.argv.slice(2).filter(isTarget)) await Promise.all(packagesOf(name).map(fetched));
