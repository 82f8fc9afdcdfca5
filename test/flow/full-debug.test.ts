// The debug menu of the full screen: what helps to find out what is wrong.
import { expect, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, readdirSync, readFileSync, statSync, utimesSync } from "node:fs";
import { until } from "../../packages/kit/src/test/index.ts";
import { full } from "../full.ts";
import { model } from "../model.ts";
import { scripted } from "../pith.ts";
import { type Scratch, scratch } from "../scratch.ts";

const made = (dir: Scratch, end: string): string[] =>
  readdirSync(dir.at("tmp"), { recursive: true })
    .map(String)
    .filter((name) => name.endsWith(end));
const listed = (dir: Scratch, name = "") =>
  spawnSync("tar", ["-tzf", dir.at("tmp", name)])
    .stdout.toString()
    .split("\n");

test("/debug has everything that helps, by name too, and says so when a name is none", async () => {
  using dir = scratch();
  const at = full(dir, scripted(dir, { text: "One." }), { rows: 40 });
  await at.idle();
  at.type("/debug\r");
  const names = "dump logs system raw-sse memory performance work transcript open-artifacts clear-cache".split(" ");
  for (const name of names) await at.sees(` ${name} `);
  at.type("\x1b");
  await at.gone("clear-cache");
  at.type("/debug system\r");
  await at.sees("processor:");
  at.type("\x1b");
  await at.gone("processor:");
  at.type("/debug nonsense\r");
  await at.sees("/debug knows no nonsense");
  at.type("/debug raw-sse\r");
  await at.sees("No server has said anything yet");
  at.type("\x1b");
  await at.gone("No server has said anything yet");
  at.type("/debug clear-cache\r");
  await at.sees("No folder of outputs is older than 30 days.");
  at.type("/debug transcript\r");
  await at.sees("the whole conversation");
  at.type("\x1b");
  await at.gone("the whole conversation");
  await at.leave();
});

test("/debug logs shows fifty lines first, then older ones, copies a range, leaves other processes out", async () => {
  using dir = scratch();
  const line = (i: number) => JSON.stringify({ time: "t", pid: 1, level: "warn", message: `line ${i} \u001b[31m.` });
  dir.write({
    "home/.pith/logs/pith.log": Array.from({ length: 200 }, (_, i) => `${line(i + 1)}\n`).join(""),
    "bin/xclip": `#!/bin/sh\ncat > "${dir.at("copied")}"\n`,
  });
  chmodSync(dir.at("bin/xclip"), 0o755);
  const env = { PATH: `${dir.at("bin")}:${process.env.PATH}`, DISPLAY: ":9" };
  const at = full(dir, scripted(dir, { text: "One." }), { env, columns: 100 });
  await at.idle();
  at.type("/debug logs\r");
  await at.sees("log: 50 of 200 lines");
  await at.sees("line 200 ");
  at.type("\x1b[H");
  await at.sees("line 151 ");
  expect(at.grid()).not.toContain("line 150 ");
  at.type("o\x1b[H");
  await at.sees("log: 100 of 200 lines");
  await at.sees("line 101 ");
  at.type(" \x1b[B\x1b[Bc");
  await at.sees("3 lines: Copied by xclip.");
  expect(readFileSync(dir.at("copied"), "utf8")).toBe([101, 102, 103].map(line).join("\n"));
  at.type("\x1b");
  await at.gone("•");
  at.type("p");
  await at.sees("this process has logged nothing");
  at.type("p\r");
  await at.sees("── log line");
  at.type("\x1b");
  await at.gone("── log line");
  await at.leave();
});

test("/debug memory and performance put what they found into a report, and work draws a picture", async () => {
  using dir = scratch();
  const at = full(dir, scripted(dir, { text: "One." }), { columns: 200 });
  await at.idle();
  at.type("go\r");
  await at.sees("One.");
  await at.idle();
  at.type("/debug memory\r");
  await at.wrote("heapUsed");
  const [heap] = made(dir, ".tar.gz");
  expect(listed(dir, heap)).toContain("pith.heapsnapshot");
  expect(listed(dir, heap)).toContain("session.jsonl");
  expect(statSync(dir.at("tmp", heap ?? "")).mode & 0o777).toBe(0o600);
  at.type("/debug performance\r");
  await at.sees("pith watches itself.");
  at.type("\x1b");
  await at.wrote("pith.cpuprofile");
  const second = made(dir, ".tar.gz").find((name) => name !== heap);
  expect(listed(dir, second)).toEqual(expect.arrayContaining(["pith.cpuprofile", "work-profile.svg"]));
  at.type("/debug work\r");
  await at.sees("pith watches itself for 30 seconds.");
  at.type("\r");
  await at.wrote("Where its time went is in");
  const [picture = ""] = made(dir, ".svg");
  expect(picture).toMatch(/work-profile-\d+\.svg$/);
  expect(readFileSync(dir.at("tmp", picture), "utf8")).toStartWith("<svg");
  await at.leave();
});

