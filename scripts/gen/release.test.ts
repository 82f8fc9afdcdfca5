import { expect, setDefaultTimeout, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { need, root } from "../../test/need.ts";
import { run, scratch } from "../../test/scratch.ts";
import { faultOf } from "./header.ts";
import { readArguments, release } from "./release.ts";
import { signAdHoc } from "./sign.ts";
import { isCached, outputOf, targets } from "./target.ts";

setDefaultTimeout(180_000);

test("targets are named, and what is no target is refused with those that are", () => {
  expect(readArguments(["--all"])).toEqual({ targets: Object.keys(targets) as never, sign: undefined, parts: false });
  expect(readArguments(["--target", "plan9"])).toContain("there is no target plan9; there are linux-x64, linux-arm64");
  expect(readArguments(["--sign", "key"])).toBe("--sign goes with --target or --all");
  expect(readArguments(["--nonsense"])).toContain("--nonsense");
});

/** A Mach-O file with code, an empty last segment and a place for a signature: as little as macOS takes for one. */
function machO(code: number): Uint8Array {
  const bytes = new Uint8Array(code);
  const view = new DataView(bytes.buffer);
  for (let at = 0; at < code; at++) bytes[at] = at % 251;
  const little = (at: number, ...values: number[]) =>
    values.forEach((value, index) => void view.setUint32(at + 4 * index, value, true));
  little(0, 0xfeedfacf, 0x0100000c, 0, 2, 3, 72 + 72 + 16, 0, 0);
  const segment = (at: number, name: string, from: number, size: number) => {
    little(at, 0x19, 72);
    bytes.fill(0, at + 8, at + 72);
    bytes.set(new TextEncoder().encode(name), at + 8);
    view.setBigUint64(at + 40, BigInt(from), true);
    view.setBigUint64(at + 48, BigInt(size), true);
  };
  segment(32, "__TEXT", 0, code);
  segment(104, "__LINKEDIT", code, 0);
  little(176, 0x1d, 16, code, 0);
  return bytes;
}

test("a signature for macOS covers every byte, and one changed, added or missing byte is found", () => {
  const whole = signAdHoc(machO(10_000), "pith");
  expect(faultOf(whole, "darwin-arm64")).toBeUndefined();
  expect(faultOf(whole, "darwin-x64")).toBe("made for another processor");
  const changed = whole.slice();
  changed[5000] = 0xff ^ (changed[5000] ?? 0);
  expect(faultOf(changed, "darwin-arm64")).toBe("page 1 differs from its signature");
  const longer = new Uint8Array(whole.length + 1);
  longer.set(whole);
  expect(faultOf(longer, "darwin-arm64")).toContain("its signature ends at");
  for (const length of [0, 3, 20, 40, 180, whole.length - 1])
    expect(faultOf(whole.slice(0, length), "darwin-arm64")).toBeString();
  expect(faultOf(machO(10_000), "darwin-arm64")).toBeString();
  expect(faultOf(signAdHoc(whole, "again"), "darwin-arm64")).toBeUndefined();
});

test("a file for another system or processor is told from the right one", async () => {
  const own = await Bun.file(process.execPath).bytes();
  const here = process.arch === "arm64" ? "arm64" : "x64";
  const glibc = faultOf(own, `linux-${here}`) === undefined;
  expect([glibc, faultOf(own, `linux-${here}-musl`) === undefined].sort()).toEqual([false, true]);
  expect(faultOf(own, here === "x64" ? "linux-arm64" : "linux-x64")).toBe("made for another processor");
  expect(faultOf(own, "windows-x64")).toBe("no Windows program");
  expect(faultOf(own, "darwin-x64")).toBe("no 64-bit Mach-O file");
  expect(faultOf(own.subarray(0, 60), `linux-${here}`)).toBe("the file ends inside of its headers");
});

const loader = "/usr/aarch64-linux-gnu/lib/ld-linux-aarch64.so.1";
const lacking = need("qemu-aarch64-static") ?? need(loader) ?? need("unshare") ?? need("ssh-keygen") ?? uncached();

function uncached(): string | undefined {
  if (isCached("linux-arm64")) return undefined;
  const reason = "the packages of linux-arm64 are not in the cache (bin/bun scripts/gen/target.ts linux-arm64)";
  if (process.env.PITH_CI === "1") throw new Error(reason);
  process.stderr.write(`skip: ${reason}\n`);
  return reason;
}

// The kernel of a namespace runs ARM programs by qemu, also those that pith starts; nothing of the machine changes.
const magic = String.raw`\x7fELF\x02\x01\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x02\x00\xb7\x00`;
const mask = String.raw`\xff\xff\xff\xff\xff\xff\xff\x00\xff\xff\xff\xff\xff\xff\xff\xff\xfe\xff\xff\xff`;
const emulated = `mount -t binfmt_misc none /proc/sys/fs/binfmt_misc || exit 9
rule=':arm64:M::${magic}:${mask}:${Bun.which("qemu-aarch64-static")}:F'
printf '%s' "$rule" > /proc/sys/fs/binfmt_misc/register || exit 8
exec "$@"`;

test.skipIf(lacking !== undefined)("the file for linux-arm64 edits, undoes, searches and plays the tour", async () => {
  using dir = scratch();
  const keygen = (...args: string[]) => run(["ssh-keygen", "-q", ...args], { cwd: dir.path, env: {} });
  expect(await keygen("-t", "ed25519", "-N", "", "-f", "key")).toMatchObject({ code: 0 });
  await release({ targets: ["linux-arm64"], sign: dir.at("key"), parts: false }, []);
  const dist = join(root, "dist");
  dir.write({ signers: `pith ${await Bun.file(dir.at("key.pub")).text()}` });
  const list = join(dist, "SHA256SUMS");
  const verify = `ssh-keygen -Y verify -f signers -I pith -n pith-release -s ${list}.sig < ${list}`;
  expect(await run(["sh", "-c", verify], { cwd: dir.path, env: {} })).toMatchObject({ code: 0 });
  const binary = join(dist, outputOf("linux-arm64"));
  dir.write({ "work/a.js": "const one = f(1);\n", "home/.keep": "", "tmp/.keep": "" });
  const write = { tool: "write", input: { path: "a.js", content: "const two = f(2);\n" } };
  dir.write({ "script.json": JSON.stringify({ turns: [{ calls: [write] }, { text: "Written." }] }) });
  const env = {
    HOME: dir.at("home"),
    TMPDIR: dir.at("tmp"),
    PATH: process.env.PATH ?? "",
    QEMU_LD_PREFIX: "/usr/aarch64-linux-gnu",
    // QEMU leads "/" itself into that folder, so that names cannot be walked from the root.
    PITH_FS: "proc",
  };
  const pith = (...args: string[]) =>
    run(["unshare", "-Urm", "sh", "-c", emulated, "sh", binary, ...args], { cwd: dir.at("work"), env });
  expect(await pith("--version")).toMatchObject({ code: 0, out: expect.stringMatching(/^\d+\.\d+\.\d+\n$/) });
  const { out } = await pith("doctor");
  expect(out).toContain("linux arm64");
  expect(out).toMatch(/^ok +ripgrep/m);
  expect((await pith("tool", "search", '{"pattern":"one"}')).out).toContain("*1:const one = f(1);");
  expect((await pith("tool", "ast_grep", '{"pat":"f($A)","paths":["."]}')).out).toContain("*1:const one = f(1);");
  const text = () => Bun.file(dir.at("work/a.js")).text();
  expect(await pith("-p", "go", "--model", dir.at("script.json"))).toMatchObject({ code: 0, out: "Written.\n" });
  expect(await text()).toBe("const two = f(2);\n");
  expect(await pith("undo")).toMatchObject({ code: 0 });
  expect(await text()).toBe("const one = f(1);\n");
  expect(await pith("-p", "fix it", "--model", "faux/tour")).toMatchObject({ code: 0 });
  expect(existsSync(dir.at("home/.pith/sessions"))).toBe(true);
});
