import { expect, test } from "bun:test";
import type { TurnEnd } from "@pith/agent";
import { until } from "@pith/kit/test";
import { createDecoder, type InputEvent } from "@pith/tui";
import { plainTheme } from "@pith/tui/theme";
import type { Signal } from "../../io/interrupt.ts";
import {
  approval,
  asking,
  assistant,
  call,
  entry,
  type FakeTurn,
  fakeCoder,
  fakeIo,
  intent,
  result,
  said,
  untilInterrupted,
} from "../../test/fake.ts";
import { type LineRun, runLine } from "./line.ts";
import { LinePrompt } from "./prompt.ts";

/** A person at a terminal that erases nothing: lines go in one by one, and the screen can be waited for. */
function sit(play: (turn: FakeTurn) => Promise<TurnEnd>, parts: Partial<LineRun> = {}) {
  let screen = "";
  const size = () => ({ columns: 60, rows: 24 });
  const write = (text: string) => {
    screen += text;
  };
  const prompt = new LinePrompt({ theme: plainTheme, size, write, can: "backspace", pastes: "marked" });
  const io = fakeIo();
  const coder = fakeCoder(play);
  const left = runLine({ coder, prompt, theme: plainTheme, size, said: undefined, tour: false, ...parts }, io);
  const decoder = createDecoder();
  const sees = async (text: string) => {
    await until(() => screen.includes(text), `${text} in ${screen}`);
  };
  return {
    coder,
    left,
    sees,
    screen: () => screen,
    type: (line: string) => prompt.input(...(decoder.feed(`${line}\n`) as InputEvent[])),
    hangUp: () => prompt.end(),
    signal: (name: Signal) => io.interrupts.raise(name),
  };
}
const done: TurnEnd = { reason: "done" };
const ls = call("c", "bash", { command: "ls -l\nls" });

test("what the model says appears as it comes, tools as one line with their result", async () => {
  const desk = sit(async ({ emit }) => {
    emit(asking(1));
    emit({ type: "delta", deltas: [{ type: "thinking", index: 0, delta: "hm" }] });
    emit({
      type: "delta",
      deltas: [
        { type: "text", index: 1, delta: "Let me" },
        { type: "text", index: 1, delta: " look." },
      ],
    });
    emit(entry(assistant([{ type: "text", text: "Let me look." }, ls])));
    emit({ type: "call", call: ls, intent });
    emit(
      entry(
        result("c", "bash", "a.txt\n", {
          details: { kind: "run", command: "ls", cwd: "/", exitCode: 0, durationMs: 120 },
        }),
      ),
    );
    emit({ type: "delta", deltas: [{ type: "text", index: 0, delta: "One file." }] });
    emit(entry(assistant([{ type: "text", text: "One file." }])));
    return done;
  });
  await desk.sees("> ");
  desk.type("list");
  await desk.sees("One file.");
  desk.hangUp();
  expect(await desk.left).toBe(0);
  expect(desk.screen()).toBe(
    [
      "pith with mock/mock-model; /help for help",
      "> list",
      "thinking …",
      "Let me look.",
      "• bash ls -l …",
      "  a.txt",
      "  exit 0 after 0.1 s",
      "One file.",
      "> ",
      "",
    ].join("\n"),
  );
});

test("control characters of a model, a tool or a server never reach the terminal", async () => {
  const evil = "\u001b]0;owned\u0007\u009b2J";
  const desk = sit(async ({ emit }) => {
    emit({
      type: "delta",
      deltas: [
        { type: "text", index: 0, delta: `said ${evil}` },
        { type: "text", index: 0, delta: "\u001b" },
        { type: "text", index: 0, delta: "[31m" },
      ],
    });
    emit({ type: "call", call: call("c", `tool${evil}`, { path: `a${evil}` }), intent });
    emit(
      entry(
        result("c", "x", `out ${evil}`, {
          details: {
            kind: "diff",
            files: [{ path: `p${evil}`, change: "added", added: 1, removed: 0, patch: `@@\n+${evil}` }],
          },
        }),
      ),
    );
    emit({ type: "notice", notice: { level: "warn", text: `note ${evil}` } });
    emit(approval("q", `may ${evil}`, ls));
    return { reason: "failed", failure: { kind: "server", message: `down ${evil}` } };
  });
  desk.type("go");
  await desk.sees("down");
  desk.hangUp();
  await desk.left;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are the subject here
  expect(desk.screen()).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f-\x9f]/);
});

