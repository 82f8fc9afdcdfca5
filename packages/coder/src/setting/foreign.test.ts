import { expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { type Scratch, scratch } from "@pith/kit/test";
import { coderIn, noticesOf } from "../test/open.ts";
import { openSettings, settingTable } from "../test/settings.ts";
import { readForeign } from "./bring.ts";
import type { SettingOptions } from "./setting.ts";

async function opened(dir: Scratch, more: Partial<SettingOptions> = {}) {
  dir.write({ "work/.keep": "" });
  const settings = await openSettings({
    cwd: dir.at("work"),
    home: dir.at("user/.pith"),
    userHome: dir.at("user"),
    ...more,
  });
  if (!settings.ok) throw new Error(settings.message);
  return settings.value;
}

test("settings of pi and omp count where key and type are ours, the weaker source first", async () => {
  using dir = scratch();
  dir.write({
    "user/.pi/agent/settings.json":
      '{"steeringMode":"one-at-a-time","bash":{"timeout":11},"read":{"defaultLimit":"many"}}',
    "user/.omp/agent/config.yml": "bash:\n  timeout: 12\nask:\n  timeout: 30000\ntheme: dark\nqueueMode: all\n",
    "work/.omp/config.yml": "todo:\n  reminders: 7\nmodel: evil/model\nbash:\n  maxProcesses: 9\n",
  });
  const settings = await opened(dir);
  expect([settings.get("steeringMode"), settings.get("bash.timeout"), settings.get("ask.timeout")]).toEqual([
    "all",
    12,
    30,
  ]);
  expect([settings.get("todo.reminders"), settings.get("model"), settings.get("bash.maxProcesses")]).toEqual([
    7,
    undefined,
    4096,
  ]);
  expect([settings.warnings, settings.problems, settings.needing]).toEqual([[], [], []]);
  dir.write({ "user/.pith/config.yml": "bash.timeout: 13\n" });
  expect((await opened(dir)).get("bash.timeout")).toBe(13);
});

test("every layer of a key is told with file and line, the one that counts first", async () => {
  using dir = scratch();
  dir.write({
    "user/.omp/agent/config.yml": "\nbash:\n  timeout: 12\n",
    "user/.pith/config.yml": "# mine\nbash.timeout: 13\n",
    "work/.pith/config.yml": "bash:\n  # theirs\n  timeout: 14\n",
  });
  const settings = await opened(dir, { overrides: { "bash.timeout": 15 } });
  const said = await settings.explain("bash.timeout");
  expect(said.map(({ origin, value, line }) => [origin.layer, value, line])).toEqual([
    ["override", 15, undefined],
    ["project", 14, 3],
    ["global", 13, 2],
    ["relative", 12, 3],
    ["default", 300, undefined],
  ]);
});

test("a key that was renamed counts under its new name, and one line says so", async () => {
  using dir = scratch();
  dir.write({
    "user/.pith/config.yml": "queueMode: one-at-a-time\ngrep:\n  enabled: false\ndisabledProviders: [claude, codex]\n",
  });
  const settings = await opened(dir);
  expect([settings.get("steeringMode"), settings.get("search.enabled"), settings.get("sources.disabled")]).toEqual([
    "one-at-a-time",
    false,
    ["claude", "codex"],
  ]);
  expect(settings.warnings.map((text) => text.replace(dir.path, ""))).toEqual([
    "/user/.pith/config.yml:1: queueMode: is called steeringMode now",
    "/user/.pith/config.yml:2: grep.enabled: is called search.enabled now".replace(":2:", ":3:"),
    "/user/.pith/config.yml:4: disabledProviders: is called sources.disabled now",
  ]);
});

test("what a relative has and we have not is named when its settings are taken over", async () => {
  using dir = scratch();
  dir.write({ "user/.omp/agent/config.yml": "theme: dark\nbash:\n  timeout: 12\n  color: red\nqueueMode: all\n" });
  const { values, strange, files } = await readForeign(settingTable, { userHome: dir.at("user") }, "omp");
  expect([...values]).toEqual([
    ["bash.timeout", 12],
    ["steeringMode", "all"],
  ]);
  expect([strange, files]).toEqual([["theme", "bash.color"], [dir.at("user/.omp/agent/config.yml")]]);
});

test("whom a relative asks is taken over by role, and does not count before", async () => {
  using dir = scratch();
  dir.write({
    "user/.omp/agent/config.yml": "modelRoles:\n  default: anthropic/opus\n  smol: openai/mini:low\n  commit: x/y\n",
    "elsewhere/settings.json": '{\n  // mine\n  "defaultProvider": "google",\n  "defaultModel": "flash",\n}\n',
  });
  const homes = { userHome: dir.at("user"), piHome: dir.at("elsewhere") };
  expect((await opened(dir, homes)).get("model")).toBeUndefined();
  const omp = await readForeign(settingTable, homes, "omp");
  expect([[...omp.values], omp.strange]).toEqual([
    [
      ["model", "anthropic/opus"],
      ["roles.smol", "openai/mini:low"],
    ],
    ["modelRoles.commit"],
  ]);
  const pi = await readForeign(settingTable, homes, "pi");
  expect([[...pi.values], pi.strange, pi.files]).toEqual([
    [["model", "google/flash"]],
    [],
    [dir.at("elsewhere/settings.json")],
  ]);
});

test("settings of a relative that cannot be read are one warning with file and line, and end no start", async () => {
  using dir = scratch();
  dir.write({
    "user/.pi/agent/settings.json": '{\n  // a comment is fine\n  "bash": { "timeout": 11 },\n}\n',
    "user/.omp/agent/settings.json": '{\n  "bash": {\n    "timeout" 5\n  }\n}\n',
    "user/.omp/agent/config.yml": `a: 1\nbash: [\n`,
    "work/.omp/config.yml": "x".repeat(2 * 1024 * 1024),
  });
  const settings = await opened(dir);
  expect(settings.get("bash.timeout")).toBe(11);
  expect(settings.problems).toEqual([]);
  const lines = settings.warnings.map((line) => line.replaceAll(dir.path, ""));
  expect(lines).toEqual([
    expect.stringMatching(/^\/user\/\.omp\/agent\/settings\.json:[345]: /),
    expect.stringMatching(/^\/user\/\.omp\/agent\/config\.yml:[23]: /),
    "/work/.omp/config.yml: is too large; ignored",
  ]);
});

test("a key by its old name is found with its line too", async () => {
  using dir = scratch();
  dir.write({ "user/.omp/agent/config.yml": "# theirs\nqueueMode: all\nskills:\n  ignoredSkills: [a]\n" });
  const settings = await opened(dir);
  const lines = async (key: "steeringMode" | "skills.ignore") => (await settings.explain(key))[0]?.line;
  expect([await lines("steeringMode"), await lines("skills.ignore")]).toEqual([2, 4]);
});

test("a file that is changed counts from the next turn, and a broken one changes nothing", async () => {
  using dir = scratch();
  const coder = await coderIn(dir, [{ text: "1" }, { text: "2" }, { text: "3" }, { text: "4" }]);
  await coder.send({ text: "one" });
  dir.write({ "home/config.yml": "steeringMode: one-at-a-time\nedit.check: nothing\n" });
  await coder.send({ text: "two" });
  expect(coder.choice.queue.steer).toBe("one-at-a-time");
  dir.write({ "home/config.yml": "steeringMode: [\n" });
  await coder.send({ text: "three" });
  expect(coder.choice.queue.steer).toBe("one-at-a-time");
  rmSync(dir.at("home/config.yml"));
  await coder.send({ text: "four" });
  expect(coder.choice.queue.steer).toBe("all");
  const told = noticesOf(coder.events);
  expect(told[0]).toBe("Settings have changed: steeringMode from now on; edit.check from the next session on.");
  expect(told[1]).toContain("config.yml:2: ");
  expect(told[1]).toEndWith("; the old settings stay in use");
  await coder.close();
});

test("names are read as a list or with commas, joined over files; a project's folders do not count", async () => {
  using dir = scratch();
  dir.write({
    "user/.pith/config.yml": "skills:\n  ignore: a, b\n  folders: [~/mine]\n",
    "work/.pith/config.yml": "skills:\n  ignore: [c, 7]\n  folders: /etc\n",
  });
  const settings = await opened(dir);
  expect(settings.get("skills.ignore")).toEqual(["a", "b", "c"]);
  expect(settings.get("skills.folders")).toEqual(["~/mine"]);
  const said = [...settings.problems, ...settings.warnings].map((text) => text.replace(dir.path, "")).sort();
  expect(said).toEqual([
    "/work/.pith/config.yml:2: skills.ignore.1: expected text; ignored",
    "/work/.pith/config.yml:3: skills.folders.0: ignored: a project may not set this",
  ]);
});
