import { type Entry, type Event, emptyScene, type Intent, sceneAfter, type TurnEnd, type UserInput } from "@pith/agent";
import { type Coder, type Command, CommandTable } from "@pith/coder";
import { ok, silentLog } from "@pith/kit";
import type { AssistantMessage, Model, ToolCall, ToolResultMessage } from "@pith/llm";
import { noUsage } from "@pith/llm";
import { Interrupts } from "../io/interrupt.ts";
import type { FileKind, InputSource, Io } from "../io/io.ts";
import { Out } from "../io/out.ts";
import { type LaunchPrompt, textPrompt } from "../prompt/prompt.ts";

/** A process that remembers what was done to it. */
export interface FakeIo extends Io {
  printed(): string;
  complained(): string;
  quits: number[];
}

export function fakeIo(more: Partial<Io> & { stdin?: string } = {}): FakeIo {
  const quits: number[] = [];
  const texts = { out: "", err: "" };
  const collect = (end: "out" | "err") =>
    new Out(async (text) => {
      texts[end] += text;
    });
  return {
    env: { COLUMNS: "60", NO_COLOR: "1" },
    cwd: "/nowhere/project",
    userHome: "/nowhere",
    home: "/nowhere/.pith",
    clock: { now: () => 1000 },
    log: silentLog,
    out: collect("out"),
    writes: async (text) => {
      texts.out += text;
    },
    err: collect("err"),
    input: sourceOf(more.stdin === undefined ? "device" : "pipe", more.stdin ?? ""),
    interrupts: new Interrupts((code) => quits.push(code)),
    isTerminal: async () => false,
    outIs: "pipe",
    quit: (code) => quits.push(code),
    ...more,
    printed: () => texts.out,
    complained: () => texts.err,
    quits,
  };
}

export function sourceOf(kind: FileKind, ...chunks: (string | Promise<string>)[]): InputSource {
  return {
    kind,
    async *bytes() {
      for (const chunk of chunks) yield new TextEncoder().encode(await chunk);
    },
  };
}

const model: Model = {
  vendor: "mock",
  id: "mock-model",
  api: "openai-completions",
  name: "Mock",
  contextWindow: 1000,
  maxOutput: 100,
  input: ["text"],
  reasoning: false,
  cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
  known: true,
};

export interface FakeTurn {
  input: UserInput;
  when: string;
  signal: AbortSignal;
  emit(event: Event): void;
}

const leaving: Command = {
  name: "quit",
  aliases: ["exit"],
  about: "leave",
  when: "any time",
  run: () => ({ do: "wish", wish: { name: "quit" } }),
};

