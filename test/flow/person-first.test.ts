// The first day: what a person types, mistypes and looks for, through the program and by its pages.
import { describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { subcommands } from "../../packages/cli/src/command/run.ts";
import { eventsPage, eventsSchema, rpcPage } from "../../scripts/gen/events.ts";
import { manual } from "../../scripts/gen/manual.ts";
import { optionsPage } from "../../scripts/gen/options.ts";
import { settingsPage } from "../../scripts/gen/settings.ts";
import { binary, needBinary, root } from "../need.ts";
import { envOf, main, pith } from "../pith.ts";
import { run, scratch } from "../scratch.ts";
import { pageText, playTranscripts, readTranscripts } from "../transcript.ts";

const docs = readdirSync(join(root, "docs"), { recursive: true, encoding: "utf8" }).filter((name) =>
  name.endsWith(".md"),
);

describe("a word that is no command", () => {
  test("and nearly one, or one of another agent's, is answered and not sent", async () => {
    using dir = scratch();
    const cases: [string[], RegExp][] = [
      [["sesions"], /did you mean pith sessions\?/],
      [["doctr"], /did you mean pith doctor\?/],
      [["Modles"], /did you mean pith models\?/],
      [["login"], /pith auth add/],
      [["login", "anthropic"], /pith auth add.*pith -- login anthropic/],
      [["update"], /pith version/],
      [["mcp", "list"], /MCP/],
      [["resume"], /pith -c/],
      [["--yolo", "doctor"], /doctor is a command, and stands before its options: pith doctor .*pith … -- doctor/],
      [["--cwd", "/tmp", "sessions"], /sessions is a command/],
      [["--model", "faux/echo", "sesions"], /did you mean pith sessions\?/],
      [["sessionz", "--here"], /did you mean pith sessions\?/],
      [["sesions", "--yolo"], /did you mean pith sessions\?/],
      [["sesion", "list"], /did you mean pith session\? .*pith -- sesion list/],
      [["confg", "set", "model", "x"], /did you mean pith config\?/],
      [["--yolo", "sessions", "list"], /sessions is a command, and stands before its options/],
      [["-c", "doctor"], /doctor is a command/],
      ...[..."compact review server web hooks skills memory share rewind checkpoint".split(" "), "config-set"].map(
        (word): [string[], RegExp] => [[word], new RegExp(`no command "${word}": .+pith`)],
      ),
      [["complet"], /did you mean pith completion\?/],
      [["launch", "sesions"], /did you mean pith sessions\?/],
      [["compact"], /\/compact/],
      [["web"], /pith serve --web/],
      ...["quit", "fork", "logs", "skill", "mcp-server", "provider", "extensions", "rpc"].map(
        (word): [string[], RegExp] => [[word], new RegExp(`no command "${word}": .+To send it`)],
      ),
      ...["permissions", "agent", "tui", "setting"].map((word): [string[], RegExp] => [
        ["--yolo", word],
        new RegExp(`no command "${word}": .+pith`),
      ]),
    ];
    for (const [argv, says] of cases) {
      const { code, out, err } = await pith(dir, argv, { env: { PITH_MODEL: "faux/echo" } });
      expect({ argv, code, out }).toEqual({ argv, code: 2, out: "" });
      expect(err).toMatch(says);
    }
  });

  test("is a prompt where it is meant as one", async () => {
    using dir = scratch();
    const env = { PITH_MODEL: "faux/echo" };
    for (const [argv, said] of [
      [["--", "sesions"], "sesions"],
      [["-p", "update"], "update"],
      [["update", "the", "readme"], "update the readme"],
      [["hi"], "hi"],
      [["list", "the", "models"], "list the models"],
      [["modls", "of", "cars"], "modls of cars"],
      [["-p", "review"], "review"],
      [["--yolo", "-p", "doctor"], "doctor"],
      [["--yolo", "--", "doctor"], "doctor"],
      [["--yolo", "sessions", "are", "lost"], "sessions are lost"],
      [["--model", "faux/echo", "explain"], "explain"],
      [["-c", "continue"], "continue"],
      [["exports are broken"], "exports are broken"],
    ] as const)
      expect(await pith(dir, [...argv], { env })).toMatchObject({ code: 0, out: `${said}\n` });
  });
});

describe("help", () => {
  test("has every page of the documentation, by its name and by its path, in the program itself", async () => {
    using dir = scratch();
    const help = (name: string) => pith(dir, ["help", name]);
    // The index is for the forge: here `pith help` is one.
    for (const page of docs.filter((name) => name !== "README.md"))
      expect((await help(`docs/${page}`)).out).toBe(await pageText(page));
    const names = [
      "settings",
      "session-format",
      "shell",
      "read",
      "tools/bash",
      "docs/models.md",
      "keys",
      "env",
      "slash",
    ];
    for (const name of names) {
      const told = needBinary() === undefined ? run([binary, "help", name], { cwd: dir.path, env: {} }) : help(name);
      expect([name, await told]).toMatchObject([name, { code: 0, err: "", out: expect.stringMatching(/^# /) }]);
    }
    expect(await help("setings")).toMatchObject({ code: 2, err: expect.stringContaining("Did you mean settings?") });
    expect((await help("sandbox")).out).toBe(await pageText("sandbox.md"));
    // A word without a page of its own is mentioned in others.
    expect((await help("mcp")).err).toMatch(/Pages that mention it: .*sources.* \(pith help <page>\)/);
    expect((await help("zzzzzz")).err).toMatch(/There are models,.* install,/);
  }, 120_000);

  test("names no page that does not exist", async () => {
    using dir = scratch();
    const folder = join(root, "packages", "cli", "src");
    const sources = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) =>
      /\.(?:ts|md)$/.test(name),
    );
    const texts = [...sources.map((name) => join(folder, name)), ...docs.map((name) => join(root, "docs", name))];
    const named = texts.flatMap((file) =>
      [...readFileSync(file, "utf8").matchAll(/\bpith help ([a-z][\w/-]*[a-z])(?![\w/-])/g)].map(
        ([, name = ""]) => name,
      ),
    );
    const names = [...new Set(named)].filter((name) => name !== "me");
    expect(names.length).toBeGreaterThan(10);
    for (const name of names) expect([name, (await pith(dir, ["help", name])).code]).toEqual([name, 0]);
  }, 120_000);

  test("on a command names that command", async () => {
    using dir = scratch();
    const commands: string[] = [];
    for (const [name, load] of Object.entries(subcommands)) if ((await load()).help !== "screen") commands.push(name);
    expect(commands.length).toBeGreaterThan(20);
    for (const name of commands)
      expect([name, (await pith(dir, ["help", name])).out.includes(`pith ${name}`)]).toEqual([name, true]);
  }, 60_000);

  test("and the page on approval tell the mode that really holds where nobody chose one", async () => {
    using dir = scratch();
    const mode = (await pith(dir, ["config", "get", "approval.mode"])).out.trim();
    for (const page of ["approval", "docs/approval"])
      expect((await pith(dir, ["help", page])).out).toContain(`The default is \`${mode}\``);
  });

  test("fits a terminal of 80 columns and 24 rows, below the line it was asked on", async () => {
    using dir = scratch();
    const lines = (await pith(dir, ["--help"])).out.trimEnd().split("\n");
    expect(lines.length).toBeLessThanOrEqual(23);
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(80);
  });
});

describe("pages made of the program's own tables", () => {
  test("are what scripts/gen/pages.ts writes", async () => {
    expect(await pageText("options.md")).toBe(await optionsPage());
    expect(await pageText("settings.md")).toBe(settingsPage(await pageText("settings.md")));
    expect(await pageText("pith.1")).toBe(await manual());
    expect(await pageText("json-events.md")).toBe(eventsPage(await pageText("json-events.md")));
    expect(await pageText("rpc.md")).toBe(rpcPage(await pageText("rpc.md")));
    expect(await pageText("events.schema.json")).toBe(eventsSchema());
  });

  test("name every option of every command, and every command", async () => {
    const [page, man, cli] = await Promise.all(["options.md", "pith.1", "cli.md"].map(pageText));
    for (const [name, load] of Object.entries(subcommands)) {
      for (const flag of Object.keys((await load()).options)) {
        expect(page).toContain(`--${flag}`);
        expect(man).toContain(`\\-\\-${flag.replaceAll("-", "\\-")}`);
        if (name === "launch") expect([flag, cli?.includes(`--${flag}`)]).toEqual([flag, true]);
      }
      if (name !== "launch" && name !== "gallery") expect([name, cli?.includes(`pith ${name}`)]).toEqual([name, true]);
    }
  });

  test("name every variable that pith reads, on both pages of variables", async () => {
    const folder = join(root, "packages");
    const sources = [...new Bun.Glob("{cli,coder,llm,kit}/src/**/*.ts").scanSync({ cwd: folder })];
    const read = sources
      .filter((name) => !/\.test\.ts$|\/test\//.test(name))
      .flatMap((name) => readFileSync(join(folder, name), "utf8").match(/\bPITH_[A-Z_]+\b/g) ?? []);
    const [cli, models, environment] = await Promise.all([
      pageText("cli.md"),
      pageText("models.md"),
      Bun.file(join(folder, "cli/src/command/help/environment.md")).text(),
    ]);
    // Handed to hooks, and the end of the input of a tool: not read.
    const given = ["PITH_PROJECT_DIR", "PITH_INPUT"];
    expect(await pageText("hooks.md")).toContain("PITH_PROJECT_DIR");
    for (const name of new Set(read).difference(new Set(given))) {
      expect([name, `${cli}${models}`.includes(name)]).toEqual([name, true]);
      if (name !== "PITH_MODELS_URL") expect([name, environment.includes(name)]).toEqual([name, true]);
    }
  });

  test("docs/commands.md lists what /help lists", async () => {
    using dir = scratch();
    const text = await pageText("commands.md");
    expect(await playTranscripts(dir, text)).toEqual(readTranscripts(text).steps);
  });
});

describe("pith doctor", () => {
  test("makes nothing where nothing was made yet", async () => {
    using dir = scratch();
    const { out } = await pith(dir, ["doctor"]);
    expect(out).toContain("to be made by the first session");
    expect(existsSync(dir.at("home", ".pith"))).toBe(false);
  });

  test("looks at all that pith needs, as text and as JSON", async () => {
    using dir = scratch();
    const { code, out, err } = await pith(dir, ["doctor"]);
    expect({ code, err }).toEqual({ code: 0, err: "" });
    const names = [
      "version",
      "runtime",
      "home",
      "settings",
      "sources",
      "models",
      "files",
      "ripgrep",
      "bash",
      "git",
      "bubblewrap",
      "sandbox",
      "temporary",
      "machine",
      "terminal",
    ];
    expect(
      out
        .trimEnd()
        .split("\n")
        .map((line) => line.slice(7).split(" ", 1)[0]),
    ).toEqual(names);
    const told = JSON.parse((await pith(dir, ["doctor", "--json"])).out);
    expect(told).toMatchObject({ ok: true });
    expect(told.checks.map(({ name }: { name: string }) => name)).toEqual(names);
  });

  test("says what is wrong, and exits with 1", async () => {
    using dir = scratch();
    dir.write({ "home/.pith/config.yml": "read.enabled: perhaps\n", "home/.pith/models.yml": "providers: [\n" });
    const { code, out } = await pith(dir, ["doctor"]);
    expect(code).toBe(1);
    expect(out).toMatch(/^WRONG {2}settings .*config\.yml:1: read\.enabled.*pith config set/m);
    expect(out).toMatch(/^WRONG {2}models .*models\.yml:/m);
  });

  test("says only what helps: a file that no command can mend is edited by hand", async () => {
    using dir = scratch();
    const config = "home/.pith/config.yml";
    const doctor = async (text: string) => {
      dir.write({ [config]: text, "home/.pith/models.yml": text });
      const { out } = await pith(dir, ["doctor"]);
      const set = await pith(dir, ["config", "set", "thinking", "high"]);
      expect(set).toMatchObject({ code: 1, err: expect.stringContaining("left alone") });
      return `${out}${set.err}`;
    };
    const byHand = `edit ${dir.at(config)} by hand`;
    for (const [text, line] of [["model: [a\nthinking: high\n", 2] as const, ["a: 1\n---\nb: 2\n", 2] as const]) {
      const told = await doctor(text);
      expect(told).toMatch(new RegExp(`^WRONG {2}settings .*config\\.yml:${line}: .*${byHand}$`, "m"));
      expect(told).toMatch(new RegExp(`^WRONG {2}models .*models\\.yml:${line}: `, "m"));
      expect(told).not.toMatch(/pith config set|parseAllDocuments|found a list/);
    }
    expect(await doctor("- model\n")).toContain(`found a list; ${byHand}`);
  });

  test("says that the home is a file, or lies in one, and looks at everything else", async () => {
    using dir = scratch();
    dir.write({ "work/f": "" });
    for (const home of ["f", "f/deep"]) {
      const { code, out, err } = await pith(dir, ["doctor"], { env: { PITH_HOME: dir.at("work", home) } });
      expect({ code, err }).toEqual({ code: 1, err: "" });
      expect(out).toContain(`WRONG  home        ${dir.at("work/f")} is a file, not a folder`);
      expect(out.trimEnd().split("\n")).toHaveLength(15);
    }
  });
});

describe("settings", () => {
  test("that are wrong are mended by the command that sets them", async () => {
    using dir = scratch();
    dir.write({ "home/.pith/config.yml": "read.enabled: perhaps\nmodel: faux/echo\n" });
    expect((await pith(dir, ["-p", "hi"])).code).toBe(2);
    expect(await pith(dir, ["config", "unset", "read.enabled"])).toMatchObject({ code: 0, err: "" });
    expect(await pith(dir, ["-p", "hi"])).toMatchObject({ code: 0, out: "hi\n", err: "" });
  });

  test("of a newer pith do not end the start, and are named", async () => {
    using dir = scratch();
    dir.write({ "home/.pith/config.yml": "model: faux/echo\napproval.mode: telepathy\nfuture.thing: 1\n" });
    const { code, out, err } = await pith(dir, ["-p", "hi"]);
    expect({ code, out }).toEqual({ code: 0, out: "hi\n" });
    expect(err).toMatch(/approval\.mode: expected one of .*"telepathy"; using ask/);
    expect(err).toContain("unknown setting");
  });

  test("of the repository hold in its subdirectories", async () => {
    using dir = scratch();
    dir.write({ "work/.git/HEAD": "", "work/.pith/config.yml": "bash.timeout: 7\n", "work/a/b/.keep": "" });
    const env = envOf(dir);
    const get = [process.execPath, main, "config", "get", "bash.timeout"];
    dir.write({ "tmp/.keep": "", "home/.keep": "" });
    expect(await run(get, { cwd: dir.at("work/a/b"), env })).toMatchObject({ code: 0, out: "7\n" });
    // Out of the repository no link leads.
    dir.write({ "elsewhere.yml": "bash.timeout: 9\n" });
    mkdirSync(dir.at("work/a/.pith"));
    symlinkSync(dir.at("elsewhere.yml"), dir.at("work/a/.pith/config.yml"));
    const led = await run(get, { cwd: dir.at("work/a/b"), env });
    expect(led).toMatchObject({ code: 0, out: "7\n", err: expect.stringContaining("leads out of") });
  });

  test("in a place that nothing reads are named, with the place that is read", async () => {
    using dir = scratch();
    dir.write({ "home/.config/pith/config.yml": "model: x/y\n", "home/.pith/config.yaml": "model: x/y\n" });
    const { code, err } = await pith(dir, ["-p", "hi", "--model", "faux/echo"]);
    expect(code).toBe(0);
    expect(err).toContain(`${dir.at("home/.pith/config.yaml")} is not read; ${dir.at("home/.pith/config.yml")} is`);
    expect(err).toContain(
      `${dir.at("home/.config/pith/config.yml")} is not read; ${dir.at("home/.pith/config.yml")} is`,
    );
    dir.write({ "work/.pith/models.yml": "", "work/.pith/config.toml": "", "work/.pith.json": "{}" });
    const there = (await pith(dir, ["-p", "hi", "--model", "faux/echo"])).err;
    expect(there).toContain(`${dir.at("work/.pith/models.yml")} is not read; ${dir.at("home/.pith/models.yml")} is`);
    for (const name of [".pith/config.toml", ".pith.json"])
      expect(there).toContain(`${dir.at("work", name)} is not read; ${dir.at("work/.pith/config.yml")} is`);
  });

  test("that do not exist are answered with the nearest, or with what shows them all", async () => {
    using dir = scratch();
    const get = async (key: string) => (await pith(dir, ["config", "get", key])).err;
    expect(await get("bash.timeut")).toBe('pith: there is no setting "bash.timeut"; did you mean bash.timeout?\n');
    expect(await get("theme")).toBe("pith: theme is a group of settings: theme.dark, theme.light\n");
    expect((await pith(dir, ["config", "approval.mode", "ask"])).err).toBe(
      "pith: say what to do with it: pith config set approval.mode ask\n",
    );
    expect(await get("zzz")).toBe('pith: there is no setting "zzz"; pith config list shows them all\n');
  });

  test("stand in the home that a variable names, also where no shell has read its ~", async () => {
    using dir = scratch();
    const { out } = await pith(dir, ["config", "path"], { env: { PITH_HOME: "~/kept" } });
    expect(out).toBe(`${dir.at("home/kept/config.yml")}\n`);
  });

  test("for one run may come out of a pipe", async () => {
    using dir = scratch();
    dir.write({ "work/.keep": "", "tmp/.keep": "", "home/.keep": "" });
    const call = `'${process.execPath}' '${main}' -p hi --config <(echo 'model: faux/echo')`;
    expect(await run(["bash", "-c", call], { cwd: dir.at("work"), env: envOf(dir) })).toMatchObject({
      code: 0,
      out: "hi\n",
      err: "",
    });
  });
});

describe("lists", () => {
  test("that are empty say so", async () => {
    using dir = scratch();
    for (const argv of [["jobs"], ["auth"], ["sessions"], ["stats"], ["changes"], ["models"]]) {
      const { out, err } = await pith(dir, argv);
      expect([argv, `${out}${err}`.trim() !== ""]).toEqual([argv, true]);
    }
  });

  test("are not broken into by what is said beside them", async () => {
    using dir = scratch();
    dir.write({ "home/.pith/models.yml": "providers: { mine: { baseUrl: https://mine.invalid/v1, odd: 1 } }\n" });
    dir.write({ "work/.keep": "", "tmp/.keep": "", "home/.keep": "" });
    // Both ends are one pipe, as at a terminal.
    const call = `'${process.execPath}' '${main}' models --all 2>&1`;
    const { out } = await run(["bash", "-c", call], { cwd: dir.at("work"), env: envOf(dir) });
    const said = out
      .split("\n")
      .flatMap((line, at, all) => (line.includes("pith: ") ? [at === 0 || at === all.length - 2] : []));
    expect(said).toEqual([true, true]);
  });
});

test("every example of the documentation is played by a test, with nothing but what stands on its page", () => {
  const tests = ["tool-pages", "files-pages", "shell-pages"].map((name) =>
    readFileSync(join(root, "test", "flow", `${name}.test.ts`), "utf8"),
  );
  expect(tests.join()).not.toContain("cpSync");
  const pages = docs.filter((page) => readFileSync(join(root, "docs", page), "utf8").includes("\n```console\n"));
  expect(pages.length).toBeGreaterThan(12);
  for (const page of pages.filter((name) => name !== "commands.md"))
    expect([page, tests.some((text) => text.includes(`"${page.replace(/^tools\/|\.md$/g, "")}"`))]).toEqual([
      page,
      true,
    ]);
});

test("the first steps of the README do what they say", async () => {
  using dir = scratch();
  const text = readFileSync(join(root, "README.md"), "utf8");
  expect(text).toContain("pith models opus && pith auth add anthropic");
  dir.write({ "work/.keep": "", "tmp/.keep": "", "home/.keep": "", "work/dist/pith": "#!/bin/sh\n" });
  const put = /npm run build && (.*?)`/.exec(text)?.[1] ?? "";
  expect(await run(["sh", "-c", put], { cwd: dir.at("work"), env: envOf(dir) })).toMatchObject({ code: 0, err: "" });
  writeFileSync(dir.at("pith"), `#!/bin/sh\nexec '${process.execPath}' '${main}' "$@"\n`, {
    mode: 0o755,
  });
  const env = envOf(dir, { PATH: `${dir.path}:${process.env.PATH}` });
  const added = await run(["sh", "-c", "pith models opus < /dev/null && pith auth add anthropic"], {
    cwd: dir.at("work"),
    env,
    input: "sk-0123456789abcdef\n",
  });
  expect(added).toMatchObject({ code: 0, out: expect.stringMatching(/^1 {2}anthropic/m) });
});
