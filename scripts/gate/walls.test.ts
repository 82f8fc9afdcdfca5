import { describe, expect, test } from "bun:test";
import { scratch } from "../../packages/kit/src/test/index.ts";
import { reachOf } from "./source.ts";
import { checkWalls } from "./walls.ts";

async function findings(files: Record<string, string>): Promise<string[]> {
  using dir = scratch();
  dir.write(files);
  return (await checkWalls(dir.path)).findings.map((it) => `${it.file}:${it.line} ${it.text}`);
}

/** Complaint, file, content, expected finding. */
const faults: [string, string, string, RegExp][] = [
  [
    "a package imports one it does not know",
    "llm/src/a.ts",
    'import { x } from "@pith/agent";',
    /llm does not know agent/,
  ],
  ["a type-only import crosses a wall", "kit/src/a.ts", 'import type { X } from "@pith/llm";', /kit does not know llm/],
  ["a re-export crosses a wall", "host/src/a.ts", 'export { x } from "@pith/llm";', /host does not know llm/],
  ["a re-exported type crosses a wall", "tui/src/a.ts", 'export type * from "@pith/agent";', /tui does not know agent/],
  [
    "a late import crosses a wall",
    "serve/src/a.ts",
    'const it = await import("@pith/coder");',
    /serve does not know coder/,
  ],
  [
    "a type written as an import crosses a wall",
    "agent/src/a.ts",
    'export type X = import("@pith/host").X;',
    /agent does not know host/,
  ],
  ["a package is entered beside its door", "cli/src/main.ts", 'import "@pith/kit/src/text.ts";', /not a door/],
  [
    "a package is entered by path",
    "cli/src/main.ts",
    'import { x } from "../../kit/src/text.ts";',
    /leaves the package/,
  ],
  ["a product file uses the test kit", "cli/src/main.ts", 'import { screen } from "@pith/tui/test";', /is for tests/],
  [
    "a product file uses what tests share",
    "agent/src/loop/a.ts",
    'import { fake } from "../test/fake.ts";',
    /is for tests/,
  ],
  [
    "a lower room of coder imports an upper one",
    "coder/src/policy/a.ts",
    'import type { X } from "../tools/read/read.ts";',
    /policy is below tools/,
  ],
  [
    "a room of coder imports coder.ts",
    "coder/src/hall/a.ts",
    'import { X } from "../coder.ts";',
    /hall is below coder.ts/,
  ],
  [
    "a tool imports a loose file at the top of coder",
    "coder/src/tools/read/read.ts",
    'import "../../open.ts";',
    /tools is below open.ts/,
  ],
  ["a room of coder has no floor", "coder/src/stuff/a.ts", 'import "../setting/a.ts";', /stuff\/ has no floor/],
  [
    "a tool imports another tool",
    "coder/src/part/read/read.ts",
    'import "../edit/edit.ts";',
    /neighbours in coder\/src\/part\//,
  ],
  ["a view imports a report", "cli/src/view/a.ts", 'import "../report/tar.ts";', /view is below report/],
  ["the wire imports a mode", "cli/src/wire/a.ts", 'import "../mode/print/text.ts";', /wire is below mode/],
  ["one mode imports another", "cli/src/mode/rpc/a.ts", 'import "../print/text.ts";', /neighbours in cli\/src\/mode\//],
  [
    "a mode imports host",
    "cli/src/mode/print/a.ts",
    'import { x } from "@pith/host";',
    /mode and view do not know host/,
  ],
  [
    "a view imports host",
    "cli/src/view/a.ts",
    'import type { X } from "@pith/host";',
    /mode and view do not know host/,
  ],
  [
    "a tool starts a process",
    "coder/src/tools/bash/bash.ts",
    'import { spawn } from "child_process";',
    /processes are started in host\/exec/,
  ],
  ["host starts a process outside exec", "host/src/git/git.ts", "Bun.spawn([]);", /processes are started/],
  [
    "host starts a process by another's hand",
    "host/src/git/a.ts",
    'import { spawn } from "../exec/platform.ts";',
    /started/,
  ],
  ["the shell of Bun is used outside exec", "host/src/git/git.ts", "await Bun.$`ls`;", /processes are started/],
  ["git is the first word of a list", "host/src/git/a.ts", 'const argv = ["git", "status"];', /git is not started/],
  ["git is the first word of a call", "cli/src/a.ts", "spawn('git', argv);", /git is not started/],
  ["git is named by its path", "host/src/exec/a.ts", 'run(["/usr/bin/git"]);', /git is not started/],
  ["git is in a command for a shell", "host/src/exec/a.ts", 'run(["sh", "-c", `git status`]);', /git is not started/],
  [
    "the environment is read below cli",
    "coder/src/setting/a.ts",
    "const home = process.env.HOME;",
    /environment is read in cli/,
  ],
  [
    "the environment is read by another spelling",
    "host/src/a.ts",
    'globalThis.process["env"];',
    /environment is read in cli/,
  ],
  ["the environment is read through an alias", "agent/src/a.ts", "const { env } = process;", /keeps its own name/],
  [
    "the environment is read through a module",
    "agent/src/a.ts",
    'import { env } from "node:process";',
    /keeps its own name/,
  ],
  [
    "a tool writes to the terminal",
    "coder/src/tools/read/read.ts",
    "process.stdout.write('x');",
    /terminals are known/,
  ],
  ["a library writes to stderr", "kit/src/log.ts", "process.stderr.write('x');", /terminals are known/],
  ["a Bun-only call stands in the agent", "agent/src/a.ts", "Bun.file('x');", /platform\.ts/],
  ["a Bun-only call stands in host", "host/src/fs/a.ts", "Bun.file('x');", /platform\.ts/],
  ["a Bun-only module stands in llm", "llm/src/a.ts", 'import { Database } from "bun:sqlite";', /platform\.ts/],
  [
    "a part imports another",
    "coder/src/part/todo.ts",
    'import { undo } from "./undo/undo.ts";',
    /do not import each other/,
  ],
  ["a part imports a file beside it", "coder/src/part/a.ts", 'import { b } from "./b.ts";', /do not import each other/],
  ["an import hides its target", "llm/src/a.ts", "await import(name);", /an import names its file/],
  [
    "an import hides its target in a template",
    "llm/src/a.ts",
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is source text
    "await import(`./data/${name}.json`);",
    /an import names its file/,
  ],
];

describe("the walls report it when", () => {
  test.each(faults)("%s", async (_, file, source, expected) => {
    const told = await findings({ [file]: `// a comment\n${source}\n` });
    expect(told).toHaveLength(1);
    expect(told[0]).toMatch(expected);
    expect(told[0]).toStartWith(`${file}:2 `);
  });

  test("files import each other in a circle, be it by types", async () => {
    const told = await findings({
      "agent/src/a.ts": 'import type { B } from "./b.ts";\nexport type A = B;',
      "agent/src/b.ts": 'export type { C } from "./c/c.ts";',
      "agent/src/c/c.ts": 'export const late = () => import("../a.ts");',
      "agent/src/d.ts": 'import "./a.ts";',
    });
    expect(told).toEqual([
      "agent/src/a.ts:1 cycle: agent/src/a.ts → agent/src/b.ts → agent/src/c/c.ts → agent/src/a.ts",
    ]);
  });
});

test("the walls let through what the plan of the house allows", async () => {
  const told = await findings({
    "coder/src/coder.ts":
      'import { read } from "./tools/index.ts";\nimport type { Tool } from "@pith/agent";\nimport x from "./prompts/base.md";',
    "coder/src/tools/index.ts": 'import { read } from "./read/read.ts";\nimport { edit } from "./edit/edit.ts";',
    "coder/src/tools/read/read.ts": 'import { resolvePath } from "../path.ts";\nimport { readText } from "@pith/host";',
    "coder/src/tools/read/read.test.ts": 'import { faux } from "@pith/llm/faux";\nprocess.env.HOME;\nBun.spawn([]);',
    "cli/src/main.ts":
      'const { launch } = await import("./command/launch.ts");\nprocess.stdout.write(process.env.HOME ?? "");',
    "cli/src/command/launch.ts":
      'import { printText } from "../mode/print/text.ts";\nimport { findShell } from "@pith/host";',
    "cli/src/mode/print/a.test.ts": 'import { screen } from "@pith/tui/test";',
    "cli/src/test/fake.ts": 'import { exit } from "../io/interrupt.ts";\nprocess.stdout.write("");',
    "cli/src/mode/print/b.test.ts": 'import { fake } from "../../test/fake.ts";',
    "host/src/exec/platform.ts": "Bun.spawn([]);",
    "llm/src/platform.ts": "export const parse = Bun.YAML.parse;",
    "host/src/git/a.ts": 'join(dir, "git", "objects"); const kind = { is: "git" }; fill("gitignore");',
    "kit/src/timing.ts": "const env = process.env;",
  });
  expect(told).toEqual([]);
});

test("words inside comments, strings, templates and patterns are not taken for imports", () => {
  const source = [
    '// import "a"',
    '/* export * from "b" */',
    "const s = 'import \"c\"';",
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is source text
    'const t = `import "d" ${x ? `${{ y: import("real-1") }.y}` : "}"} process.env`;',
    'const r = /import "e"|[\'"`]/.test(z) / 2;',
    'const o = { import: 1, export: 2 }; o.import("f");',
    'export default o; import "real-2";',
    'import def, { type A as B, "odd name" as c } from "real-3";',
    'import * as all from "real-4" with { type: "json" };',
    "export const from = 1;",
  ].join("\n");
  const reach = reachOf(source);
  expect(reach.imports).toEqual([
    { specifier: "real-1", line: 4 },
    { specifier: "real-2", line: 7 },
    { specifier: "real-3", line: 8 },
    { specifier: "real-4", line: 9 },
  ]);
  expect(reach.names.map((it) => it.name)).not.toContain("process.env");
  expect(reach.computed).toEqual([]);
});
