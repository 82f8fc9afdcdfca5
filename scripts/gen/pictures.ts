// Draws the main screens as docs/pictures/<screen>-<columns>x<rows>-<ground>.svg: runs the program at a pseudo-terminal
// with scripted answers. By hand: `node bin/bun scripts/gen/pictures.ts [screen]`.
import { join } from "node:path";
import { createVirtualTerminal } from "../../packages/tui/src/test/virtual-terminal.ts";
import { full } from "../../test/full.ts";
import { pith, scripted } from "../../test/pith.ts";
import { scratch } from "../../test/scratch.ts";
import { root } from "../gate/tree.ts";
import { svgOf } from "./svg.ts";

type At = ReturnType<typeof full>;

const before =
  "export function total(items) {\n  let sum = 0;\n  for (const item of items) sum += item;\n  return sum - 1;\n}\n";
const after = before.replace("sum - 1", "sum");
const todo = {
  tool: "todo",
  input: {
    ops: [
      { op: "init", list: [{ phase: "Fix the sum", items: ["find the fault", "mend it", "run the tests"] }] },
      { op: "done", task: "find the fault" },
    ],
  },
};
const edit = { tool: "write", input: { path: "src/total.js", content: after } };
const rename = {
  tool: "edit",
  input: {
    path: "src/page.js",
    edits: [
      { oldText: 'import { total } from "./total.js";', newText: 'import { sum } from "./sum.js";' },
      { oldText: "  return euros(total(order.items));", newText: "  return euros(sum(order.items));" },
    ],
  },
};
const page = `import { total } from "./total.js";
import { euros, table } from "./table.js";

export function head(order) {
  return order.name;
}

export function rows(order) {
  return table(order.items);
}

export function foot(order) {
  return euros(total(order.items));
}
`;
const test = { tool: "bash", input: { command: "npm test" } };
const question = {
  tool: "ask",
  input: {
    questions: [
      {
        id: "round",
        question: "How shall amounts be rounded?",
        options: [{ label: "To cents" }, { label: "Not at all" }, { label: "As the setting says" }],
        recommended: 0,
      },
    ],
  },
};
const answer =
  "The sum was **one too small**: `total` took 1 off its result.\n\n```js\nreturn sum;\n```\n\n- the fault is mended\n- the tests pass";
const turns = [
  { text: "I look at the failing test first.", calls: [todo, { tool: "read", input: { path: "src/total.js" } }] },
  { calls: [edit] },
  { calls: [{ tool: "todo", input: { ops: [{ op: "done", task: "mend it" }] } }] },
  { text: answer },
  { text: "The tests can be run now." },
];

interface Screen {
  turns?: readonly object[];
  argv?: readonly string[];
  say?: string;
  /** Prompts of earlier sessions. */
  earlier?: readonly string[];
  /** Text to type, and text that shows that the screen has reacted. */
  steps?: readonly (readonly [typed: string, seen: string])[];
}

const screens: Readonly<Record<string, Screen>> = {
  welcome: {},
  conversation: { turns, argv: ["--yolo"], say: "the total is wrong, fix it", steps: [["", "tests pass"]] },
  approval: {
    turns: [{ calls: [test] }],
    argv: ["--approval", "ask"],
    say: "run the tests",
    steps: [["", "npm test"]],
  },
  hunks: {
    turns: [{ text: "Two places say the old name.", calls: [rename] }],
    argv: ["--approval", "ask"],
    say: "call it sum",
    steps: [["", "a hunk out"]],
  },
  commands: { steps: [["/", "/branch"]] },
  ask: { turns: [{ calls: [question] }], say: "round the amounts", steps: [["", "How shall amounts"]] },
  tree: {
    turns,
    argv: ["--yolo"],
    say: "the total is wrong, fix it",
    steps: [
      ["", "tests pass"],
      ["/tree\r", "(here)"],
    ],
  },
  diff: {
    turns,
    argv: ["--yolo"],
    say: "the total is wrong, fix it",
    steps: [
      ["", "tests pass"],
      ["/diff\r", "changes of the session"],
    ],
  },
  settings: { steps: [["/settings\r", "applies from"]] },
  theme: { steps: [["/theme\r", "themes for"]] },
  sessions: {
    earlier: ["the total is wrong, fix it", "round the amounts", "write a page about it"],
    steps: [["/resume\r", "find:"]],
  },
};

const sizes = [
  [80, 24],
  [120, 40],
] as const;
const grounds = { dark: "15;0", light: "0;15" } as const;

async function draw(
  name: string,
  screen: Screen,
  [columns, rows]: (typeof sizes)[number],
  ground: keyof typeof grounds,
) {
  using dir = scratch();
  dir.write({ "work/src/total.js": before, "work/src/page.js": page, "work/package.json": '{"name": "sums"}' });
  for (const said of screen.earlier ?? []) await pith(dir, ["-p", said, ...scripted(dir, { text: answer })]);
  const at: At = full(dir, [...(screen.argv ?? []), ...scripted(dir, ...(screen.turns ?? [{ text: "Hello." }]))], {
    columns,
    rows,
    env: { COLORTERM: "truecolor", COLORFGBG: grounds[ground] },
  });
  await at.idle();
  if (screen.say) at.type(`${screen.say}\r`);
  for (const [typed, seen] of screen.steps ?? []) {
    at.type(typed);
    await at.sees(seen);
    if (!typed.startsWith("/")) await quiet(at);
  }
  await quiet(at);
  const replayed = createVirtualTerminal(columns, rows);
  // Pictures do not show the temporary directory.
  const hidden = at
    .bytes()
    .replaceAll(`faux/${dir.at("script.json")}`, "faux/script")
    .replaceAll(dir.path, "~");
  replayed.write(hidden);
  const file = join(root, "docs", "pictures", `${name}-${columns}x${rows}-${ground}.svg`);
  await Bun.write(file, svgOf(replayed.raw, ground));
  at.child.kill();
  await at.child.exited;
}

/** Waits until the program writes nothing more. */
async function quiet(at: At): Promise<void> {
  for (let last = -1; last !== at.bytes().length; ) {
    last = at.bytes().length;
    await Bun.sleep(700);
  }
}

const [only] = process.argv.slice(2);
for (const [name, screen] of Object.entries(screens))
  if (only === undefined || only === name)
    for (const size of sizes)
      await Promise.all((["dark", "light"] as const).map((ground) => draw(name, screen, size, ground)));
