import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { scratch } from "../../packages/kit/src/test/index.ts";
import { root } from "../gate/tree.ts";
import { compile } from "./compile.ts";
import { faultOf } from "./header.ts";
import { signAdHoc } from "./sign.ts";
import { isTarget, nativeOf, outputOf, type Target, targets } from "./target.ts";

export interface Wanted {
  targets: Target[];
  /** Key file that signs the list of checksums. */
  sign: string | undefined;
  parts: boolean;
}

/** Reads the options of `npm run build`; a text says what is wrong with them. */
export function readArguments(args: string[]): Wanted | string {
  try {
    const { values } = parseArgs({
      args,
      options: {
        target: { type: "string", multiple: true },
        all: { type: "boolean" },
        sign: { type: "string" },
        parts: { type: "boolean" },
      },
    });
    const names = values.all ? Object.keys(targets) : (values.target ?? []);
    const wrong = names.find((name) => !isTarget(name));
    if (wrong !== undefined) return `there is no target ${wrong}; there are ${Object.keys(targets).join(", ")}`;
    if (values.sign && names.length === 0) return "--sign goes with --target or --all";
    return { targets: names.filter(isTarget), sign: values.sign, parts: values.parts === true };
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** Makes a file per target in dist, with SHA256SUMS and its signature; throws where a file could not run there. */
export async function release({ targets, sign }: Wanted, bytecodeOrder: string[]): Promise<void> {
  const dist = join(root, "dist");
  mkdirSync(dist, { recursive: true });
  const sums: string[] = [];
  for (const target of targets) {
    using folder = scratch();
    const name = outputOf(target);
    const outfile = join(dist, name);
    const native = await nativeOf(target, folder.path);
    await compile({ outfile, bytecodeOrder, native });
    if (target.startsWith("darwin")) await Bun.write(outfile, signAdHoc(await Bun.file(outfile).bytes(), "pith"));
    const bytes = await Bun.file(outfile).bytes();
    const fault = faultOf(bytes, target) ?? (await missingIn(bytes, native.packages));
    if (fault !== undefined) throw new Error(`${name} would not run on ${target}: ${fault}`);
    sums.push(`${new Bun.CryptoHasher("sha256").update(bytes).digest("hex")}  ${name}\n`);
    process.stdout.write(`dist/${name}: ${(bytes.length / 1e6).toFixed(1)} MB\n`);
  }
  const list = join(dist, "SHA256SUMS");
  rmSync(`${list}.sig`, { force: true });
  await Bun.write(list, sums.sort().join(""));
  if (sign === undefined) return;
  const signed = Bun.spawnSync(["ssh-keygen", "-q", "-Y", "sign", "-f", sign, "-n", "pith-release", list]);
  if (signed.exitCode !== 0) throw new Error(`SHA256SUMS could not be signed: ${signed.stderr}`);
  process.stdout.write("dist/SHA256SUMS.sig: made\n");
}

/** Names a native file of the packages that is not part of the program; undefined when all are. */
async function missingIn(program: Uint8Array, packages: ReadonlyMap<string, string>): Promise<string | undefined> {
  const whole = Buffer.from(program.buffer, program.byteOffset, program.byteLength);
  for (const [name, folder] of packages)
    for (const file of new Bun.Glob("**/{rg,rg.exe,*.node}").scanSync({ cwd: folder })) {
      const bytes = await Bun.file(join(folder, file)).bytes();
      if (!whole.includes(bytes.subarray(0, 1 << 16))) return `${file} of ${name} is not in it`;
    }
  return undefined;
}