test("after a turn that changed files one line says how much, and what can be done about it", async () => {
  const file = { path: "a", change: "modified" as const, added: 3, removed: 1 };
  const desk = sit(async ({ emit }) => {
    emit({ type: "changed", turn: "t", files: [file] });
    emit({ type: "changed", turn: "t", files: [file, { ...file, path: "b", added: 0, removed: 0 }], final: true });
    emit({ type: "changed", turn: "t", files: [file], more: 9, final: true });
    return done;
  });
  desk.type("go");
  await desk.sees("changed: 2 files +3 -1 (/undo takes it back, /keep keeps it)\n");
  await desk.sees("changed: 10 files +3 -1 and more (/undo");
  expect(desk.screen()).not.toContain("changed: 1 file");
  desk.hangUp();
  await desk.left;
});

test("a line typed while a turn runs steers it", async () => {
  const go = Promise.withResolvers<void>();
  const desk = sit(async () => {
    await go.promise;
    return done;
  });
  desk.type("first");
  desk.type("not that file");
  await until(() => desk.coder.sent.length >= 2, "what was typed");
  go.resolve();
  desk.hangUp();
  expect(await desk.left).toBe(0);
  expect(desk.coder.sent).toEqual([
    ["first", "now"],
    ["not that file", "steer"],
  ]);
});

test("what waits to be said is shown", async () => {
  const desk = sit(async ({ emit }) => {
    emit({
      type: "queue",
      waiting: [{ id: "1", when: "steer", text: "not that file\nbut this", images: 0 }],
    });
    emit({ type: "queue", waiting: [] });
    return done;
  });
  desk.type("go");
  await desk.sees("(waiting: not that file)\n");
  desk.hangUp();
  await desk.left;
});

test("a question is answered by the next line: yes, no, or no with a reason", async () => {
  const ask = (id: string, { emit }: FakeTurn) => emit(approval(id, "bash runs a command", ls));
  const desk = sit(async (turn) => {
    for (const id of ["a", "b", "c", "d"]) ask(id, turn);
    await until(() => desk.coder.answers.length >= 4, "what was typed");
    return done;
  });
  desk.type("go");
  await desk.sees("• bash ls -l …\n  command:\n    | ls -l\n    | ls\nbash runs a command. Allow it? [y/n] ");
  expect(desk.screen().match(/Allow it/g)).toHaveLength(1);
  for (const line of ["y", "n", "use find instead"]) desk.type(line);
  await until(() => desk.screen().match(/Allow it/g)?.length === 4, "the last question");
  // Nobody refuses by accident, and who asks for help gets it.
  desk.type("");
  await until(() => desk.screen().match(/Allow it/g)?.length === 5, "the question again");
  desk.type("/help");
  await until(() => desk.screen().match(/Allow it/g)?.length === 6, "the question behind the help");
  expect(desk.screen()).toContain("Ctrl+C    interrupt");
  desk.type("/hlep");
  await until(() => desk.screen().match(/Allow it/g)?.length === 7, "the question behind the slip");
  expect(desk.coder.answers).toHaveLength(3);
  desk.type("no");
  await until(() => desk.coder.answers.length >= 4, "what was typed");
  desk.hangUp();
  await desk.left;
  expect(desk.coder.answers).toEqual([
    ["a", { say: "yes" }],
    ["b", { say: "no" }],
    ["c", { say: "no", words: "use find instead" }],
    ["d", { say: "no" }],
  ]);
});

test("a question for words is passed over by a second empty line, and is said again below other lines", async () => {
  const desk = sit(async ({ emit }) => {
    emit({ type: "question", question: { id: "q", agent: "main", form: "line", text: "Which name?" } });
    emit({ type: "notice", notice: { level: "info", text: "By the way." } });
    await until(() => desk.coder.answers.length >= 1, "an answer");
    return done;
  });
  desk.type("go");
  await desk.sees("By the way.\nWhich name? ");
  desk.type("");
  await desk.sees("(Enter once more gives no answer)\nWhich name? ");
  expect(desk.coder.answers).toEqual([]);
  desk.type("");
  await until(() => desk.coder.answers.length >= 1, "an answer");
  desk.hangUp();
  await desk.left;
  expect(desk.coder.answers).toEqual([["q", { say: "no" }]]);
});

test("when the input ends, an open question is answered with no and the turn may finish", async () => {
  const desk = sit(async ({ emit }) => {
    emit(approval("a", "bash runs a command", ls));
    await until(() => desk.coder.answers.length >= 1, "what was typed");
    return done;
  });
  desk.type("go");
  await desk.sees("Allow it?");
  desk.hangUp();
  expect(await desk.left).toBe(0);
  expect(desk.coder.answers).toEqual([["a", { say: "no", by: "nobody", words: "nobody is there any more" }]]);
});

