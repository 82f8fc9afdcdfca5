// Records docs/pictures/demo-<ground>.svg, the animation of the README: the full screen at a pseudo-terminal, with
// scripted answers. By hand: `node bin/bun scripts/gen/animation.ts`.
import { chmodSync } from "node:fs";
import { join } from "node:path";
import { createVirtualTerminal } from "../../packages/tui/src/test/virtual-terminal.ts";
import { full } from "../../test/full.ts";
import { scripted } from "../../test/pith.ts";
import { scratch } from "../../test/scratch.ts";
import { root } from "../gate/tree.ts";
import { animationOf, type Frame, frameOf } from "./svg.ts";

const size = { columns: 96, rows: 28 };
const grounds = { dark: "15;0", light: "0;15" } as const;

const before = `export function total(items) {
  let sum = 0;
  for (const item of items) sum += item;
  return sum - 1;
}
`;
const check = `import { total } from "./total.js";
const found = total([1, 2, 3]);
console.log(found === 6 ? "1 passed" : "1 failed: total([1, 2, 3]) is " + found + ", not 6");
process.exitCode = found === 6 ? 0 : 1;
`;
const answer = "`total` took 1 off its result. The line is fixed, and the test passes:\n\n```js\nreturn sum;\n```\n";
const turns = [
  { text: "The test first.", calls: [{ tool: "bash", input: { command: "node src/total.test.js" } }] },
  { calls: [{ tool: "read", input: { path: "src/total.js" } }] },
  { calls: [{ tool: "write", input: { path: "src/total.js", content: before.replace("sum - 1", "sum") } }] },
  { calls: [{ tool: "bash", input: { command: "node src/total.test.js" } }] },
  { text: answer },
];

async function record(ground: keyof typeof grounds): Promise<void> {
  using dir = scratch();
  dir.write({
    "work/src/total.js": before,
    "work/src/total.test.js": check,
    "work/package.json": '{"type": "module"}',
  });
  for (const name of ["work", "work/src"]) chmodSync(dir.at(name), 0o755);
  const at = full(dir, ["--approval", "ask", ...scripted(dir, ...turns)], {
    columns: size.columns,
    rows: size.rows,
    env: { COLORTERM: "truecolor", COLORFGBG: grounds[ground] },
  });
  const frames: Frame[] = [];
  const shot = (ms: number) => {
    const terminal = createVirtualTerminal(size.columns, size.rows);
    // The picture does not show the temporary directory.
    const named = at.bytes().replaceAll(`faux/${dir.at("script.json")}`, "a scripted model");
    const hidden = named.replaceAll(dir.at("script.json"), "a scripted model");
    terminal.write(hidden.replaceAll(dir.path, "~"));
    frames.push(frameOf(terminal.raw, ground, ms));
    return terminal.raw;
  };
  const type = async (text: string) => {
    for (const letters of text.match(/.{1,3}/g) ?? []) {
      at.type(letters);
      await at.sees(letters.trim());
      await quiet(at, 60);
      shot(140);
    }
  };
  await at.idle();
  shot(1200);
  await type("the total is wrong, fix it");
  at.type("\r");
  // Each call is asked about: the command, the edit with its hunk, the command again.
  for (const [seen, pause] of [
    ["node src/total.test.js", 1800],
    ["return sum;", 2600],
    ["node src/total.test.js", 1600],
  ] as const) {
    await at.sees(seen);
    await quiet(at);
    shot(pause);
    at.type("y");
    await quiet(at);
    shot(600);
  }
  await at.sees("the test passes");
  await at.idle();
  await quiet(at);
  shot(3000);
  await type("/undo");
  at.type("\r");
  await quiet(at);
  const terminal = shot(3500);
  await Bun.write(join(root, "docs", "pictures", `demo-${ground}.svg`), animationOf(terminal, ground, frames));
  at.child.kill();
  await at.child.exited;
}

/** Waits until the program writes nothing more. */
async function quiet(at: ReturnType<typeof full>, ms = 700): Promise<void> {
  for (let last = -1; last !== at.bytes().length; ) {
    last = at.bytes().length;
    await Bun.sleep(ms);
  }
}

await Promise.all([record("dark"), record("light")]);
