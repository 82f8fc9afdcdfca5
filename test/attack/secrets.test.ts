// Keys are planted everywhere; none of them may reach the model, the record, an artifact, a log or an export.
import { expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { envOf, main, pith, scripted } from "../pith.ts";
import { type Scratch, scratch } from "../scratch.ts";

const letters = (seed: number, length: number) =>
  Array.from({ length }, (_, at) => "aB3dE5fG7hJ9kLmN0pQrS2tUvW4xYz6"[(at * seed + 3) % 31]).join("");
const token = `ghp_${letters(7, 36)}`;
const inEnv = `env-${letters(11, 20)}`;
const password = "Tr0mbone!77";
const body = [letters(5, 64), letters(13, 64), letters(17, 40)];
const pem = `-----BEGIN PRIVATE KEY-----\n${body.join("\n")}\n-----END PRIVATE KEY-----\n`;
const canaries = [token, inEnv, password, ...body];

function plant(dir: Scratch) {
  const envFile = `# settings\nPORT=3000\nGITHUB=${token}\nDB_PASSWORD=${password}\nLAST=1\n`;
  dir.write({ "work/.env": envFile, "work/key.pem": pem, "work/a.ts": "export const a = 1;\n" });
  return envFile;
}

/** All that pith wrote to its home and the temporary folder. */
function kept(dir: Scratch): string {
  const all: string[] = [];
  for (const root of ["home/.pith/sessions", "home/.pith/logs", "tmp"]) {
    if (!existsSync(dir.at(root))) continue;
    for (const item of readdirSync(dir.at(root), { recursive: true, withFileTypes: true }))
      if (item.isFile()) all.push(readFileSync(join(item.parentPath, item.name), "latin1"));
  }
  return all.join("\n");
}

const noneIn = (text: string) => {
  for (const canary of canaries) expect(text.includes(canary) ? canary : "").toBe("");
};

const env = { MY_SERVICE_TOKEN: inEnv };

const call = (tool: string, input: unknown) => ({ calls: [{ tool, input }] });
const looks: [string, ReturnType<typeof call>][] = [
  ["reading a file of variables", call("read", { path: ".env" })],
  ["reading some lines of it", call("read", { path: ".env:3-4" })],
  ["reading the middle of a private key", call("read", { path: "key.pem:3-3" })],
  ["searching for lines of them", call("search", { pattern: "GITHUB|PASSWORD|^[a-zA-Z0-9]{40}", path: "." })],
  ["printing the environment", call("bash", { command: "env; set; declare -p" })],
  ["printing the files in a shell", call("bash", { command: "cat .env key.pem; sed -n 3p key.pem; nl .env" })],
  [
    "printing a key in two halves",
    call("bash", { command: `printf '%s' '${token.slice(0, 20)}'; sleep 0.2; printf '%s\\n' '${token.slice(20)}'` }),
  ],
  [
    "reading the environment of pith itself",
    call("bash", { command: "cat /proc/$PPID/environ /proc/self/environ | tr '\\0' '\\n'; true" }),
  ],
  [
    "an output too long to be shown",
    call("bash", { command: 'e=$(cat .env); for i in $(seq 4000); do echo "$e"; done' }),
  ],
  ["a job in the background", call("bash", { command: "cat .env", async: true })],
];

test.each(looks)("no key is sent, recorded or kept by %s", async (_, step) => {
  using dir = scratch();
  plant(dir);
  const model = scripted(dir, step, { text: "Done." }, { text: "Over." });
  const { code, out, err } = await pith(dir, ["-p", "go", "--yolo", "--mode", "json", ...model], { env });
  expect(code).toBe(0);
  noneIn(out);
  noneIn(err);
  noneIn(kept(dir));
});

test("what a person types, pipes in and attaches is hidden before it is recorded", async () => {
  using dir = scratch();
  plant(dir);
  dir.write({ "work/AGENTS.md": `Deploy with ${token}.\n` });
  const model = scripted(dir, { text: "Done." });
  const { out } = await pith(dir, ["-p", `use ${token}`, "@.env", "@key.pem", "--mode", "json", ...model], {
    env,
    input: pem,
  });
  noneIn(out);
  noneIn(kept(dir));
  expect(kept(dir)).toMatch(/\[\[secret:[0-9a-f]{8}\]\]/);
});

test("what a model says by itself is streamed without keys, however it is cut", async () => {
  using dir = scratch();
  const said = `Use ${token} with\nDB_PASSWORD=${password}\n${pem}and ${inEnv}.`;
  const steps = [{ thinking: said, text: said, ...call("write", { path: "b.txt", content: said }) }, { text: "Done." }];
  dir.write({ "script.json": JSON.stringify({ chunkSize: 3, turns: steps }) });
  const { out } = await pith(dir, ["-p", "go", "--yolo", "--mode", "json", "--model", dir.at("script.json")], { env });
  const told = out
    .split("\n")
    .flatMap((line) => /_delta","contentIndex":\d+,"delta":("(?:[^"\\]|\\.)*")/.exec(line)?.[1] ?? [])
    .map((text) => JSON.parse(text) as string)
    .join("");
  expect(told.match(/\[\[secret:/g)?.length).toBeGreaterThan(10);
  noneIn(told);
  noneIn(out);
  noneIn(kept(dir));
});

test("an older record is hidden when it is exported or gone on with", async () => {
  using dir = scratch();
  const model = scripted(dir, { text: "One." }, { text: "Two." });
  await pith(dir, ["-p", "say PLANTED please", ...model]);
  const [bucket = ""] = readdirSync(dir.at("home/.pith/sessions"));
  const folder = dir.at("home/.pith/sessions", bucket);
  const name = readdirSync(folder).find((file) => file.endsWith(".jsonl")) ?? "";
  const file = join(folder, name);
  dir.write({ "old.jsonl": readFileSync(file, "utf8").replaceAll("PLANTED", token) });
  for (const form of ["--html", "--md", "--json", "--jsonl"]) {
    const { code, out } = await pith(dir, ["export", dir.at("old.jsonl"), form]);
    expect([form, code, out.includes("[[secret:"), out.includes(token)]).toEqual([form, 0, true, false]);
  }
  const on = await pith(dir, ["-p", "more", "-r", dir.at("old.jsonl"), "--mode", "json", ...model]);
  expect([on.code, on.out.includes(token)]).toEqual([0, false]);
});

test("a file with a key is edited byte for byte in every dialect, by the name of the key", async () => {
  const edits: [string, (name: string) => unknown][] = [
    ["replace", (name) => ({ path: ".env", edits: [{ oldText: `GITHUB=${name}`, newText: `GITHUB_TOKEN=${name}` }] })],
    ["patch", (name) => ({ path: ".env", diff: `@@\n PORT=3000\n-GITHUB=${name}\n+GITHUB_TOKEN=${name}\n` })],
    [
      "apply_patch",
      (name) => ({
        input: `*** Begin Patch\n*** Update File: .env\n@@\n-GITHUB=${name}\n+GITHUB_TOKEN=${name}\n*** End Patch\n`,
      }),
    ],
  ];
  for (const [mode, input] of edits) {
    using dir = scratch();
    const before = plant(dir);
    dir.write({ "home/.pith/config.yml": `edit.mode: ${mode}\n` });
    const read = scripted(dir, call("read", { path: ".env" }), { text: "Read." });
    const seen = await pith(dir, ["-p", "go", "--yolo", "--mode", "json", ...read]);
    const name = /GITHUB=(\[\[secret:[0-9a-f]{8}\]\])/.exec(seen.out)?.[1] ?? "";
    expect([mode, name]).toEqual([mode, expect.stringContaining("[[secret:")]);
    const { out } = await pith(dir, [
      "-p",
      "go",
      "--yolo",
      "--mode",
      "json",
      ...scripted(dir, call("edit", input(name)), { text: "Done." }),
    ]);
    expect([mode, readFileSync(dir.at("work/.env"), "utf8")]).toEqual([
      mode,
      before.replace("GITHUB=", "GITHUB_TOKEN="),
    ]);
    noneIn(out);
    noneIn(kept(dir));
  }
});

test("an anchored edit and a write put the key back too", async () => {
  using dir = scratch();
  const before = plant(dir);
  const seen = await pith(dir, [
    "-p",
    "go",
    "--yolo",
    "--mode",
    "json",
    ...scripted(dir, call("read", { path: ".env" }), { text: "Read." }),
  ]);
  const name = /GITHUB=(\[\[secret:[0-9a-f]{8}\]\])/.exec(seen.out)?.[1] ?? "";
  const tag = /\[\.env#([0-9A-F]{4})\]/.exec(seen.out)?.[1] ?? "";
  const anchored = { input: `[.env#${tag}]\nreplace 3..3:\n+GITHUB_TOKEN=${name}\n` };
  const steps = [call("read", { path: ".env" }), call("edit", anchored), { text: "Done." }];
  const edited = await pith(dir, ["-p", "go", "--yolo", "--mode", "json", ...scripted(dir, ...steps)]);
  expect([edited.out.slice(-1500), readFileSync(dir.at("work/.env"), "utf8")]).toEqual([
    expect.anything(),
    before.replace("GITHUB=", "GITHUB_TOKEN="),
  ]);
  const whole = call("write", { path: ".env", content: `ALL=${name}\n` });
  await pith(dir, ["-p", "go", "--yolo", ...scripted(dir, whole, { text: "Done." })]);
  expect(readFileSync(dir.at("work/.env"), "utf8")).toBe(`ALL=${token}\n`);
});

test("the name of a key becomes no value in another file or in a command", async () => {
  using dir = scratch();
  plant(dir);
  const seen = await pith(dir, [
    "-p",
    "go",
    "--yolo",
    "--mode",
    "json",
    ...scripted(dir, call("read", { path: ".env" }), { text: "Read." }),
  ]);
  const name = /GITHUB=(\[\[secret:[0-9a-f]{8}\]\])/.exec(seen.out)?.[1] ?? "";
  const steps = [
    call("read", { path: ".env" }),
    call("write", { path: "leak.txt", content: name }),
    call("edit", { path: "a.ts", edits: [{ oldText: "1", newText: name }] }),
    call("bash", { command: `printf %s '${name}' > leaked` }),
    { text: "Done." },
  ];
  await pith(dir, ["-p", "go", "--yolo", ...scripted(dir, ...steps)]);
  for (const file of ["leak.txt", "a.ts", "leaked"]) {
    expect([file, readFileSync(dir.at("work", file), "utf8").includes(name)]).toEqual([file, true]);
    noneIn(readFileSync(dir.at("work", file), "utf8"));
  }
});

test("commands have no keys, also none that start-up files export; env.pass lets one through", async () => {
  using dir = scratch();
  dir.write({ "home/.bashrc": `export RC_API_KEY=${token}\nexport RC_PLAIN=yes\n` });
  const names = ["MY_SERVICE_TOKEN", "RC_API_KEY", "RC_PLAIN", "PASSED_TOKEN"];
  const command = `echo ${names.map((name) => `\${${name}:-none}`).join(" ")} > seen`;
  const model = scripted(dir, call("bash", { command }), { text: "Done." });
  dir.write({ "home/.pith/config.yml": "env.pass: PASSED_TOKEN\n" });
  await pith(dir, ["-p", "go", "--yolo", ...model], { env: { ...env, PASSED_TOKEN: "let-through-1" } });
  expect(readFileSync(dir.at("work/seen"), "utf8")).toBe("none none yes let-through-1\n");
});

test("a crash tells no key", async () => {
  using dir = scratch();
  dir.write({ "work/.keep": "", "home/.keep": "", "tmp/.keep": "" });
  const child = Bun.spawn(
    [
      process.execPath,
      "-e",
      `
    const { run } = await import(${JSON.stringify(join(main, "../command/run.ts"))});
    const { processIo } = await import(${JSON.stringify(join(main, "../io/io.ts"))});
    const io = processIo();
    io.input = undefined;
    io.isTerminal = () => { throw new Error("cannot use ${token}"); };
    process.exit(await run(["hello there"], io));
  `,
    ],
    { cwd: dir.at("work"), env: { ...envOf(dir), ...env }, stdout: "pipe", stderr: "pipe" },
  );
  const err = await new Response(child.stderr).text();
  await child.exited;
  expect(err).toContain("internal error: cannot use [[secret:");
  noneIn(kept(dir));
});

test("a session that is renamed does not keep a key in its name", async () => {
  using dir = scratch();
  await pith(dir, ["-p", "hello", ...scripted(dir, { text: "Yes." })]);
  const files = readdirSync(dir.at("home/.pith/sessions"), { recursive: true }) as string[];
  const id = /_([^_]+)\.jsonl$/.exec(files.find((file) => file.endsWith(".jsonl")) ?? "")?.[1] ?? "";
  expect((await pith(dir, ["session", "rename", id, "with", token])).code).toBe(0);
  const { out } = await pith(dir, ["sessions"]);
  expect(out).toContain("with [[secret:");
  noneIn(kept(dir));
});

/** Several keys on a line, one of them twice; ends of lines of two signs; a name that stands for nothing. */
const rich = `# top\r\nA=${token};P=https://me:${password}@host/p;C=${token}\r\nlit=[[secret:0aeb73b2]]\r\nlast=é\r\n`;

test.each([
  ["replace", (line: string) => ({ path: "conf", edits: [{ oldText: line, newText: line.replace("A=", "A2=") }] })],
  ["patch", (line: string) => ({ path: "conf", diff: `@@\n # top\n-${line}\n+${line.replace("A=", "A2=")}\n` })],
])("a line of several keys is changed by %s byte for byte, taken back and made again", async (mode, input) => {
  using dir = scratch();
  dir.write({ "work/conf": rich, "home/.pith/config.yml": `edit.mode: ${mode}\nsandbox.mode: off\n` });
  const seen = await pith(dir, [
    "-p",
    "go",
    "--yolo",
    "--mode",
    "json",
    ...scripted(dir, call("read", { path: "conf" }), { text: "Read." }),
  ]);
  const line = /A=\[\[[^;]*;P=[^;]*;C=\[\[secret:\w{8}\]\]/.exec(seen.out)?.[0] ?? "";
  expect([seen.out.includes(password), line.split("[[secret:").length]).toEqual([false, 4]);
  const held = () => readFileSync(dir.at("work/conf"), "utf8");
  const steps = [call("read", { path: "conf" }), call("edit", input(line)), { text: "Done." }];
  await pith(dir, ["-p", "go", "--yolo", ...scripted(dir, ...steps)]);
  const after = rich.replace("A=", "A2=");
  expect(held()).toBe(after);
  await pith(dir, ["undo"]);
  expect(held()).toBe(rich);
  await pith(dir, ["redo"]);
  expect(held()).toBe(after);
});
