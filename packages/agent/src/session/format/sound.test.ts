import { expect, test } from "bun:test";
import { Context, openCalls } from "../context.ts";
import { Journal } from "../journal.ts";
import { memoryStorage } from "../store/storage.ts";

const header = '{"type":"session","version":3,"id":"s","timestamp":"2026-01-01T00:00:00.000Z","cwd":"/p"}';
const line = (id: string, parentId: string | null, rest: object) =>
  JSON.stringify({ id, parentId, timestamp: "2026-01-01T00:00:00.000Z", ...rest });
const said = (id: string, parentId: string | null, text: string) =>
  line(id, parentId, { type: "message", message: { role: "user", content: text, timestamp: 1 } });

function open(text: string) {
  const opened = Journal.open({ storage: memoryStorage(text), clock: { now: () => 0 }, onFault: () => {} });
  if (!opened.ok) throw new Error(opened.message);
  const { journal, notes } = opened.value;
  return {
    journal,
    notes,
    said: () =>
      new Context(journal).messages.map(({ content }) =>
        typeof content === "string" ? content : JSON.stringify(content),
      ),
  };
}

test("an entry that lacks what its type promises does not make a session unusable", () => {
  const odd = [
    { type: "message", message: null },
    { type: "message" },
    { type: "message", message: { role: "bashExecution", command: null, output: 5, exitCode: "x" } },
    { type: "message", message: { role: "assistant" } },
    { type: "message", message: { role: "assistant", content: "as a text", usage: null } },
    {
      type: "message",
      message: {
        role: "user",
        content: [null, 3, "x", { type: "text" }, { type: "image" }, { type: "text", text: "kept" }],
      },
    },
    { type: "message", message: { role: "toolResult", content: 7 } },
    { type: "message", message: { role: "alien", content: { a: 1 } } },
    { type: "message", message: { role: "assistant", content: [{ type: "toolCall", name: "no id" }] } },
    { type: "compaction" },
    { type: "branch_summary", summary: 7 },
    { type: "custom_message", content: {} },
    { type: "label" },
    { type: "session_info", name: {} },
    { type: "custom", timestamp: 5 },
  ];
  const lines = odd.map((rest, at) =>
    line(`0000000${at.toString(16)}`, at === 0 ? null : `0000000${(at - 1).toString(16)}`, rest),
  );
  const { journal, said: shown } = open(`${[header, ...lines].join("\n")}\n`);
  expect([...journal.tree.all()]).toHaveLength(odd.length);
  expect(journal.tree.pathTo()).toHaveLength(odd.length);
  expect(journal.tree.labels().size).toBe(0);
  expect(journal.tree.name).toBeUndefined();
  journal.append({ type: "message", message: { role: "user", content: "goes on", timestamp: 1 } });
  expect(shown().at(-1)).toBe("goes on");
  const [first] = journal.tree.all();
  expect(first).toMatchObject({ type: "custom", customType: "pith.damaged" });
});

test("two entries with one id do not lead in a circle, and both are kept", () => {
  const {
    journal,
    notes,
    said: shown,
  } = open(
    `${[
      header,
      said("00000001", null, "one"),
      said("00000002", "00000001", "two"),
      said("00000001", "00000002", "three"),
      said("00000004", "00000001", "four"),
    ].join("\n")}\n`,
  );
  expect(shown()).toEqual(["one", "two", "three", "four"]);
  expect(notes.join()).toContain("1 entry had the id of another one: 00000001-2");
  expect(journal.tree.get("00000001-2")?.parentId).toBe("00000002");
  expect(journal.tree.get("00000004")?.parentId).toBe("00000001-2");
  expect([...journal.tree.back()].map(({ id }) => id)).toEqual(["00000004", "00000001-2", "00000002", "00000001"]);
});

test("lines that stand in a file twice do not send the conversation back to its beginning", () => {
  const lines = [said("00000001", null, "one"), said("00000002", "00000001", "two")];
  const { journal, notes, said: shown } = open(`${[header, ...lines, ...lines, lines[0]].join("\n")}\n`);
  expect(shown()).toEqual(["one", "two"]);
  expect(journal.tree.size).toBe(2);
  expect(notes.join()).toContain("3 lines of the session stand there twice");
});

test("a second header in the middle does not begin a session anew", () => {
  const { said: shown } = open(
    `${[header, said("00000001", null, "one"), header, said("00000002", "00000001", "two"), header].join("\n")}\n`,
  );
  expect(shown()).toEqual(["one", "two"]);
});

test("carriage returns, indents and a byte order mark of an editor cost nothing", () => {
  const lines = [header, said("00000001", null, "one"), said("00000002", "00000001", "two")];
  for (const text of [
    `${lines.join("\r\n")}\r\n`,
    `\ufeff${lines.join("\n")}\n`,
    `${lines.join("\n   ")}\n`,
    `\n\n${lines.join("\n\n")}\n`,
  ]) {
    const { journal, notes, said: shown } = open(text);
    expect(shown()).toEqual(["one", "two"]);
    expect([...journal.lines()]).toHaveLength(2);
    expect(journal.header.cwd).toBe("/p");
    expect(notes).toEqual([]);
  }
});

test("a session whose header is gone opens with every entry", () => {
  const { journal, said: shown } = open(
    `${[said("00000001", null, "one"), said("00000002", "00000001", "two")].join("\n")}\n`,
  );
  expect(shown()).toEqual(["one", "two"]);
  journal.append({ type: "message", message: { role: "user", content: "three", timestamp: 1 } });
  expect(shown()).toEqual(["one", "two", "three"]);
});

test("a header without a directory, and a file with nothing but empty lines, open", () => {
  expect(open('{"type":"session","version":3,"id":"s"}\n').journal.header).toMatchObject({ id: "s", cwd: "" });
  expect(open("\n\n").journal.tree.size).toBe(0);
});

test("a model that another program names in one word is the model", () => {
  const { journal } = open(
    `${[
      header,
      line("00000001", null, { type: "model_change", model: "mock/a/b" }),
      line("00000002", "00000001", { type: "model_change" }),
    ].join("\n")}\n`,
  );
  expect([...journal.tree.all()]).toMatchObject([
    { provider: "mock", modelId: "a/b" },
    { provider: "unknown", modelId: "unknown" },
  ]);
});

test("a question or an answer that cannot be read costs nothing but itself", () => {
  const call = { type: "toolCall", id: "c", name: "bash", arguments: {} };
  const result = { role: "toolResult", toolCallId: "c", toolName: "bash", content: [{ type: "text", text: "done" }] };
  const lines = [
    header,
    said("00000001", null, "go"),
    line("00000002", "00000001", { type: "message", message: { role: "assistant", content: [call] } }),
    line("00000003", "00000002", { type: "custom", customType: "pith.question", data: { id: "main/c" } }),
    line("00000004", "00000003", { type: "custom", customType: "pith.answer", data: { question: "main/c" } }),
    line("00000005", "00000004", { type: "message", message: result }),
  ];
  const spoilt = [
    (text: string) => text.slice(0, 40),
    () => "",
    (text: string) => text.replace(/"data":.*/, '"data":null}'),
    (text: string) => text.replace(/"customType":"[^"]*",/, ""),
  ];
  for (const at of [3, 4])
    for (const spoil of spoilt) {
      const { journal } = open(`${lines.map((text, index) => (index === at ? spoil(text) : text)).join("\n")}\n`);
      const { messages } = new Context(journal);
      expect(messages.map(({ role }) => role)).toEqual(["user", "assistant", "toolResult"]);
      expect(openCalls(messages)).toEqual([]);
    }
});
