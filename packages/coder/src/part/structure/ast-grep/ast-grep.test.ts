import { expect, test } from "bun:test";
import { renameSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { resultFields } from "@pith/agent";
import { fail, ok } from "@pith/kit";
import { openProject } from "../../../test/project.ts";
import { intentOf, runTool } from "../../../test/run.ts";
import { runSwapped } from "../../../test/swap.ts";
import { astGrep } from "./ast-grep.ts";
import type { AstGrepOptions } from "./run.ts";

const { cwd, files, snapshots, put, at } = openProject("ast-grep");
put("src/a.ts", "import x from 'y';\nconsole.log(1);\nif (a) {\n  console.log(2, 3);\n}\n");
put("src/b.py", "def f():\n    print(1)\n    print(2)\n");
put("src/deep/c.tsx", "const c = <p onClick={() => console.log(4)} />;\n");
put("notes.md", "console.log(5)\n");
put("node_modules/m/i.js", "console.log(6);\n");
put("node_modules/m/node_modules/n/j.js", "inner(6);\n");
put(".gitignore", "ignored/\nnode_modules\n");
put("ignored/i.ts", "console.log(7);\n");
put("bad.ts", "console.log(8);\nlet = = ;\n");

const options: AstGrepOptions = { files, env: {}, snapshots, tags: "left out", room: () => 32 * 1024 };
const call = { id: "1", signal: new AbortController().signal, progress() {} };
const run = (
  input: { pat?: string; pats?: string[]; paths: string[]; limit?: number; skip?: number },
  more: Partial<AstGrepOptions> = {},
) => runTool(astGrep({ ...options, ...more }), input, call);
const said = async (...args: Parameters<typeof run>) => {
  const [block] = resultFields(await run(...args)).content;
  return block?.type === "text" ? block.text : "";
};

test("matches are grouped by file, each file in its own language", async () => {
  expect(await run({ pats: ["console.log($$$)", "print($A)"], paths: ["src"] })).toMatchObject({
    kind: "matches",
    data: { pattern: "console.log($$$) | print($A)", scopePath: "src", fileCount: 3, matchCount: 5 },
    text: [
      "[src/a.ts]\n*2|console.log(1);\n*4|  console.log(2, 3);\n",
      "[src/b.py]\n*2|    print(1)\n*3|    print(2)\n",
      "[src/deep/c.tsx]\n*1|const c = <p onClick={() => console.log(4)} />;",
    ].join("\n"),
  });
});

test("a match over several lines is shown with all of them, a very long one with its beginning", async () => {
  expect(await said({ pat: "if ($C) { $$$ }", paths: ["src/a.ts"] })).toBe(
    "[src/a.ts]\n*3|if (a) {\n 4|  console.log(2, 3);\n 5|}",
  );
  put("long.ts", `if (a) {\n${"  b();\n".repeat(20)}}\n`);
  expect(await said({ pat: "if ($C) { $$$ }", paths: ["long.ts"] })).toBe(
    `[long.ts]\n*1|if (a) {\n${[2, 3, 4, 5, 6].map((n) => ` ${n}|  b();`).join("\n")}\n...`,
  );
});

test("a result carries the tag that an edit can refer to without a read", async () => {
  const text = await said({ pat: "print($A)", paths: ["src/b.py"] }, { tags: "shown" });
  const tag = /^\[src\/b\.py#([0-9A-F]{4})\]\n\*2:/.exec(text)?.[1] ?? "";
  expect(snapshots.find(join(cwd, "src/b.py"), tag)).toMatchObject({ text: "def f():\n    print(1)\n    print(2)\n" });
});

test("ignored files and node_modules stay out unless they are named", async () => {
  expect(await said({ pat: "console.log($A)", paths: ["."] })).not.toMatch(/node_modules|ignored|notes/);
  expect(await said({ pat: "console.log($A)", paths: ["node_modules/**/*.js"] })).toBe(
    "[node_modules/m/i.js]\n*1|console.log(6);",
  );
  expect(await said({ pat: "inner($A)", paths: ["node_modules"] })).toBe(
    "[node_modules/m/node_modules/n/j.js]\n*1|inner(6);",
  );
  expect(await said({ pat: "console.log($A)", paths: ["ignored/i.ts"] })).toBe("[ignored/i.ts]\n*1|console.log(7);");
});

test("globs choose by path, and a bare name at any depth", async () => {
  expect((await run({ pat: "console.log($$$)", paths: ["src/*.ts"] })).data).toMatchObject({
    fileCount: 1,
    matchCount: 2,
  });
  expect((await run({ pat: "console.log($$$)", paths: ["*.tsx"] })).data).toMatchObject({
    fileCount: 1,
    matchCount: 1,
  });
  expect((await run({ pat: "console.log($$$)", paths: ["src/**/*.{ts,tsx}", "src/a.ts"] })).data).toMatchObject({
    fileCount: 2,
    matchCount: 3,
  });
});

test("without paths the project is searched", async () => {
  const { data } = await runTool(astGrep(options), { pat: "print($A)" }, call);
  expect(data).toMatchObject({ scopePath: ".", files: ["src/b.py"], fileMatches: [{ path: "src/b.py", count: 2 }] });
});

test("a page that is full ends there, and the next one goes on with the next match", async () => {
  for (let i = 10; i < 40; i++) put(`full/${i}.ts`, `mark("${"x".repeat(480)}");\n`.repeat(10));
  const seen: number[] = [];
  for (let skip = 0; skip < 300; ) {
    const got = await run({ pat: "mark($A)", paths: ["full"], limit: 1000, skip });
    expect(Buffer.byteLength(got.text)).toBeLessThanOrEqual(50 * 1024);
    const { matchCount } = got.data as { matchCount: number };
    expect(got.meta?.notes).toEqual(
      skip + matchCount < 300 ? [`300 matches in all; go on with skip: ${skip + matchCount}`] : [],
    );
    seen.push(matchCount);
    skip += matchCount;
  }
  expect(seen.reduce((sum, count) => sum + count, 0)).toBe(300);
  rmSync(join(cwd, "full"), { recursive: true });
});

test("limit and skip page through the matches", async () => {
  expect(await said({ pat: "console.log($$$)", paths: ["src"], limit: 2 })).toEndWith(
    "*4|  console.log(2, 3);\n\n[3 matches in all; go on with skip: 2]",
  );
  expect(await said({ pat: "console.log($$$)", paths: ["src"], skip: 2 })).toBe(
    "[src/deep/c.tsx]\n*1|const c = <p onClick={() => console.log(4)} />;",
  );
  expect(await said({ pat: "console.log($$$)", paths: ["src"], skip: 9 })).toBe("No matches after the first 3");
});

test("a file that does not parse is searched and named, a pattern that fits no language is explained", async () => {
  expect(await said({ pat: "console.log($A)", paths: ["bad.ts"] })).toBe(
    "[bad.ts]\n*1|console.log(8);\n\nParse issues:\n- bad.ts: the grammar does not know line 2; matches may be missing",
  );
  const none = await run({ pat: "def (", paths: ["src"] });
  expect(none.failed).toBeUndefined();
  expect(none.text).toBe("No matches\n\nParse issues:\n- `def (` does not parse as python");
});

test("a name without its directory brings the path that is meant", async () => {
  expect((await run({ pat: "print($A)", paths: ["b.py"] })).text).toBe("There is no b.py. Did you mean src/b.py?");
});

test("paths that are missing are told; only when all are it is an error", async () => {
  expect(await said({ pat: "print($A)", paths: ["src/b.py", "gone"] })).toEndWith("[There is no gone]");
  expect(await run({ pat: "x()", paths: ["gone", "lost/*.ts"] })).toMatchObject({
    failed: true,
    text: "There is no gone\nThere is no lost/*.ts",
  });
  expect(await run({ pat: "x()", paths: [" "] })).toMatchObject({
    failed: true,
    text: "An entry of paths is empty",
  });
  expect(await run({ pat: "x()", paths: ["skill://a/*"] })).toMatchObject({
    failed: true,
    text: "skill://a/*: an address is a name, no pattern",
  });
  expect(await run({ pat: "x()", paths: ["//"] })).toMatchObject({ failed: true });
  expect(await run({ paths: ["src"] })).toMatchObject({ failed: true, text: "Give a pattern in pat or pats" });
  expect(await run({ pat: " ", paths: ["src"] })).toMatchObject({ failed: true, text: "A pattern is empty" });
});

test("a file that is named and cannot be parsed is told", async () => {
  put("data.bin", "\0\0");
  put("notes.txt", "text\n");
  expect(await said({ pat: "print($A)", paths: ["data.bin", "notes.txt", "src/b.py"] })).toEndWith(
    "[data.bin is not text in a language that can be parsed. notes.txt is not text in a language that can be parsed]",
  );
});

test("an internal address stands for the file behind it, and one without a file is refused", async () => {
  const urls = {
    resolve: async (href: string) =>
      href === "local://b.py"
        ? ok({ file: join(cwd, "src/b.py") })
        : href === "local://gone"
          ? ok({ file: join(cwd, "gone") })
          : href === "agent://x"
            ? ok({ text: "no file" })
            : fail("url" as const, `no ${href}`),
  };
  expect(await said({ pat: "print(1)", paths: ["local://b.py"] }, { urls })).toBe("[src/b.py]\n*2|    print(1)");
  expect(await run({ pat: "x()", paths: ["local://gone"] }, { urls })).toMatchObject({
    failed: true,
    text: "There is no local://gone",
  });
  expect(await run({ pat: "x()", paths: ["agent://x"] }, { urls })).toMatchObject({
    failed: true,
    text: expect.stringContaining("agent://x has no file behind it"),
  });
  expect(await run({ pat: "x()", paths: ["nope://x"] }, { urls })).toMatchObject({ failed: true, text: "no nope://x" });
  expect(await run({ pat: "x()", paths: ["local://b.py"] })).toMatchObject({
    failed: true,
    text: expect.stringContaining("has no file behind it"),
  });
});

test("the number of files shown is limited and the limit is told", async () => {
  expect(await said({ pat: "console.log($$$)", paths: ["src"] }, { env: { PITH_MAX_AST_FILES: "1" } })).toEndWith(
    "[More files match than are looked at; narrow paths]",
  );
});

test("a stopped search stops", async () => {
  const stop = new AbortController();
  stop.abort();
  expect(
    runTool(astGrep(options), { pat: "x()", paths: ["src/a.ts"] }, { ...call, signal: stop.signal }),
  ).rejects.toThrow();
});

const outside = openProject("ast-grep-outside");
outside.put("key.ts", "secret(1);\n");

test("a search does not follow links out of the directory it was allowed", async () => {
  put("links/a.ts", "secret(2);\n");
  symlinkSync("/etc", at("links/etc"));
  symlinkSync(outside.cwd, at("links/out"));
  symlinkSync(outside.at("key.ts"), at("links/key.ts"));
  expect(await said({ pat: "secret($A)", paths: ["links"] })).toBe("[links/a.ts]\n*1|secret(2);");
  expect((await intentOf(astGrep(options), { pat: "x", paths: ["links/out", "links/key.ts"] })).paths).toEqual([
    { effect: "read", path: at("links/out"), real: outside.cwd },
    { effect: "read", path: at("links/key.ts"), real: outside.at("key.ts") },
  ]);
  rmSync(at("links"), { recursive: true });
});

test("what is put in the place of a path after the verdict is not searched", async () => {
  put("swap/key.ts", "judged(1);\n");
  for (const path of ["turning", "turning/key.ts", "turning/*.ts"]) {
    rmSync(at("turning"), { force: true });
    symlinkSync(at("swap"), at("turning"));
    const { looked, blind } = await runSwapped(astGrep(options), { pat: "$F(1)", paths: [path] }, () => {
      rmSync(at("turning"));
      symlinkSync(outside.cwd, at("turning"));
    });
    expect(looked.failed).toBe(true);
    expect(blind.text).toContain("judged(1)");
    expect(blind.text).not.toContain("secret");
  }
  const { looked } = await runSwapped(astGrep(options), { pat: "$F(1)", paths: ["swap/key.ts"] }, () => {
    renameSync(at("swap/key.ts"), at("swap/old.ts"));
    symlinkSync(outside.at("key.ts"), at("swap/key.ts"));
  });
  expect(looked.text).toBe("leads elsewhere");
});
