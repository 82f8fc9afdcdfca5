import { expect, test } from "bun:test";
import type { Event, TurnEnd } from "@pith/agent";
import type { Command } from "@pith/coder";
import { Out } from "../../io/out.ts";
import {
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
  user,
} from "../../test/fake.ts";
import { jsonPrinter } from "./json.ts";
import { runPrint } from "./print.ts";
import { textPrinter } from "./text.ts";

type Setting = Parameters<typeof fakeIo>[0] & {
  maxTimeMs?: number;
  json?: true;
  during?: (io: ReturnType<typeof fakeIo>) => void;
};

async function print(
  play: (turn: FakeTurn) => Promise<TurnEnd>,
  { maxTimeMs, json, during, ...process }: Setting = {},
) {
  const io = fakeIo(process);
  const coder = fakeCoder(play);
  const printer = json ? jsonPrinter(coder.header, io) : textPrinter(io);
  const done = runPrint({ coder, inputs: [said("hi")], printer, maxTimeMs }, io);
  during?.(io);
  const code = await done;
  await io.out.flush();
  await io.err.flush();
  return { code, out: io.printed(), err: io.complained(), quits: io.quits };
}
const answer = (...texts: string[]) => entry(assistant(texts.map((text) => ({ type: "text", text }))));
const done: TurnEnd = { reason: "done" };
const says =
  (event: Event, end: TurnEnd = done) =>
  async ({ emit }: FakeTurn) => {
    emit(event);
    return end;
  };

test("stdout gets the text of the last answer and nothing else", async () => {
  const shown = await print(async ({ emit }) => {
    emit(user("hi"));
    emit(asking(1));
    emit(
      entry(
        assistant([
          { type: "thinking", thinking: "secret" },
          { type: "text", text: "first" },
          call("c", "read", { path: "a" }),
        ]),
      ),
    );
    emit({ type: "call", call: call("c", "read", { path: "a" }), intent });
    emit(entry(result("c", "read", "missing", { isError: true })));
    emit(answer("one", "two"));
    return done;
  });
  expect(shown).toEqual({ code: 0, out: "one\ntwo\n", err: "", quits: [] });
});

test("an answer that ends with a newline gets no second one, and an empty one none at all", async () => {
  const say = (text: string) => print(says(answer(text)));
  expect((await say("yes\n")).out).toBe("yes\n");
  expect((await say("")).out).toBe("");
});

test("a terminal gets no control characters, a pipe gets every byte", async () => {
  const say = (outIs: "device" | "pipe") => print(says(answer("a\u001b]0;owned\u0007b")), { outIs });
  expect((await say("device")).out).toBe("ab\n");
  expect((await say("pipe")).out).toBe("a\u001b]0;owned\u0007b\n");
});

test("a failure is told on stderr, without what a terminal would obey, and exits with 1", async () => {
  const failure = { kind: "server", message: "the server is down\u001b[2J" } as const;
  const shown = await print(async ({ emit }) => {
    emit(entry(assistant([{ type: "text", text: "half" }], { stopReason: "error" })));
    return { reason: "failed", failure };
  });
  expect(shown).toMatchObject({ code: 1, out: "", err: "pith: the server is down\n" });
});

test("a limit exits with 1 and says which; an answer that was whole is printed, half of one is not", async () => {
  const limit = { reason: "limit", message: "The limit was reached." } as const;
  const half = entry(assistant([{ type: "text", text: "half" }], { stopReason: "toolUse" }));
  expect(await print(says(half, limit))).toMatchObject({ code: 1, out: "", err: "pith: The limit was reached.\n" });
  expect(await print(says(answer("whole"), limit))).toMatchObject({ code: 1, out: "whole\n" });
});

test("an answer cut at the output limit is printed, told, and no success", async () => {
  const shown = await print(says(entry(assistant([{ type: "text", text: "half" }], { stopReason: "length" }))));
  expect(shown).toMatchObject({ code: 1, out: "half\n", err: expect.stringContaining("output limit") });
});

