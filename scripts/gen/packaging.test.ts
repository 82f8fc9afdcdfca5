import { expect, setDefaultTimeout, test } from "bun:test";
import { chmodSync, existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { need, root } from "../../test/need.ts";
import { run, type Scratch, scratch } from "../../test/scratch.ts";
import { makePackaging } from "./packaging.ts";
import { outputOf, targets } from "./target.ts";

setDefaultTimeout(120_000);

const { version } = await Bun.file(join(root, "package.json")).json();
const sum = (text: string) => new Bun.CryptoHasher("sha256").update(text).digest("hex");
const sh = (command: string, cwd: string, env: Record<string, string> = {}) =>
  run(["sh", "-c", command], { cwd, env: Object.assign({ PATH: process.env.PATH ?? "" }, env) });

/** A release whose files are small scripts. */
function released(dir: Scratch): string {
  const program = `#!/bin/sh\necho ${version}\n`;
  const names = Object.keys(targets).map((target) => outputOf(target as keyof typeof targets));
  for (const name of names) dir.write({ [`out/${name}`]: program });
  for (const name of names) chmodSync(dir.at("out", name), 0o755);
  dir.write({ "out/SHA256SUMS": names.map((name) => `${sum(program)}  ${name}\n`).join("") });
  return dir.at("out");
}

test("every hole of the packaging files is filled with the version and the checksums of a release", async () => {
  using dir = scratch();
  const folder = released(dir);
  await makePackaging(folder);
  const files = readdirSync(join(folder, "packaging"), { recursive: true, encoding: "utf8" })
    .map((name) => join(folder, "packaging", name))
    .filter((name) => statSync(name).isFile());
  for (const name of files) expect([name, readFileSync(name, "utf8").includes("{{")]).toEqual([name, false]);
  expect(readFileSync(join(folder, "packaging/homebrew/pith.rb"), "utf8")).toContain(`version "${version}"`);
  const feature = await Bun.file(join(folder, "packaging/devcontainer/devcontainer-feature.json")).json();
  expect(feature).toMatchObject({ id: "pith", version, options: { version: { default: version } } });
  dir.write({ "out/SHA256SUMS": "" });
  expect(makePackaging(folder)).rejects.toThrow(
    "packaging/homebrew/pith.rb: nothing fills {{sha256 pith-darwin-arm64}}",
  );
});

test.skipIf(need("ruby") !== undefined)("the formula is Ruby", async () => {
  using dir = scratch();
  await makePackaging(released(dir));
  expect(await sh("ruby -wc out/packaging/homebrew/pith.rb", dir.path)).toMatchObject({ code: 0, err: "" });
});

test.skipIf(need("nix-instantiate") !== undefined)("the flake is Nix", async () => {
  using dir = scratch();
  await makePackaging(released(dir));
  const env = { HOME: dir.path, NIX_STATE_DIR: dir.at("nix"), NIX_STORE_DIR: dir.at("store") };
  expect(await sh("nix-instantiate --parse out/packaging/nix/flake.nix", dir.path, env)).toMatchObject({ code: 0 });
});

test.skipIf(need("shellcheck") !== undefined)("the installer is a script that any POSIX shell reads", async () => {
  expect(await sh("shellcheck --shell=sh packaging/install.sh", root)).toMatchObject({ code: 0, out: "" });
});

test("the image copies what the release has, and every line of it is an instruction", async () => {
  using dir = scratch();
  await makePackaging(released(dir));
  const folder = dir.at("out/packaging/docker");
  const lines = readFileSync(join(folder, "Dockerfile"), "utf8").replace(/\\\n/g, " ").split("\n").filter(Boolean);
  for (const line of lines) expect(line).toMatch(/^(?:#|FROM|RUN|ARG|COPY|USER|WORKDIR|VOLUME|ENTRYPOINT) ?/);
  for (const architecture of ["amd64", "arm64"])
    expect(await sh(`./${architecture}/pith`, folder)).toMatchObject({ out: `${version}\n` });
});

test.skipIf(need("dpkg-deb") !== undefined)(
  "a Debian package holds the program, its page and its licence",
  async () => {
    using dir = scratch();
    const made = await makePackaging(released(dir));
    const [, file = ""] = made;
    expect(file).toEndWith(`pith_${version}_amd64.deb`);
    expect(await sh(`dpkg-deb --extract '${file}' into && ./into/usr/bin/pith`, dir.path)).toMatchObject({
      code: 0,
      out: `${version}\n`,
    });
    expect((await sh(`dpkg-deb --field '${file}' Architecture Version`, dir.path)).out).toBe(
      `Architecture: amd64\nVersion: ${version}\n`,
    );
    expect((await sh("zcat into/usr/share/man/man1/pith.1.gz", dir.path)).out).toStartWith(".");
    expect(existsSync(dir.at("into/usr/share/doc/pith/copyright"))).toBe(true);
  },
);

const noCurl = need("curl");
test.skipIf(noCurl !== undefined)("the installer takes only a file with the checksum of the release", async () => {
  using dir = scratch();
  const folder = released(dir);
  let spoiled = "";
  const served: string[] = [];
  using server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch(request) {
      const name = new URL(request.url).pathname;
      served.push(name);
      const file = Bun.file(join(folder, name.split("/").at(-1) ?? ""));
      return name.endsWith(spoiled) && spoiled ? new Response("other bytes") : new Response(file);
    },
  });
  const env = { HOME: dir.path, PITH_BIN: dir.at("bin"), PITH_RELEASES: `http://127.0.0.1:${server.port}/releases` };
  const install = (more: Record<string, string> = {}) =>
    sh(`sh ${join(root, "packaging/install.sh")}`, dir.path, Object.assign({}, env, more));
  const name = `pith-${process.platform}-${process.arch}`;
  expect(await install()).toMatchObject({
    code: 0,
    err: expect.stringContaining(`${version} is at ${dir.at("bin/pith")}`),
  });
  expect(served.at(-1)).toStartWith(`/releases/latest/download/${name}`);
  await install({ VERSION: "1.2.3" });
  expect(served.at(-1)).toStartWith(`/releases/download/v1.2.3/${name}`);
  const before = readFileSync(dir.at("bin/pith"), "utf8");
  const refused = async (reason: string) => {
    expect(await install()).toMatchObject({ code: 1, err: expect.stringContaining(reason) });
    expect(readFileSync(dir.at("bin/pith"), "utf8")).toBe(before);
    expect(readdirSync(dir.at("bin"))).toEqual(["pith"]);
  };
  spoiled = name;
  await refused("the download is not what the release names; nothing was installed");
  spoiled = "SHA256SUMS";
  await refused(`the release has no ${name}`);
  await server.stop(true);
  await refused("SHA256SUMS cannot be fetched");
});
