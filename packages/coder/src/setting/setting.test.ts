import { afterEach, beforeEach, expect, test } from "bun:test";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { ok } from "@pith/kit";
import { until } from "@pith/kit/test";
import { checkText, keys, openSettings, specOf } from "../test/settings.ts";

import type { SettingOptions, Settings } from "./setting.ts";

let home: string;
let cwd: string;
beforeEach(() => {
  const root = mkdtempSync(join(tmpdir(), "pith-setting-"));
  home = join(root, "home");
  cwd = join(root, "work");
  mkdirSync(home);
  mkdirSync(join(cwd, ".pith"), { recursive: true });
});
afterEach(() => rmSync(join(home, ".."), { recursive: true, force: true }));

const globalFile = () => join(home, "config.yml");
const writeGlobal = (text: string) => writeFileSync(globalFile(), text);
const writeProject = (text: string) => writeFileSync(join(cwd, ".pith", "config.yml"), text);

async function open(options: Partial<SettingOptions> = {}): Promise<Settings> {
  const settings = await openSettings({ cwd, home, saveDelayMs: 10, ...options });
  if (!settings.ok) throw new Error(settings.message);
  return settings.value;
}

async function problems(options: Partial<SettingOptions> = {}): Promise<string[]> {
  const settings = await openSettings({ cwd, home, ...options });
  return settings.ok ? [] : settings.message.split("\n");
}

test("without any file every setting has its default", async () => {
  const settings = await open();
  expect(settings.get("approval.mode")).toBe("write");
  expect(settings.get("bash.timeout")).toBe(300);
  expect(settings.get("model")).toBeUndefined();
  for (const key of keys)
    expect([key, settings.get(key), settings.origin(key)]).toEqual([
      key,
      specOf(key).default as never,
      { layer: "default" },
    ]);
});

test("a later layer wins over an earlier one, and each says where it comes from", async () => {
  writeGlobal("bash:\n  timeout: 10\n");
  expect((await open()).get("bash.timeout")).toBe(10);
  writeProject("bash:\n  timeout: 20\n");
  expect((await open()).get("bash.timeout")).toBe(20);
  const overlays = ["a.yml", "b.yml"].map((name) => join(cwd, name));
  writeFileSync(overlays[0] as string, "bash: { timeout: 30 }\nmodel: x/one\n");
  writeFileSync(overlays[1] as string, "bash: { timeout: 40 }\n");
  const settings = await open({ overlays });
  expect([settings.get("bash.timeout"), settings.get("model")]).toEqual([40, "x/one"]);
  expect(settings.origin("bash.timeout")).toEqual({ layer: "overlay", file: overlays[1] as string });
  const last = await open({ overlays, overrides: { "bash.timeout": 50 } });
  expect([last.get("bash.timeout"), last.origin("bash.timeout").layer]).toEqual([50, "override"]);
});

test("an untrusted project cannot choose the approval mode or the model, and says so in one line each", async () => {
  writeGlobal("approval:\n  mode: plan\n");
  writeProject("thinking: high\n\napproval:\n  mode: yolo\nmodel: evil/model\n");
  const settings = await open();
  expect([settings.get("approval.mode"), settings.get("model"), settings.get("thinking")]).toEqual([
    "plan",
    undefined,
    "high",
  ]);
  expect(settings.warnings).toEqual([
    `${join(cwd, ".pith/config.yml")}:4: approval.mode: ignored: a project may not set this to "yolo"`,
    `${join(cwd, ".pith/config.yml")}: model ignored: a project may not unless you trust it (pith trust --show tells more; --trust is for one run)`,
  ]);
});

test("a project may take a tool away but not give one back", async () => {
  writeGlobal("bash.enabled: false\n");
  writeProject("bash: { enabled: true }\nwrite: { enabled: false }\n");
  const settings = await open();
  expect([settings.get("bash.enabled"), settings.get("write.enabled")]).toEqual([false, false]);
});

test("a project may not switch off what takes its changes back", async () => {
  writeProject("undo: { enabled: false }\n");
  const settings = await open();
  expect(settings.get("undo.enabled")).toBe(true);
  expect(settings.warnings).toEqual([
    `${join(cwd, ".pith/config.yml")}:1: undo.enabled: ignored: a project may not set this to false`,
  ]);
});

