// The launchers on a fresh clone, with a registry made of two shell scripts: no network, and every call is written
// down.
import { expect, test } from "bun:test";
import { cpSync, mkdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { root } from "../need.ts";
import { run, type Scratch, scratch } from "../scratch.ts";

const node = Bun.which("node") ?? "node";
const bun = "node_modules/@oven/bun-test";
const machine = { version: "1.0.0", os: [process.platform], cpu: [process.arch] };

/** A fake Bun for npm to install: it logs installs, and prints the arguments of other calls. */
const fakeBun = (name: string) => `#!/bin/sh
if [ "$1" = install ]; then
  echo "${name} $*" >> "$LOG"; sleep 0.2; mkdir -p node_modules; exit 0
fi
echo "${name} in $(pwd) with $*"
env | grep -E '^(INIT_CWD|npm_|PATH)' >&2
exit 7
`;
const npm = (install: string) => `#!/bin/sh
echo "npm $1 in $(pwd)" >> "$LOG"
${install}
`;
const installing = (packages: Record<string, object>) => {
  const files = Object.keys(packages).map(
    (path) => `mkdir -p ${path}/bin; cp "$TOOLS/${path.replaceAll("/", "-")}" ${path}/bin/bun`,
  );
  return npm(
    [
      "rm -rf node_modules; sleep 0.2",
      ...files,
      `echo '${JSON.stringify({ packages })}' > node_modules/.package-lock.json`,
    ].join("\n"),
  );
};

function freshClone(dir: Scratch, packages: Record<string, object> = { [bun]: machine }) {
  for (const file of ["bin", "scripts/boot"]) cpSync(join(root, file), dir.at("clone", file), { recursive: true });
  dir.write({
    "clone/package.json": '{ "type": "module" }',
    "clone/bun.lock": "",
    "clone/packages/kit/package.json": "{}",
    "clone/runtime/package.json": "{}",
    "clone/runtime/package-lock.json": JSON.stringify({ packages }),
    "tools/npm": installing(packages),
    ...Object.fromEntries(
      Object.keys(packages).map((path) => [
        `tools/${path.replaceAll("/", "-")}`,
        fakeBun(path.split("/").at(-1) ?? ""),
      ]),
    ),
  });
  const env = {
    PATH: `${dir.at("tools")}:${dirname(node)}:/usr/bin:/bin`,
    LOG: dir.at("log"),
    TOOLS: dir.at("tools"),
    HOME: dir.path,
  };
  return {
    env,
    start: (name: "bun" | "pith", args: string[], more: Record<string, string> = {}) =>
      run([node, dir.at("clone", "bin", name), ...args], { cwd: dir.path, env: { ...env, ...more } }),
    calls: () => readFileSync(dir.at("log"), "utf8").trim().split("\n"),
  };
}

test("a fresh clone installs what is missing once, says so on stderr only, and starts", async () => {
  using dir = scratch();
  const clone = freshClone(dir);
  const first = await clone.start("bun", ["x", "tsc"]);
  expect(first.out).toBe(`bun-test in ${dir.path} with x tsc\n`);
  expect(first.err).toStartWith(
    "pith: installing the pinned Bun into runtime/ (once)\npith: installing the workspace from bun.lock\n",
  );
  expect(first.code).toBe(7);
  const installs = [`npm ci in ${dir.at("clone", "runtime")}`, "bun-test install --frozen-lockfile --ignore-scripts"];
  expect(clone.calls()).toEqual(installs);
  const second = await clone.start("bun", ["x", "tsc"]);
  expect(second.err).not.toContain("installing");
  expect(clone.calls()).toEqual(installs);
});

test("several starts at the same time on a fresh clone install once and all run", async () => {
  using dir = scratch();
  const clone = freshClone(dir);
  const ended = await Promise.all([1, 2, 3, 4].map((n) => clone.start("bun", [`${n}`])));
  expect(ended.map((it) => it.out)).toEqual([1, 2, 3, 4].map((n) => `bun-test in ${dir.path} with ${n}\n`));
  expect(clone.calls()).toHaveLength(2);
});

test("a changed dependency list is installed at the next start, unless it is the change itself", async () => {
  using dir = scratch();
  const clone = freshClone(dir);
  await clone.start("bun", ["--version"]);
  dir.write({ "clone/packages/llm/package.json": "{}" });
  await clone.start("bun", ["add", "zod"]);
  expect(clone.calls()).toHaveLength(2);
  await clone.start("bun", ["--version"]);
  expect(clone.calls()).toHaveLength(3);
});

test("an install that was killed half-way is repeated, and its lock does not block", async () => {
  using dir = scratch();
  const clone = freshClone(dir);
  dir.write({
    [`clone/runtime/${bun}/bin/bun`]: "half a file",
    [`clone/runtime/${bun}/package.json`]: JSON.stringify(machine),
  });
  mkdirSync(dir.at("clone", "runtime", "install.lock"));
  const long = new Date(Date.now() - 60_000);
  utimesSync(dir.at("clone", "runtime", "install.lock"), long, long);
  expect((await clone.start("bun", ["go"])).out).toBe(`bun-test in ${dir.path} with go\n`);
  expect(clone.calls()).toHaveLength(2);
});

test("a registry that cannot be reached is named, also when npm keeps silent about it", async () => {
  using dir = scratch();
  const clone = freshClone(dir);
  for (const script of ["exit 0", "echo 'npm error code ENOTFOUND' >&2; exit 1"]) {
    writeFileSync(dir.at("tools", "npm"), npm(script));
    const { code, out, err } = await clone.start("pith", ["-p", "hi"]);
    expect(err).toContain("npm could not install Bun. The package registry could not be reached: check the network");
    expect({ code, out }).toEqual({ code: 1, out: "" });
  }
});

test("a machine that Bun does not run on is told so", async () => {
  using dir = scratch();
  const clone = freshClone(dir, { [bun]: { ...machine, os: ["plan9"] } });
  expect((await clone.start("bun", [])).err).toContain(`there is no Bun for ${process.platform} ${process.arch}`);
});

test("a lockfile that does not match names the command that mends it", async () => {
  using dir = scratch();
  const clone = freshClone(dir);
  const tool = dir.at("tools", bun.replaceAll("/", "-"));
  writeFileSync(tool, "#!/bin/sh\necho 'error: lockfile had changes, but lockfile is frozen' >&2; exit 1\n");
  const { code, err } = await clone.start("bun", ["x"]);
  expect(err).toContain("bun.lock does not match the package.json files: run `node bin/bun install`");
  expect(code).toBe(1);
});

test.if(process.platform === "linux")(
  "of the two Buns an older npm leaves on Linux, the one for this C library is started",
  async () => {
    using dir = scratch();
    const clone = freshClone(dir, {
      "node_modules/@oven/bun-a": { ...machine, libc: ["musl"] },
      "node_modules/@oven/bun-b": { ...machine, libc: ["glibc"] },
    });
    const header = (process.report.getReport() as { header: { glibcVersionRuntime?: string } }).header;
    expect((await clone.start("bun", [])).out).toStartWith(header.glibcVersionRuntime ? "bun-b" : "bun-a");
  },
);

test("npm start works in the directory it was called from and leaves npm's variables behind", async () => {
  using dir = scratch();
  const clone = freshClone(dir);
  mkdirSync(dir.at("work"));
  const fromNpm = {
    INIT_CWD: dir.at("work"),
    npm_package_json: dir.at("clone", "package.json"),
    npm_lifecycle_event: "start",
    npm_config_local_prefix: dir.at("clone"),
    npm_config_registry: "kept",
    PATH: [
      dir.at("clone", "node_modules", ".bin"),
      dir.at("node_modules", ".bin"),
      "/x/node_modules/.bin:/y/node-gyp-bin",
      clone.env.PATH,
    ].join(":"),
  };
  const { out, err } = await clone.start("pith", ["-p", "two words", "--help"], fromNpm);
  const at = (...parts: string[]) => dir.at("clone", ...parts);
  const ours = `--config=${at("bin", "bunfig.toml")} --tsconfig-override=${at("tsconfig.json")}`;
  const flags = `--no-env-file --no-install ${ours} ${at("packages", "cli", "src", "main.ts")}`;
  expect(out).toBe(`bun-test in ${dir.at("work")} with ${flags} -- -p two words --help\n`);
  const kept = err.split("\n").filter((line) => /^(?:INIT_CWD|npm_|PATH)/.test(line));
  expect(kept.sort()).toEqual([`PATH=/x/node_modules/.bin:${clone.env.PATH}`, "npm_config_registry=kept"]);
});

test("under the npm script of another project, pith stays where it was started", async () => {
  using dir = scratch();
  const clone = freshClone(dir);
  const { out } = await clone.start("pith", [], { INIT_CWD: "/", npm_package_json: "/elsewhere/package.json" });
  expect(out).toStartWith(`bun-test in ${dir.path} with`);
});