test("what still runs when the input ends is shown to its end", async () => {
  const go = Promise.withResolvers<void>();
  const desk = sit(async ({ emit }) => {
    await go.promise;
    emit({ type: "delta", deltas: [{ type: "text", index: 0, delta: "At last." }] });
    return done;
  });
  desk.type("go");
  await until(() => desk.coder.sent.length >= 1, "what was typed");
  await desk.hangUp();
  go.resolve();
  expect(await desk.left).toBe(0);
  expect(desk.screen()).toContain("At last.");
});

test("Ctrl+C interrupts the turn and the prompt comes back", async () => {
  const desk = sit(({ signal }) => untilInterrupted(signal));
  desk.type("go");
  await until(() => desk.coder.sent.length >= 1, "what was typed");
  desk.signal("SIGINT");
  await desk.sees("Interrupted.\n> ");
  desk.hangUp();
  expect(await desk.left).toBe(0);
});

test("a second Ctrl+C leaves, with 130 when a turn was still running", async () => {
  const stubborn = sit(() => new Promise(() => {}));
  stubborn.type("go");
  await until(() => stubborn.coder.sent.length >= 1, "what was typed");
  stubborn.signal("SIGINT");
  stubborn.signal("SIGINT");
  expect(await stubborn.left).toBe(130);
  const quiet = sit(async () => done);
  quiet.signal("SIGINT");
  await quiet.sees("leaves)");
  quiet.signal("SIGINT");
  expect(await quiet.left).toBe(0);
});

test("a hang-up or a kill leaves at once with 130", async () => {
  const desk = sit(async () => done);
  desk.signal("SIGHUP");
  expect(await desk.left).toBe(130);
});

test("/help explains, /quit leaves, and an empty line does nothing", async () => {
  const desk = sit(async () => done);
  desk.type("/help");
  await desk.sees("Ctrl+C");
  desk.type("");
  desk.type("/quit");
  expect(await desk.left).toBe(0);
  expect(desk.coder.sent).toEqual([]);
});

test("a call that was refused is shown with its refusal", async () => {
  const desk = sit(async ({ emit }) => {
    emit(entry(assistant([ls])));
    emit(entry(result("c", "bash", "The user said no to this call.", { isError: true })));
    return done;
  });
  desk.type("go");
  await desk.sees("• bash ls -l …\n  The user said no to this call.\n");
  desk.hangUp();
  await desk.left;
});

test("results of calls that ran side by side stand below their own call", async () => {
  const calls = [call("a", "read", { path: "a" }), call("b", "read", { path: "b" })];
  const desk = sit(async ({ emit }) => {
    emit(entry(assistant(calls)));
    for (const one of calls) emit({ type: "call", call: one, intent });
    for (const { id } of calls) emit(entry(result(id, "read", `text of ${id}`)));
    return done;
  });
  desk.type("go");
  await desk.sees("• read a\n• read b\n• read a\n  text of a\n• read b\n  text of b\n");
  desk.hangUp();
  await desk.left;
});

test("the tour says that it is scripted and begins by itself", async () => {
  const desk = sit(async () => done, { tour: true });
  desk.hangUp();
  await desk.left;
  expect(desk.screen()).toContain("scripted tour");
  expect(desk.coder.sent).toHaveLength(1);
});

test("what was said on the command line goes first", async () => {
  const desk = sit(async () => done, { said: said("hello") });
  desk.hangUp();
  await desk.left;
  expect(desk.coder.sent).toEqual([["hello", "now"]]);
});

test("a turn that breaks inside is told, and the conversation goes on", async () => {
  const desk = sit(async () => {
    throw new Error("disk full");
  });
  desk.type("go");
  await desk.sees("disk full\n> ");
  desk.hangUp();
  expect(await desk.left).toBe(0);
});

test("a mistyped command is not sent to the model; a path is", async () => {
  const desk = sit(async () => done);
  desk.type("/qiut now");
  await desk.sees("Did you mean /quit?");
  for (const words of ["/etc/hosts holds what?", "/tmp", "say /help", "/2 of it"]) {
    desk.type(words);
    await until(() => desk.coder.sent.at(-1)?.[0] === words, words);
  }
  expect(desk.coder.sent).toHaveLength(4);
  desk.hangUp();
  expect(await desk.left).toBe(0);
});
