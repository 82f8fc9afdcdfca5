// A record is told again in the order in which it happened: who follows it later sees what a listener saw.
import { expect, test } from "bun:test";
import { pith, scripted } from "../pith.ts";
import { type Scratch, scratch } from "../scratch.ts";
import { terminal } from "../terminal.ts";

interface Line {
  type: string;
  id?: string;
  toolCallId?: string;
  message?: { role: string; customType?: string; toolCallId?: string };
  entry?: { type: string; customType?: string };
  final?: true;
}

/** Shortens a line of JSON mode to the fields that are the same in each run. */
const short = ({ type, toolCallId, message, entry, final }: Line): string =>
  [
    type,
    message?.role,
    message?.customType,
    entry?.customType ?? entry?.type,
    message?.toolCallId ?? toolCallId,
    final ? "final" : undefined,
  ]
    .filter((word) => word !== undefined)
    .join(" ");

const linesOf = (out: string): Line[] =>
  out
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));

async function replayed(dir: Scratch): Promise<Line[]> {
  const [file = ""] = [...new Bun.Glob("home/.pith/sessions/**/*.jsonl").scanSync({ cwd: dir.path, dot: true })];
  const { code, out, err } = await pith(dir, ["replay", "--json", dir.at(file)]);
  expect({ code, err }).toEqual({ code: 0, err: "" });
  return linesOf(out);
}

const call = (id: string, tool: string, input: object) => ({ calls: [{ id, tool, input }] });

test("a run in JSON mode and its replay tell the same events in the same order", async () => {
  using dir = scratch();
  dir.write({ "work/a.txt": "one\n" });
  const model = scripted(
    dir,
    call("w", "write", { path: "b.txt", content: "two\n" }),
    call("no", "bash", { command: "git push --force" }),
    call("todo", "todo", { ops: [{ op: "init", items: ["first", "second"] }] }),
    call("b", "bash", { command: "echo three > c.txt" }),
    { text: "Done." },
    { text: "Again." },
  );
  const argv = ["--mode", "json", "--approval", "auto", "--sandbox", "off", "go", "--next", "more"];
  const { code, out } = await pith(dir, [...argv, ...model]);
  expect(code).toBe(0);
  const lines = { live: linesOf(out).map(short), again: (await replayed(dir)).map(short) };
  // Display-only and unrecorded lines are in one of them alone.
  const isTold = (line: string) => !/^(message_update|tool_execution_update|notice|status|files_changed$)/.test(line);
  // The last words, then what was changed, then the end.
  const live = lines.live.filter((line) => !/^(?:status|notice|files_changed)$/.test(line));
  const changed = live.indexOf("entry_appended pith.changed");
  expect(live.slice(changed - 1, changed + 3)).toEqual([
    "message_end assistant",
    "entry_appended pith.changed",
    "files_changed final",
    "turn_end assistant",
  ]);
  expect(lines.again.filter(isTold)).toEqual(lines.live.filter(isTold));
});

test("a replay shows the question, the answer, the run, its result and the changed files in this order", async () => {
  using dir = scratch();
  dir.write({ "work/a.txt": "one\n" });
  const model = scripted(
    dir,
    { calls: [{ id: "yes", tool: "bash", input: { command: "echo two > b.txt" } }] },
    {
      calls: [
        { id: "no", tool: "bash", input: { command: "rm a.txt" } },
        { id: "write", tool: "write", input: { path: "c.txt", content: "three\n" } },
      ],
    },
    { text: "Done." },
  );
  const desk = terminal(dir, ["--approval", "ask", "--sandbox", "off", ...model]);
  await desk.waits();
  desk.type("go\n");
  for (const [asked, answer] of [
    ["b.txt", "y"],
    ["rm a.txt", "n"],
    ["write c.txt", "y"],
  ] as const) {
    await desk.sees(asked);
    await desk.answers(answer);
  }
  await desk.sees("Done.");
  await desk.waits();
  desk.type("\u0004");
  await desk.child.exited;
  const told = await replayed(dir);
  const wanted =
    /^(question|answer|tool_execution_(start|end)|files_changed|entry_appended pith\.(question|answer|changed))/;
  expect(told.map(short).filter((line) => wanted.test(line))).toEqual([
    "entry_appended pith.question",
    "question yes",
    "entry_appended pith.answer",
    "answer",
    "tool_execution_start yes",
    "tool_execution_end yes",
    "entry_appended pith.question",
    "question no",
    "entry_appended pith.answer",
    "answer",
    "tool_execution_start no",
    "tool_execution_end no",
    "entry_appended pith.question",
    "question write",
    "entry_appended pith.answer",
    "answer",
    "tool_execution_start write",
    "tool_execution_end write",
    "entry_appended pith.changed",
    "files_changed final",
  ]);
  expect(told.find(({ type }) => type === "question")).toMatchObject({
    form: "approval",
    toolName: "bash",
    args: { command: "echo two > b.txt" },
    intent: { command: "echo two > b.txt" },
  });
  expect(told.filter(({ type }) => type === "answer")).toMatchObject([{ say: "yes" }, { say: "no" }, { say: "yes" }]);
});