test("a profile changes defaults; what somebody set wins over it", async () => {
  writeGlobal("profile: local\n");
  const settings = await open();
  expect([settings.get("edit.mode"), settings.origin("edit.mode"), settings.get("bash.timeout")]).toEqual([
    "replace",
    { layer: "profile" },
    300,
  ]);
  writeGlobal("profile: local\nedit.mode: patch\n");
  expect((await open()).get("edit.mode")).toBe("patch");
  expect((await open({ overrides: { profile: "default" } })).get("edit.mode")).toBe("patch");
});

test("in the home directory the global file is not mistaken for a project's", async () => {
  mkdirSync(join(cwd, ".pith"), { recursive: true });
  writeProject("model: a/b\n");
  symlinkSync(cwd, join(home, "link"));
  const settings = await open({ home: join(home, "link", ".pith") });
  expect([settings.get("model"), settings.warnings]).toEqual(["a/b", []]);
});

test("a broken configuration names every problem: file, line, key, what was expected, what was found", async () => {
  writeGlobal(
    '# mine\nmodel: 5\napproval:\n  mode: true\nbash:\n  timeout: soon\nsession: [read]\nturns.max: 1.5\nread.enabled: "yes"\n',
  );
  expect(await problems()).toEqual([
    `${globalFile()}:2: model: expected text, found 5`,
    `${globalFile()}:4: approval.mode: expected one of ask, write, auto, yolo, plan, found true`,
    `${globalFile()}:6: bash.timeout: expected a whole number from 1 to 3600, found "soon"`,
    `${globalFile()}:7: session: expected a group of settings (session.dir, session.sync), found a list`,
    `${globalFile()}:8: turns.max: expected a whole number from 1 to 1000000, found 1.5`,
    `${globalFile()}:9: read.enabled: expected true or false, found "yes"`,
  ]);
});

test("what a newer pith may know does not end the start, and is taken for what is safest here", async () => {
  writeGlobal("approval.mode: dreaming\nretry.max: 500\nthinking: galactic\nedit.mode: patch\n");
  writeProject("edit.mode: quantum\nbash.timeout: 90000\n");
  const settings = await open();
  const get = (["approval.mode", "retry.max", "thinking", "edit.mode", "bash.timeout"] as const).map((key) =>
    settings.get(key),
  );
  expect<unknown[]>(get).toEqual(["ask", 100, undefined, "patch", 300]);
  expect(settings.warnings).toEqual([
    expect.stringMatching(/config\.yml:1: approval\.mode: expected one of .*found "dreaming"; using ask$/),
    `${globalFile()}:2: retry.max: expected a whole number from 0 to 100, found 500; using 100`,
    expect.stringMatching(/:3: thinking: .*found "galactic"; using the value without it$/),
    expect.stringMatching(/:1: edit\.mode: .*found "quantum"; using the value without it$/),
    expect.stringMatching(/:2: bash\.timeout: .*found 90000; using the value without it$/),
  ]);
  // What was named for this run alone is simply wrong.
  const overlay = join(cwd, "mine.yml");
  writeFileSync(overlay, "approval.mode: dreaming\n");
  expect(await problems({ overlays: [overlay] })).toHaveLength(1);
});

test("a project's file is found from its subdirectories, and not beyond the repository", async () => {
  writeProject("bash.timeout: 11\nretry.max: 1\n");
  const below = join(cwd, "repo", "deep", "er");
  mkdirSync(join(cwd, "repo", ".git"), { recursive: true });
  mkdirSync(join(cwd, "repo", ".pith"));
  mkdirSync(join(below, ".pith"), { recursive: true });
  writeFileSync(join(cwd, "repo", ".pith", "config.yml"), "bash.timeout: 22\nmodel: evil/one\n");
  writeFileSync(join(below, ".pith", "config.yml"), "bash.timeout: 33\n");
  const at = async (dir: string) => {
    const settings = await open({ cwd: dir });
    return [settings.get("bash.timeout"), settings.get("retry.max"), settings.get("model")];
  };
  expect(await at(join(cwd, "repo", "deep"))).toEqual([22, 5, undefined]);
  expect(await at(below)).toEqual([33, 5, undefined]);
  expect((await open({ cwd: below })).warnings).toEqual([
    `${join(cwd, "repo/.pith/config.yml")}: model ignored: a project may not unless you trust it (pith trust --show tells more; --trust is for one run)`,
  ]);
  // A link that leads out of the repository is no file of it, wherever it stands.
  rmSync(join(below, ".pith", "config.yml"));
  symlinkSync(join(cwd, ".pith", "config.yml"), join(below, ".pith", "config.yml"));
  expect(await at(below)).toEqual([22, 5, undefined]);
  expect((await open({ cwd: below })).warnings.join()).toContain("ignored: it leads out of");
});

