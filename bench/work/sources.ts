// A prompt in a project with 500 files of other agents' configuration; the floor is pith in one without any.

import { type CapabilityKind, kindNames } from "../../packages/coder/src/capability/kind/kind.ts";
import { Capabilities } from "../../packages/coder/src/capability/registry.ts";
import { sources } from "../../packages/coder/src/capability/sources.ts";
import { type Scratch, scratch } from "../../packages/kit/src/test/index.ts";
import type { Lab } from "../lab.ts";
import { argsFor } from "../turn.ts";
import type { Work } from "../work.ts";

const places = [
  (n: number) => `.pith/skills/n${n}/SKILL.md`,
  (n: number) => `.cursor/rules/n${n}.mdc`,
  (n: number) => `.claude/commands/n${n}.md`,
  (n: number) => `.claude/agents/n${n}.md`,
  (n: number) => `.pith/prompts/n${n}.md`,
];
const text = (n: number) =>
  `---\nname: n${n}\ndescription: what number ${n} is for\n---\nDo what number ${n} asks for.\n`;

/** Warm: each project stays for all runs, so that only the first start has never seen it. */
const made = new Map<number, Scratch>();

function projectOf(count: number): Scratch {
  const known = made.get(count);
  if (known) return known;
  const dir = scratch();
  made.set(count, dir);
  process.once("exit", () => dir[Symbol.dispose]());
  const files = Array.from({ length: count }, (_, n) => [places[n % places.length]?.(n) ?? "", text(n)]);
  dir.write({ "AGENTS.md": "", ...Object.fromEntries(files) });
  return dir;
}

async function run(lab: Lab, count: number) {
  const dir = projectOf(count);
  const args = [...argsFor("pith", "say it"), "--cwd", dir.path];
  const { began, seen } = await lab.start("pith", args, { play: "words", count: 1 });
  const place = { cwd: dir.path, root: dir.path, home: dir.at("h"), userHome: dir.at("u"), env: {} };
  const capabilities = new Capabilities({ place, trust: { ask: () => ({ is: "untrusted" }) } });
  capabilities.add(...sources);
  const scanned = performance.now();
  // Built-in capabilities are in both and are no files.
  const files = (kind: CapabilityKind) =>
    capabilities.of(kind).winners.filter(({ source }) => source !== "builtin").length;
  const found = kindNames.reduce((all, kind) => all + files(kind), 0);
  const scan = performance.now() - scanned;
  if (found !== count + 1) throw new Error(`${found} of ${count + 1} were found`);
  return { request: (seen[0]?.arrived ?? Number.NaN) - began, scan };
}

export default {
  title: "a project with 500 files of configuration",
  pith: (lab) => run(lab, 500),
  floor: (lab) => run(lab, 0),
  measures: [
    { of: "request", title: "start to first request", unit: "ms", goal: { timesFloor: 1.2 } },
    { of: "scan", title: "all kinds found", unit: "ms", goal: { atMost: 30 } },
  ],
} satisfies Work;