/** A coder that plays its turns by hand: each call of `send` while idle runs `play` to its end. */
export function fakeCoder(
  play: (turn: FakeTurn) => Promise<TurnEnd>,
  commands: readonly Command[] = [],
): Coder & { sent: [string, string][]; answers: unknown[] } {
  const table = new CommandTable();
  table.add([leaving, ...commands]);
  const listeners = new Set<(event: Event) => void>();
  let scene = emptyScene;
  const emit = (event: Event) => {
    scene = sceneAfter(scene, event);
    for (const listener of listeners) listener(event);
  };
  let abort: AbortController | undefined;
  let running: Promise<void> | undefined;
  const coder = {
    header: {
      type: "session" as const,
      version: 3,
      id: "01",
      timestamp: "1970-01-01T00:00:01.000Z",
      cwd: "/nowhere/project",
    },
    file: undefined,
    model,
    choice: { model } as Coder["choice"],
    get running() {
      return running !== undefined;
    },
    get scene() {
      return scene;
    },
    commands: table,
    async perform({ command, words }: Parameters<Coder["perform"]>[0]) {
      return command.run(words, new AbortController().signal);
    },
    withdraw: () => undefined,
    configure: () => {},
    sent: [] as [string, string][],
    answers: [] as unknown[],
    path: () => [],
    record: {
      back: () => none(),
      entry: () => undefined,
      entries: () => none(),
      leaf: () => null,
      lastCustom: () => undefined,
      saveTo: async () => ok(undefined),
      rescue: async () => undefined,
    },
    draft: {
      attach: async (text: string) => ({ text }),
      attachFiles: async (names: readonly string[]) => ok({ text: names.join("\n") }),
      names: async () => [],
      complete: async () => [],
      warm: () => undefined,
    },
    report: {
      prompt: async () => ({ bytes: 0, tokens: 0, parts: [], tools: [] }),
      reads: async () => ({ files: [], skills: 0, rules: 0 }),
      wiretap: async () => undefined,
    },
    door: { tools: () => [], gone() {}, hooks() {}, commands() {}, urls() {} },
    messageCount: () => 0,
    walk: {} as Coder["walk"],
    async send(input: UserInput, when: "now" | "steer" | "after" = "now") {
      coder.sent.push([input.text, when]);
      if (running) return running;
      abort = new AbortController();
      running = play({ input, when, emit, signal: abort.signal }).then((end) => {
        running = undefined;
        emit({ type: "turn", state: { name: "idle", end } });
      });
      return running;
    },
    command: async () => undefined,
    answer(id: string, answer: Parameters<Coder["answer"]>[1]) {
      coder.answers.push([id, answer]);
      emit({ type: "answered", id, answer });
      return "taken" as const;
    },
    hold: () => {},
    undo: () => undefined,
    jobs: () => [],
    note: () => undefined,
    async interrupt(reason: string) {
      abort?.abort(reason);
      await running;
    },
    use: async () => ok(model),
    context: async () => {
      throw new Error("not in this test");
    },
    usage: () => Promise.reject(new Error("nobody asks here")),
    subscribe(listener: (event: Event) => void) {
      listeners.add(listener);
      return { [Symbol.dispose]: () => void listeners.delete(listener) };
    },
    close: async () => {},
  };
  return coder;
}

function* none(): Generator<Entry> {}

/** Resolves when the turn is interrupted, with the end that a conversation gives it. */
export const untilInterrupted = (signal: AbortSignal): Promise<TurnEnd> =>
  new Promise((done) =>
    signal.addEventListener("abort", () => done({ reason: "interrupted", message: String(signal.reason) })),
  );

export const assistant = (
  content: AssistantMessage["content"],
  more: Partial<AssistantMessage> = {},
): AssistantMessage => ({
  role: "assistant",
  content,
  api: model.api,
  provider: model.vendor,
  model: model.id,
  usage: noUsage(),
  stopReason: content.some((part) => part.type === "toolCall") ? "toolUse" : "stop",
  timestamp: 1000,
  ...more,
});

export const call = (id: string, name: string, input: Record<string, unknown>): ToolCall => ({
  type: "toolCall",
  id,
  name,
  arguments: input,
});

export const result = (
  toolCallId: string,
  toolName: string,
  text: string,
  more: Partial<ToolResultMessage> = {},
): ToolResultMessage => ({
  role: "toolResult",
  toolCallId,
  toolName,
  content: [{ type: "text", text }],
  isError: false,
  timestamp: 1000,
  ...more,
});

export const entry = (
  message: AssistantMessage | ToolResultMessage | { role: "user"; content: string; timestamp: number },
): Event => ({
  type: "entry",
  entry: { type: "message", id: "00000000", parentId: null, timestamp: "1970-01-01T00:00:01.000Z", message },
});
export const user = (text: string): Event => entry({ role: "user", content: text, timestamp: 1000 });
export const asking = (step: number): Event => ({ type: "turn", state: { name: "asking", model, step } });

/** An intent that nothing runs. */
export const intent: Intent = { effect: "read", paths: [], run: () => Promise.reject(new Error("nobody runs it")) };

/** A question about a call. */
export const approval = (id: string, text: string, about: ToolCall): Event => ({
  type: "question",
  question: { id, agent: "main", form: "approval", text, call: about, intent },
});

/** A prompt of the command line. */
export const said = (text: string): LaunchPrompt => textPrompt(text, text.startsWith("/") ? text : undefined);