test("a file where other programs have their settings is named, with the one that is read", async () => {
  const own = join(cwd, "user", ".pith");
  mkdirSync(own, { recursive: true });
  mkdirSync(join(cwd, "user", ".config", "pith"), { recursive: true });
  mkdirSync(join(cwd, ".pith"), { recursive: true });
  writeFileSync(join(cwd, "user", ".config", "pith", "config.yaml"), "");
  for (const file of [join(own, "config.yaml"), join(own, "models.json"), join(cwd, ".pith", "config.yaml")])
    writeFileSync(file, "model: a/b\n");
  expect((await open({ home: own })).warnings).toEqual([
    `${join(own, "config.yaml")} is not read; ${join(own, "config.yml")} is`,
    `${join(own, "models.json")} is not read; ${join(own, "models.yml")} is`,
    `${join(cwd, ".pith/config.yaml")} is not read; ${join(cwd, ".pith/config.yml")} is`,
    `${join(cwd, "user/.config/pith/config.yaml")} is not read; ${join(own, "config.yml")} is`,
  ]);
});

test("a file that has nearly the name or the place of the one that is read is named", async () => {
  const own = join(cwd, "user", ".pith");
  const misplaced: Record<string, string> = {
    ".pithrc": ".pith/config.yml",
    ".pith.yml": ".pith/config.yml",
    "pith.yml": ".pith/config.yml",
    ".pith/config": ".pith/config.yml",
    ".pith/settings.yml": ".pith/config.yml",
    ".pith/model.yml": "user/.pith/models.yml",
    "user/.pith/config": "user/.pith/config.yml",
    "user/.pith/settings.yml": "user/.pith/config.yml",
    "user/.pith/model.yml": "user/.pith/models.yml",
    "user/.pithrc": "user/.pith/config.yml",
    "user/.pith.yml": "user/.pith/config.yml",
    "user/.config/pith.yml": "user/.pith/config.yml",
  };
  for (const file in misplaced) {
    mkdirSync(dirname(join(cwd, file)), { recursive: true });
    writeFileSync(join(cwd, file), "model: a/b\n");
  }
  const told = Object.entries(misplaced).map(([file, read]) => `${join(cwd, file)} is not read; ${join(cwd, read)} is`);
  expect((await open({ home: own })).warnings.toSorted()).toEqual(told.toSorted());
  // In the user's home each is named once.
  const atHome = await open({ home: own, cwd: join(cwd, "user") });
  expect(new Set(atHome.warnings).size).toBe(atHome.warnings.length);
});

test("problems of several files are told together", async () => {
  writeGlobal("model: 5\n");
  const overlay = join(cwd, "gone.yml");
  const told = await problems({ overlays: [overlay] });
  expect(told).toHaveLength(2);
  expect(told[1]).toBe(`${overlay}: no such file`);
});

test("nothing in a repository's file can keep pith from starting there", async () => {
  writeGlobal("bash.timeout: 10\n");
  const file = join(cwd, ".pith/config.yml");
  const warned = async (text: string) => {
    writeProject(text);
    const settings = await open();
    expect([settings.get("bash.timeout"), settings.get("thinking"), settings.problems]).toEqual([10, undefined, []]);
    return settings.warnings;
  };
  expect(await warned("thinking: 7\n")).toEqual([expect.stringMatching(/:1: thinking: expected .*found 7; ignored$/)]);
  expect(await warned("bash: [5\n")).toEqual([expect.stringMatching(/config\.yml:\d: .+; ignored$/)]);
  expect(await warned("just words")).toEqual([expect.stringMatching(/found "just words"; ignored$/)]);
  const twice = "bash.timeout: is set twice in this file; ignored";
  expect(await warned("bash.timeout: 5\nbash.timeout: 6\n")).toEqual([`${file}:2: ${twice}`]);
  expect(await warned("bash.timeout: 5\nbash:\n  timeout: 6\n")).toEqual([`${file}:3: ${twice}`]);
  rmSync(file);
  mkdirSync(file);
  expect((await open()).warnings).toEqual([`${file}: is not a file; ignored`]);
});

