// pith as a package registry would deliver it: packed, unpacked by one user, run by another.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { chmodSync, cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { root } from "../need.ts";
import { envOf } from "../pith.ts";
import { run, scratch } from "../scratch.ts";

const dir = scratch(afterAll);
const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const needed = Object.keys({ ...manifest.dependencies, ...manifest.optionalDependencies });
const env = { ...envOf(dir), PATH: process.env.PATH ?? "" };
let files: string[] = [];
let size = 0;

beforeAll(async () => {
  const { out } = await run(["npm", "pack", "--dry-run", "--json"], { cwd: root, env });
  const [packed] = JSON.parse(out.slice(out.indexOf("[\n")));
  files = packed.files.map((file: { path: string }) => file.path);
  size = packed.size;
  for (const file of files) {
    mkdirSync(dirname(dir.at("pith", file)), { recursive: true });
    cpSync(join(root, file), dir.at("pith", file));
  }
  for (const name of needed.filter((each) => Bun.file(join(root, "node_modules", each, "package.json")).size > 0)) {
    mkdirSync(dirname(dir.at("pith/node_modules", name)), { recursive: true });
    symlinkSync(join(root, "node_modules", name), dir.at("pith/node_modules", name));
  }
  dir.write({
    "work/a.ts": "export function twice(n: number) {\n  return n * 2;\n}\n",
    "home/.keep": "",
    "tmp/.keep": "",
  });
  for (const each of [dir.path, ...["home", "work", "tmp"].map((name) => dir.at(name))]) chmodSync(each, 0o777);
}, 60_000);

/** By somebody who may not write where it stands. */
function delivered(...args: string[]) {
  const as = process.getuid?.() === 0 && Bun.which("setpriv") ? ["setpriv", "--reuid=65534", "--clear-groups"] : [];
  return run([...as, "node", dir.at("pith/bin/pith"), ...args], { cwd: dir.at("work"), env });
}

test("the package holds what runs, and no test, benchmark or source", () => {
  const strange = files.filter(
    (file) => !/^(?:bin|dist\/(?:lib|sdk)|scripts\/boot)\/|^docs\/pith\.1$|^[\w.-]+\.(?:json|md)$|^LICENSE$/.test(file),
  );
  expect(strange).toEqual([]);
  expect(files.filter((file) => /test|bench|fixture/.test(file))).toEqual([]);
  expect(files).toContain("bin/pith");
  expect(files).toContain("dist/lib/main.js");
  expect(files).toEqual(expect.arrayContaining(manifest.man));
});

test("the licences of all that is built into the package go along with it", () => {
  const text = readFileSync(dir.at("pith/dist/lib/LICENSES.txt"), "utf8");
  for (const name of ["yaml ", "zod ", "@opentelemetry/api ", "tree-sitter-elixir", "Apache License", "Model catalogs"])
    expect([name, text.includes(name)]).toEqual([name, true]);
  expect(text).not.toContain("not said");
});

test("the page on installing tells how large the package is", () => {
  const said = Number(/The package is ([\d.]+) MB/.exec(readFileSync(join(root, "docs/install.md"), "utf8"))?.[1]);
  expect(Math.abs(size / 1e6 / said - 1)).toBeLessThan(0.1);
});

test("every dependency of the package is pinned, and is the one the sources are tested with", () => {
  const tested = Object.assign(
    {},
    ...["packages/host", "packages/coder", "runtime"].map((each) => {
      const { dependencies, optionalDependencies } = JSON.parse(readFileSync(join(root, each, "package.json"), "utf8"));
      return { ...dependencies, ...optionalDependencies };
    }),
  );
  // Type dependencies are the workspace's own.
  const { "@types/node": types, ...wanted } = { ...manifest.dependencies, ...manifest.optionalDependencies };
  expect(readFileSync(join(root, "bun.lock"), "utf8")).toContain(`"@types/node@${types}"`);
  expect(wanted).toEqual(Object.fromEntries(Object.keys(wanted).map((name) => [name, tested[name]])));
});

test("what somebody else installed runs whole, and writes nothing where it is installed", async () => {
  const before = readdirSync(dir.at("pith"), { recursive: true }).sort();
  expect(await delivered("--version")).toMatchObject({ code: 0, out: `${manifest.version}\n`, err: "" });
  expect((await delivered("tool", "search", '{"pattern":"twice"}')).out).toContain("twice(n: number)");
  expect((await delivered("tool", "ast_grep", '{"pat":"return $X","path":"a.ts"}')).out).toContain("n * 2");
  expect((await delivered("help", "models")).out).toContain("pith models");
  expect(await delivered("-p", "fix it", "--model", "faux/tour")).toMatchObject({ code: 0 });
  expect(readdirSync(dir.at("pith"), { recursive: true }).sort()).toEqual(before);
}, 60_000);