test("a signal interrupts the turn and exits with 130; a second one ends at once", async () => {
  const once = await print(({ signal }) => untilInterrupted(signal), { during: (io) => io.interrupts.raise("SIGINT") });
  expect(once).toMatchObject({ code: 130, out: "", quits: [] });
  expect(once.err).toContain("interrupted");
  const twice = await print(({ signal }) => untilInterrupted(signal), {
    during: (io) => {
      io.interrupts.raise("SIGTERM");
      io.interrupts.raise("SIGTERM");
    },
  });
  expect(twice.quits).toEqual([130]);
});

test("a signal after the time limit ends at once, too", async () => {
  let go = () => {};
  const timeUp = Promise.withResolvers<void>();
  const stubborn = ({ signal }: FakeTurn) =>
    new Promise<TurnEnd>((end) => {
      signal.addEventListener("abort", () => timeUp.resolve());
      go = () => end({ reason: "interrupted", message: String(signal.reason) });
    });
  const io = fakeIo();
  const coder = fakeCoder(stubborn);
  const done = runPrint({ coder, inputs: [said("hi")], printer: textPrinter(io), maxTimeMs: 1 }, io);
  await timeUp.promise;
  io.interrupts.raise("SIGINT");
  expect(io.quits).toEqual([130]);
  go();
  expect(await done).toBe(1);
});

test("what the session had left waiting is named", async () => {
  const shown = await print(
    says({
      type: "queue",
      waiting: [
        { id: "1", when: "steer", text: "one", images: 0 },
        { id: "2", when: "after", text: "two\nlines", images: 0 },
      ],
    }),
  );
  expect(shown.err).toBe('pith: left from before and sent along: "one", "two\\nlines"\n');
});

test("a signal that comes too late to interrupt anything does not spoil a finished run", async () => {
  const play = async (turn: FakeTurn) => {
    await Bun.sleep(5);
    return says(answer("ok"))(turn);
  };
  const shown = await print(play, { during: (io) => io.interrupts.raise("SIGINT") });
  expect(shown).toMatchObject({ code: 0, out: "ok\n" });
});

test("the time limit stops the run, exits with 1 and says so", async () => {
  const shown = await print(({ signal }) => untilInterrupted(signal), { maxTimeMs: 10 });
  expect(shown).toMatchObject({ code: 1, err: expect.stringContaining("--max-time") });
});

test("a tool that was refused is named on stderr in one line", async () => {
  const shown = await print(async ({ emit }) => {
    emit(entry(assistant([call("c", "bash", { command: "ls" })])));
    emit(
      entry(result("c", "bash", "Not run: it would run with --approval auto.\nGo on without it.", { isError: true })),
    );
    emit(answer("could not"));
    return done;
  });
  expect(shown).toMatchObject({
    code: 0,
    out: "could not\n",
    err: "pith: bash: Not run: it would run with --approval auto.\n",
  });
});

test("notices and retries are told on stderr", async () => {
  const shown = await print(async ({ emit }) => {
    emit({ type: "notice", notice: { level: "info", text: "unknown model, used as it is" } });
    emit({
      type: "turn",
      state: {
        name: "retrying",
        failure: { kind: "overload", message: "The server is busy." },
        attempt: 1,
        delayMs: 1500,
      },
    });
    return done;
  });
  expect(shown.err).toBe("pith: unknown model, used as it is\npith: The server is busy. Trying again in 2 s.\n");
});

test("JSON mode prints the header and then events, one per line, and nothing else", async () => {
  const shown = await print(
    async ({ emit }) => {
      emit(user("hi"));
      emit(asking(1));
      emit(answer("line one\nline two\u2028three"));
      emit({ type: "notice", notice: { level: "warn", text: "careful" } });
      return done;
    },
    { json: true },
  );
  const lines = shown.out
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(lines[0]).toMatchObject({ type: "session", version: 3 });
  expect(lines.map(({ type }) => type)).toEqual([
    "session",
    "agent_start",
    "turn_start",
    "message_start",
    "message_end",
    "message_start",
    "message_end",
    "notice",
    "turn_end",
    "agent_end",
    "agent_settled",
  ]);
  expect(shown).toMatchObject({ code: 0, err: "" });
});