test("text that is not YAML is told with its line", async () => {
  writeGlobal("model: a/b\nbash: [1\napproval: x\n");
  const told = await problems();
  expect(told).toHaveLength(1);
  expect(told[0]).toMatch(/config\.yml:\d: .+/);
  writeGlobal("just words");
  expect(await problems()).toEqual([
    `${globalFile()}: expected settings, one per line as key: value, found "just words"`,
  ]);
});

test("an unknown setting is warned about with the one that was meant", async () => {
  writeGlobal("modle: a/b\napproval:\n  mod: yolo\nfrobnicate: { deep: 1 }\n");
  const settings = await open();
  expect(settings.warnings).toEqual([
    `${globalFile()}:1: modle: unknown setting; did you mean model?`,
    `${globalFile()}:3: approval.mod: unknown setting; did you mean approval.mode?`,
    `${globalFile()}:4: frobnicate: unknown setting (pith config list shows them all)`,
  ]);
});

test("control characters of a project's file never reach a message", async () => {
  writeProject('model: "\\e]0;owned\\a\\x9b31m"\n"\\e[2Jx": 1\n');
  const settings = await open();
  expect(settings.warnings).toHaveLength(2);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are the subject here
  expect(settings.warnings.join("")).not.toMatch(/[\x00-\x1f\x7f-\x9f]/);
});

test("names from the language's own objects are just unknown settings", async () => {
  writeGlobal("constructor: 1\ntoString: 2\n__proto__: { model: evil/x }\n");
  const settings = await open();
  expect(settings.get("model")).toBeUndefined();
  expect(Object.keys(Object.prototype)).toEqual([]);
});

test("a setting spelled twice in one file is a problem, an empty one is unset", async () => {
  writeGlobal("approval.mode: plan\napproval:\n  mode: yolo\nmodel:\n");
  expect(await problems()).toEqual([`${globalFile()}:3: approval.mode: is set twice in this file`]);
  writeGlobal("model:\nbash:\n");
  expect((await open()).get("model")).toBeUndefined();
});

test("a key that stands twice in its group is a problem, and text that only looks like keys is not", async () => {
  writeGlobal("model: a/b\nbash:\n  timeout: 5\n  enabled: true\nread:\n  enabled: true\nmodel: c/d\n");
  expect(await problems()).toEqual([`${globalFile()}:7: model: is set twice in this file`]);
  writeGlobal("bash:\n  timeout: 5\n  # again\n  timeout: 6\n");
  expect(await problems()).toEqual([`${globalFile()}:4: bash.timeout: is set twice in this file`]);
  writeGlobal("bashInterceptor:\n  rules: |\n    read: ^cat\n    read: ^head\nbash:\n  timeout: 6\n");
  expect((await open()).get("bash.timeout")).toBe(6);
});

test("a pipe or a directory in the place of the file is told at once", async () => {
  rmSync(join(cwd, ".pith", "config.yml"), { force: true });
  Bun.spawnSync(["mkfifo", join(cwd, ".pith", "config.yml")]);
  expect((await open()).warnings).toEqual([`${join(cwd, ".pith/config.yml")}: is not a file; ignored`]);
  rmSync(join(cwd, ".pith", "config.yml"));
  mkdirSync(globalFile());
  expect(await problems()).toEqual([`${globalFile()}: is not a file`]);
});

