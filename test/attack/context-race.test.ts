// Files that a model is told of are changed between being found and being read: into links, pipes, devices, somebody
// else's, files without an end. Nothing from outside is told, and nobody waits.
import { expect, test } from "bun:test";
import { chmodSync, chownSync } from "node:fs";
import { capabilitiesIn } from "../../packages/coder/src/test/capabilities.ts";
import { scratch } from "../scratch.ts";

/** Puts one thing after another in the place of each file, each in one step. */
const swapping = `
const fs = require("node:fs");
const { execFileSync } = require("node:child_process");
const [outside, theirs, ...files] = process.argv.slice(1);
const good = (at) => fs.writeFileSync(at, "good words\\n");
const quick = [good, (at) => fs.symlinkSync(outside, at), good, (at) => fs.linkSync(theirs, at)];
const slow = [
  (at) => fs.symlinkSync("/dev/zero", at),
  (at) => execFileSync("mkfifo", [at]),
  (at) => fs.symlinkSync(at, at),
  (at) => fs.mkdirSync(at),
  (at) => fs.writeFileSync(at, "grown ".repeat(1e6)),
];
const make = (n) => (n % 50 === 49 ? slow[Math.floor(n / 50) % slow.length] : quick[n % quick.length]);
fs.writeSync(1, "swapping");
for (let n = 0; ; n++)
  for (const file of files) {
    const at = file + ".new";
    fs.rmSync(at, { recursive: true, force: true });
    make(n)(at);
    if (fs.statSync(file, { throwIfNoEntry: false })?.isDirectory()) fs.rmdirSync(file);
    try { fs.renameSync(at, file); } catch { fs.rmSync(file, { recursive: true, force: true }); }
  }
`;

test("what is swapped under a search for instructions brings nothing in, and holds nobody up", async () => {
  using dir = scratch();
  dir.write({
    "outside/secret.md": "---\ndescription: CANARY\n---\nCANARY-outside\n",
    "work/theirs": "---\ndescription: CANARY\n---\nCANARY-theirs\n",
    "work/.git/HEAD": "ref: refs/heads/main\n",
    "work/AGENTS.md": "good words\n",
    "work/.pith/rules/a.md": "good words\n",
    "work/.pith/skills/s/SKILL.md": "---\nname: s\ndescription: good\n---\ngood words\n",
    "home/.keep": "",
    "user/.keep": "",
  });
  // In a folder that everybody may write to, only files of the current user count.
  chmodSync(dir.at("work"), 0o777);
  if (process.getuid?.() === 0) chownSync(dir.at("work/theirs"), 65534, 65534);
  else chmodSync(dir.at("work/theirs"), 0o000);
  const files = ["work/AGENTS.md", "work/.pith/rules/a.md", "work/.pith/skills/s/SKILL.md"].map((name) => dir.at(name));
  const child = Bun.spawn(
    [process.execPath, "-e", swapping, dir.at("outside/secret.md"), dir.at("work/theirs"), ...files],
    { cwd: "/", env: { BUN_BE_BUN: "1", PATH: process.env.PATH ?? "" }, stdio: ["ignore", "pipe", "ignore"] },
  );
  await child.stdout.getReader().read();
  let told = "";
  let [rounds, longest, good] = [0, 0, 0];
  for (const until = performance.now() + 1500; performance.now() < until; rounds++) {
    const began = performance.now();
    const found = capabilitiesIn(dir.at("work"), dir.at("home"), dir.at("user"));
    told = JSON.stringify((["context", "rule", "skill", "system"] as const).map((kind) => found.of(kind).all));
    if (told.includes("CANARY")) break;
    if (told.includes("good words")) good++;
    longest = Math.max(longest, performance.now() - began);
  }
  const alive = child.exitCode === null;
  child.kill("SIGKILL");
  await child.exited;
  expect([alive, told.includes("CANARY"), good > 0, longest < 1500]).toEqual([true, false, true, true]);
  expect(rounds).toBeGreaterThan(20);
}, 20_000);