test("JSON on a terminal escapes what the terminal would obey, and is still the same JSON", async () => {
  const shown = await print(says(answer("a\u009b31m\u007f\u001b[2J\u202e\u2066b")), { json: true, outIs: "device" });
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are the subject here
  expect(shown.out).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e\u2066]/);
  const end = shown.out
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line))
    .find(({ type }) => type === "message_end");
  expect(end.message.content[0].text).toBe("a\u009b31m\u007f\u001b[2J\u202e\u2066b");
});

test("when the reader of the events leaves, the run is stopped quietly", async () => {
  const out = new Out(async () => {
    throw Object.assign(new Error("broken pipe"), { code: "EPIPE" });
  });
  const shown = await print(({ signal }) => untilInterrupted(signal), { json: true, out });
  expect(shown).toMatchObject({ code: 130, err: "" });
});

test("a command is carried out and not sent; what it shows is printed, and its failure is told", async () => {
  const show = (text: string, failed?: true): Command => ({
    name: failed ? "bad" : "good",
    about: "",
    usage: "[words]",
    when: "any time",
    run: (words) => ({
      do: "show",
      outcome: { kind: "prose", data: {}, text: `${text} ${words}`.trim(), ...(failed ? { failed } : {}) },
    }),
  });
  const words = { do: "prompt", input: { text: "say it" } } as const;
  const again: Command = { name: "again", about: "", when: "idle", run: () => words };
  const enter = async (text: string) => {
    const io = fakeIo();
    const coder = fakeCoder(says(answer("ok")), [show("shown"), show("broken", true), again]);
    const code = await runPrint({ coder, inputs: [said(text)], printer: textPrinter(io) }, io);
    return { code, sent: coder.sent.map(([sent]) => sent), out: io.printed(), err: io.complained() };
  };
  expect(await enter("/good one two")).toEqual({ code: 0, sent: [], out: "shown one two\n", err: "" });
  expect(await enter("/bad")).toEqual({ code: 1, sent: [], out: "", err: "pith: broken\n" });
  expect(await enter("/nothing")).toMatchObject({ code: 1, sent: [], out: "" });
  expect(await enter("/again")).toEqual({ code: 0, sent: ["say it"], out: "ok\n", err: "" });
  expect(await enter("/quit")).toEqual({ code: 1, sent: [], out: "", err: "pith: /quit needs a terminal.\n" });
});

test("further messages are said one after another, and when one fails the rest is named as not sent", async () => {
  const ask = async (play: (turn: FakeTurn) => Promise<TurnEnd>) => {
    const io = fakeIo();
    const coder = fakeCoder(play);
    const code = await runPrint({ coder, inputs: ["one", "two", "three"].map(said), printer: textPrinter(io) }, io);
    return { code, sent: coder.sent.map(([text]) => text), out: io.printed(), err: io.complained() };
  };
  expect(await ask(says(answer("ok")))).toEqual({ code: 0, sent: ["one", "two", "three"], out: "ok\n", err: "" });
  const cut = entry(assistant([{ type: "text", text: "cut" }], { stopReason: "length" }));
  expect(await ask(async (turn) => says(turn.input.text === "three" ? answer("whole") : cut)(turn))).toMatchObject({
    code: 0,
    out: "whole\n",
  });
  const failed = await ask(async () => ({ reason: "failed", failure: { kind: "server", message: "down" } }));
  expect(failed).toEqual({ code: 1, sent: ["one"], out: "", err: "pith: down\npith: 2 further messages not sent\n" });
});