test("several changes shortly after each other are one write, and none before the delay", async () => {
  const writes: string[][] = [];
  const settings = await open({
    saveDelayMs: 30,
    save: async (_, changes) => {
      writes.push([...changes.keys()]);
      return ok(undefined);
    },
  });
  for (const timeout of [1, 2, 3, 4]) settings.set("bash.timeout", timeout);
  settings.set("model", "a/b");
  expect(settings.get("bash.timeout")).toBe(4);
  expect(writes).toEqual([]);
  await until(() => writes.length > 0, "the write");
  expect(writes).toEqual([["bash.timeout", "model"]]);
});

test("flush writes now; overrides are never written", async () => {
  const settings = await open({ saveDelayMs: 60_000, overrides: { "approval.mode": "yolo" } });
  settings.set("model", "a/b");
  expect(await settings.flush()).toEqual(ok(undefined));
  expect(readFileSync(globalFile(), "utf8")).toBe("model: a/b\n");
  expect(statSync(globalFile()).mode & 0o777).toBe(0o600);
  expect(readdirSync(home)).toEqual(["config.yml"]);
});

test("a change keeps comments, order, unknown keys and the file's mode, and goes where the key is", async () => {
  writeGlobal("# my settings\nbash:\n  timeout: 10 # short\nfuture: { x: 1 }\napproval.mode: ask\n");
  chmodSync(globalFile(), 0o640);
  const settings = await open();
  settings.set("approval.mode", "write");
  settings.set("bash.timeout", 20);
  settings.set("bash.enabled", false);
  await settings.flush();
  expect(readFileSync(globalFile(), "utf8")).toBe(
    "# my settings\nbash:\n  timeout: 20 # short\n  enabled: false\nfuture: { x: 1 }\napproval.mode: write\n",
  );
  expect(statSync(globalFile()).mode & 0o777).toBe(0o640);
  settings.set("bash.enabled", undefined);
  settings.set("bash.timeout", undefined);
  await settings.flush();
  expect(readFileSync(globalFile(), "utf8")).toBe("# my settings\nfuture: { x: 1 }\napproval.mode: write\n");
  expect((await open()).get("approval.mode")).toBe("write");
});

test("taking the last setting away leaves the comments, and an empty group can be filled", async () => {
  writeGlobal("# all mine\n\n# the model\nmodel: a/b\n# the end\n");
  const settings = await open({ saveDelayMs: 60_000 });
  settings.set("model", undefined);
  await settings.flush();
  expect(readFileSync(globalFile(), "utf8")).toBe("# all mine\n\n# the model\n# the end\n");
  writeGlobal("approval:\nthinking: low\n");
  settings.set("approval.mode", "plan");
  expect((await settings.flush()).ok).toBe(true);
  expect((await open()).get("approval.mode")).toBe("plan");
});

test("a link to the file stays a link", async () => {
  const real = join(cwd, "dotfiles.yml");
  writeFileSync(real, "model: a/b\n");
  symlinkSync(real, globalFile());
  const settings = await open();
  settings.set("thinking", "low");
  await settings.flush();
  expect(readFileSync(real, "utf8")).toBe("model: a/b\nthinking: low\n");
});

test("two processes that change different keys lose nothing of each other", async () => {
  const all = await Promise.all(Array.from({ length: 8 }, () => open({ saveDelayMs: 60_000 })));
  const chosen = keys.filter((key) => specOf(key).type === "switch").slice(0, 6);
  chosen.forEach((key, i) => {
    all[i]?.set(key, false as never);
  });
  all[6]?.set("model", "a/b");
  all[7]?.set("bash.timeout", 7);
  for (const saved of await Promise.all(all.map((settings) => settings.flush()))) expect(saved.ok).toBe(true);
  const settings = await open();
  for (const key of chosen) expect(settings.get(key)).toBe(false as never);
  expect([settings.get("model"), settings.get("bash.timeout")]).toEqual(["a/b", 7]);
});

test("the lock of a process that died does not stop a change", async () => {
  const gone = Bun.spawnSync(["true"]);
  writeFileSync(`${globalFile()}.lock`, String(gone.pid));
  const settings = await open();
  settings.set("model", "a/b");
  expect((await settings.flush()).ok).toBe(true);
  expect(existsSync(`${globalFile()}.lock`)).toBe(false);
});