test("/debug raw-sse shows what the server sent before it was opened, follows it, and copies all of it", async () => {
  using dir = scratch();
  dir.write({ "bin/xclip": `#!/bin/sh\ncat > "${dir.at("copied")}"\n` });
  chmodSync(dir.at("bin/xclip"), 0o755);
  using told = model({ text: "The first \u001b]0;owned\u0007 answer." }, { text: "The second one." });
  const env = { ...told.env, PATH: `${dir.at("bin")}:${process.env.PATH}`, DISPLAY: ":9" };
  const at = full(dir, told.argv, { env, columns: 100 });
  await at.idle();
  at.type("hello\r");
  await at.sees("The first");
  await at.idle();
  at.type("/debug raw-sse\r");
  await at.sees("[DONE]");
  at.type("c");
  await at.sees("Copied by xclip.");
  const copied = readFileSync(dir.at("copied"), "utf8");
  expect(copied).toMatch(/^: \d\d:\d\d:\d\d 200 http/);
  expect(copied).toContain("data: ");
  expect(at.bytes()).not.toContain("\x1b]0;owned");
  at.type("\x1b");
  await at.gone("raw-sse");
  await at.leave();
});

test("/debug clear-cache asks, and removes what is old when the answer is yes", async () => {
  using dir = scratch();
  const folder = dir.at("home/.pith/sessions/--x--/2026-01-01T00-00-00-000Z_a");
  dir.write({ "home/.pith/sessions/--x--/2026-01-01T00-00-00-000Z_a/0.bash.log": "old" });
  utimesSync(folder, 1, 1);
  const at = full(dir, scripted(dir, { text: "One." }));
  await at.idle();
  at.type("/debug clear-cache\r");
  await at.sees("older than 30 days?");
  at.type("\r");
  await at.gone("older than 30 days?");
  expect(existsSync(folder)).toBe(true);
  at.type("/debug clear-cache\r");
  await at.sees("remove 1 folder");
  at.type("\x1b[B\r");
  await at.sees("1 folder of old outputs removed");
  expect(existsSync(folder)).toBe(false);
  await at.leave();
});

test("what /debug cannot do is said, and the conversation goes on", async () => {
  using dir = scratch();
  dir.write({ file: "no folder" });
  const at = full(dir, scripted(dir, { text: "One." }), { env: { TMPDIR: dir.at("file/none") }, columns: 120 });
  await at.idle();
  at.type("/debug dump\r");
  await at.sees("The report could not be written");
  at.type("/debug memory\r");
  await until(() => at.tape().split("The report could not be written").length === 3, "a second refusal", 30_000);
  at.type("/debug work\r");
  await at.sees("pith watches itself");
  at.type("\x1b");
  await at.sees("pith-profile-");
  at.type("go\r");
  await at.sees("One.");
  await at.leave();
});

test("/debug says where the session is, and where outputs are that were cut", async () => {
  using dir = scratch();
  const long = { calls: [{ tool: "bash", input: { command: "seq 1 60000" } }] };
  const at = full(dir, ["--yolo", ...scripted(dir, long, { text: "One." })], { columns: 200 });
  await at.idle();
  at.type("go\r");
  await at.sees("One.");
  await at.idle();
  at.type("/debug record\r");
  const find = () => readdirSync(dir.at("home/.pith/sessions"), { recursive: true }).map(String);
  const record =
    find()
      .find((name) => name.endsWith(".jsonl"))
      ?.replace(/^.*\/|\.jsonl$/g, "") ?? "";
  await at.sees(`${record}.jsonl`);
  expect(at.grid()).toMatch(new RegExp(`${record}(?!\\.jsonl)`));
  await at.leave();
});
