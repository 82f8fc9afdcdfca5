// Dialogs of the full screen with what strangers, other programs and small windows bring.
import { expect, test } from "bun:test";
import { mkdirSync, readdirSync, rmSync, symlinkSync, truncateSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { full } from "../full.ts";
import { scripted } from "../pith.ts";
import { type Scratch, scratch } from "../scratch.ts";

const evil = "\u001b]0;owned\u0007\u009b2J\u202ebidi 漢字\nnext\tline";
/** None of it may ever reach the terminal as it is. */
const forbidden = ["\x1b]0;owned", "\u009b2J", "\u202e"];

const dialogs = [
  ["/tree", "tree ("],
  ["/resume", "find:"],
  ["/models", "── models"],
  ["/settings", "applies from"],
  ["/theme", "themes for"],
  ["/diff", "changes of the session"],
  ["/jobs", "jobs: 1 of 1"],
  ["/context", "tokens are used"],
  ["/debug", "an archive of session"],
] as const;

/** A session as another program may have written it. */
function record(dir: Scratch, id: number, said: string, more: readonly object[] = []): string {
  const folder = dir.at("home/.pith/sessions", `--${dir.at("work").replace(/^\//, "").replaceAll("/", "-")}--`);
  mkdirSync(folder, { recursive: true });
  const name = `00000000-0000-7000-8000-${String(id).padStart(12, "0")}`;
  const file = join(folder, `2026-01-01T00-00-00-000Z_${name}.jsonl`);
  const timestamp = "2026-01-01T00:00:00.000Z";
  const user = { type: "message", id: "00000001", parentId: null, timestamp, message: { role: "user", content: said } };
  const head = { type: "session", version: 3, id: name, timestamp, cwd: dir.at("work") };
  writeFileSync(file, [head, user, ...more].map((row) => `${JSON.stringify(row)}\n`).join(""));
  return file;
}

/** A session with a change, a job and an answer, all with names of a stranger. */
async function busy(dir: Scratch, argv: readonly string[] = [], size = {}) {
  dir.write({ "home/.pith/themes/x.json": JSON.stringify({ name: evil }), "work/.keep": "" });
  record(dir, 1, `earlier ${evil}`);
  const calls = [
    { tool: "write", input: { path: `a${evil.replace("\n", "")}.txt`, content: `${evil}\n` } },
    { tool: "bash", input: { command: `printf '${evil}'; sleep 60`, async: true } },
  ];
  const at = full(dir, ["--yolo", ...argv, ...scripted(dir, { calls }, { text: `Said ${evil}.` })], size);
  return at;
}

test("whatever names hold, every dialog shows them as text", async () => {
  using dir = scratch();
  const at = await busy(dir);
  await at.idle();
  at.type("hello\r");
  await at.sees("Said");
  await at.idle();
  at.type(`/name ${evil.replace("\n", "")}\r`);
  await at.sees("The session was renamed");
  for (const [command, seen] of dialogs) {
    at.type(`${command}\r`);
    await at.sees(seen);
    for (const key of ["\x1b[B", "\x1b[B", "\x1b[6~", "\x1b[A"]) at.type(key);
    at.type("\x1b");
    await at.gone(seen);
  }
  await at.idle();
  for (const bytes of forbidden) expect(at.bytes()).not.toContain(bytes);
  expect(await at.leave()).toBe(0);
});

test("every dialog is said and left by typing where a screen is listened to", async () => {
  using dir = scratch();
  const at = await busy(dir, ["--screen-reader"]);
  await at.wrote("pith");
  at.type("hello\r");
  await at.wrote("Said");
  for (const [command, seen] of dialogs) {
    const before = at.bytes().length;
    at.type(`${command}\r`);
    await at.wrote(seen.replace("── ", ""));
    at.type("\x1b[B");
    at.type("\x03");
    expect(at.bytes().length).toBeGreaterThan(before);
  }
  for (const bytes of forbidden) expect(at.bytes()).not.toContain(bytes);
  await at.leave();
});

/** By hand: 5,000. */
const many = 1500;

test("very many sessions are listed and searched, and one that goes or changes meanwhile is told", async () => {
  using dir = scratch();
  const files = Array.from({ length: many }, (_, id) => record(dir, id + 1, `words ${id} of the many`));
  const at = full(dir, scripted(dir, { text: "Hi." }));
  await at.idle();
  at.type("/resume\r");
  await at.sees(`1/${many}`);
  at.type("words 1321");
  await at.sees("❯ words 1321");
  rmSync(files[1321] ?? "");
  at.type("\r");
  await at.sees("does not exist");
  at.type("/resume\r");
  await at.sees("find:");
  at.type("words 1234");
  await at.sees("❯ words 1234");
  truncateSync(files[1234] ?? "", 10);
  at.type("\r");
  await at.idle();
  at.type("hello\r");
  await at.sees("Hi.");
  await at.leave();
}, 120_000);

test("a theme that becomes a link to a device, a pipe or 50 MB never stops the screen", async () => {
  using dir = scratch();
  const themes = dir.at("home/.pith/themes");
  mkdirSync(themes, { recursive: true });
  const { themeTokens } = await import("../../packages/cli/src/theme/token.ts");
  const colors = Object.fromEntries(themeTokens.map((token) => [token, "#0a0b0c"]));
  const file = join(themes, "mine.json");
  const good = JSON.stringify({ name: "mine", colors });
  writeFileSync(file, good);
  dir.write({ "home/.pith/config.yml": "theme:\n  dark: mine\n" });
  const at = full(dir, scripted(dir, { text: "Hi." }), { env: { COLORTERM: "truecolor" } });
  await at.idle();
  expect(at.bytes()).toContain("38;2;10;11;12");
  const replacements: (() => void)[] = [
    () => symlinkSync("/dev/zero", file),
    () => void Bun.spawnSync(["mkfifo", file]),
    () => writeFileSync(file, `{"name": "${"x".repeat(50_000_000)}"}`),
  ];
  for (const put of replacements) {
    rmSync(file, { force: true });
    put();
    at.type("/theme\r");
    await at.sees("themes for");
    await at.sees("mine  ");
    at.type("\x03");
    await at.gone("themes for");
  }
  at.type("hello\r");
  await at.sees("Hi.");
  await at.leave();
});

test("/settings with a broken file says so and changes nothing of it", async () => {
  using dir = scratch();
  const broken = "retry: [\n  - }{ \u001b]0;owned\u0007";
  dir.write({ "home/.pith/config.yml": "{}\n" });
  const at = full(dir, scripted(dir, { text: "Hi." }));
  await at.idle();
  at.type("/settings\r");
  await at.sees("applies from");
  dir.write({ "home/.pith/config.yml": broken });
  at.type("retry.max");
  await at.sees("❯ retry.max");
  at.type("\r");
  at.type("\x157\r");
  await at.sees("config.yml");
  expect(await Bun.file(dir.at("home/.pith/config.yml")).text()).toBe(broken);
  expect(at.bytes()).not.toContain("\x1b]0;owned");
  at.type("\x03");
  await at.leave();
});

test("a line of 10 MB in a result is drawn as a line, and the screen answers", async () => {
  using dir = scratch();
  dir.write({ "work/.keep": "" });
  writeFileSync(dir.at("work/long.txt"), "x".repeat(10_000_000));
  const calls = [{ tool: "bash", input: { command: "cat long.txt" } }];
  const at = full(dir, ["--yolo", ...scripted(dir, { calls }, { text: "Long." })]);
  await at.idle();
  at.type("go\r");
  await at.sees("Long.");
  await at.idle();
  at.type("/transcript\r");
  await at.sees("home/end");
  at.type("\x1b");
  await at.gone("home/end");
  at.type("still here");
  await at.sees("❯ still here");
  expect(at.bytes().length).toBeLessThan(400_000);
  await at.leave();
});

test("a tree of many megabytes is searched while keys are heard", async () => {
  using dir = scratch();
  const timestamp = "2026-01-01T00:00:00.000Z";
  const idOf = (at: number) => (at + 1).toString(16).padStart(8, "0");
  const more = Array.from({ length: 3000 }, (_, at) => ({
    type: "message",
    id: idOf(at + 1),
    parentId: idOf(at),
    timestamp,
    message: { role: "user", content: `words ${at} ${"x".repeat(3500)}` },
  }));
  const file = record(dir, 1, "the first", more);
  utimesSync(file, new Date(), new Date());
  const at = full(dir, ["-r", file, ...scripted(dir, { text: "Hi." })]);
  await at.idle();
  at.type("/tree\r");
  await at.sees("the path of a long session");
  at.type("words 1777");
  await at.sees("search: words 1777");
  await at.sees("tree (default, 1 entry)");
  at.type("\x1b");
  await at.sees("tree (default, 3001 entries)");
  at.type("\x1b");
  await at.gone("tree (");
  await at.leave();
  expect(readdirSync(dir.at("work"))).toEqual([".keep"]);
});