test("a setting that the file does not have is taken away without any other", async () => {
  const text = "# mine\nthinking: low\nbash:\n  timeout: 5\ntheme.dark: ember\n";
  for (const key of ["model", "bash.enabled", "theme.light", "session.dir"] as const) {
    writeGlobal(text);
    const settings = await open();
    settings.set(key, undefined);
    await settings.flush();
    expect([key, readFileSync(globalFile(), "utf8")]).toEqual([key, text]);
  }
});

test("a file whose lines end as on Windows keeps them, and its comments where they are", async () => {
  writeGlobal("# mine\r\nmodel: a/b\r\n# about it\r\nthinking: high # here\r\n");
  const settings = await open();
  settings.set("thinking", "low");
  await settings.flush();
  const now = "# mine\r\nmodel: a/b\r\n# about it\r\nthinking: low # here\r\n";
  expect(readFileSync(globalFile(), "utf8")).toBe(now);
});

test("a file that says nothing, in whichever words, takes settings", async () => {
  for (const nothing of ["~\n", "null\n", "# mine\n---\n", ""]) {
    writeGlobal(nothing);
    const settings = await open();
    settings.set("model", "a/b");
    expect([nothing, await settings.flush()]).toEqual([nothing, { ok: true, value: undefined }]);
    expect(readFileSync(globalFile(), "utf8")).toEndWith("model: a/b\n");
  }
});

test("a file that became broken is left alone, and the change stays pending until it is repaired", async () => {
  const settings = await open({ saveDelayMs: 60_000 });
  writeGlobal("model: [1\n");
  settings.set("thinking", "low");
  const saved = await settings.flush();
  expect(saved.ok).toBe(false);
  expect(readFileSync(globalFile(), "utf8")).toBe("model: [1\n");
  writeGlobal("model: a/b\n");
  expect((await settings.flush()).ok).toBe(true);
  expect(readFileSync(globalFile(), "utf8")).toBe("model: a/b\nthinking: low\n");
});

test("values typed as text are read by the key's type", () => {
  expect(checkText("bash.timeout", "12")).toEqual(ok(12));
  expect(checkText("read.enabled", "false")).toEqual(ok(false));
  expect(checkText("approval.mode", "plan")).toEqual(ok("plan"));
  expect(checkText("model", "123")).toEqual(ok("123"));
  expect(checkText("bash.timeout", " ").ok).toBe(false);
  expect(checkText("bash.timeout", "12s").ok).toBe(false);
  expect(checkText("read.enabled", "no").ok).toBe(false);
});

test("the documentation has a row for every setting: values, default, whether a project may set it", async () => {
  const rows = (await Bun.file(join(import.meta.dir, "../../../../docs/settings.md")).text())
    .split("\n")
    .map((line) => line.split(" | "));
  for (const key of keys) {
    const spec = specOf(key);
    const [, values = "", byDefault = "", harmless = ""] = rows.find(([name]) => name === `| \`${key}\``) ?? [];
    const listed =
      spec.type === "choice"
        ? spec.values
        : spec.type === "number"
          ? [`${spec.min} to ${spec.max}`]
          : [spec.type === "switch" ? "true, false" : spec.type === "list" ? "a list" : "text"];
    for (const value of listed) expect([key, values]).toEqual([key, expect.stringContaining(value)]);
    expect([key, byDefault.replaceAll("`", "")]).toEqual([
      key,
      spec.default === undefined || spec.type === "list" ? "–" : String(spec.default),
    ]);
    expect([key, harmless === "no"]).toEqual([key, spec.harmless === undefined && spec.trusted === undefined]);
    expect([key, harmless.includes("after trust")]).toEqual([key, spec.trusted !== undefined]);
  }
});

test("a file that counts since its folder is in a repository is not looked at", async () => {
  const below = join(cwd, "below");
  mkdirSync(below);
  writeProject("bash: { timeout: 5 }");
  const settings = await open({ cwd: below });
  await settings.refresh();
  expect(settings.get("bash.timeout")).toBe(300);
  mkdirSync(join(cwd, ".git"));
  expect((await settings.refresh()).changed).toEqual(["bash.timeout"]);
  rmSync(join(cwd, ".git"), { recursive: true });
  expect((await settings.refresh()).changed).toEqual(["bash.timeout"]);
});
