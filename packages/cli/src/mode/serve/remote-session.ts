import { Channel, type Event, Journal, memoryStorage, outline, outlineSteps, type PlacedDraft } from "@pith/agent";
import { type Coder, type Command, CommandTable, type Ending } from "@pith/coder";
import { fail, LineCutter, messageOf, ok, type Result, systemClock, uuid7 } from "@pith/kit";
import { isOurs } from "../../open/server.ts";
import { helloFrom } from "./hello.ts";
import { FarJobs } from "./remote-jobs.ts";
import type { Held, Hello, Told } from "./remote-server.ts";
import type { Verb } from "./verb.ts";

/** How the server is reached: by the socket in the user's home. */
export interface Line {
  socket: string;
  session: string;
}

/**
 * A conversation that lives elsewhere, as a face sees it: a record in memory that the entries of the other fill, and
 * verbs that are carried out there. To leave it ends nothing.
 */
export async function openMirror(line: Line, lost: (why: string) => void): Promise<Result<Coder, "mirror">> {
  if (!isOurs(line.socket)) return fail("mirror", "No server of yours listens here.");
  const gone = new AbortController();
  const at = `http://pith/v1/sessions/${encodeURIComponent(line.session)}/mirror`;
  const over = { unix: line.socket, signal: gone.signal } as BunFetchRequestInit;
  const response = await fetch(at, { ...over, timeout: false } as BunFetchRequestInit).catch((error) =>
    messageOf(error),
  );
  if (typeof response === "string") return fail("mirror", `The server does not answer: ${response}`);
  if (!response.ok || !response.body) return fail("mirror", "The server has no such session.");
  const lines = told(response.body);
  const hello = await helloFrom(lines);
  if (!hello.ok) {
    gone.abort();
    return hello;
  }
  const ask = async <T>(verb: Verb, ...args: unknown[]): Promise<T> => {
    const init = { ...over, method: "POST", body: JSON.stringify(args), timeout: false } as BunFetchRequestInit;
    const said = (await (await fetch(`${at}/${verb}`, init)).json()) as { value?: T; error?: string };
    if (said.error !== undefined) throw new Error(said.error);
    return said.value as T;
  };
  const mirror = new Mirror(hello.value, ask, async (question) => {
    const url = at.replace(/mirror$/, `changes/${encodeURIComponent(question)}`);
    return (await (await fetch(url, over)).json()) as never;
  });
  void (async () => {
    try {
      for await (const next of lines) mirror.take(next);
      lost("The server has ended the session.");
    } catch {
      if (!gone.signal.aborted) lost("The server is gone; pith -c goes on with what it has recorded.");
    }
  })();
  return ok(mirror.coder(() => gone.abort()));
}

async function* told(body: ReadableStream<Uint8Array>): AsyncGenerator<Told> {
  const cutter = new LineCutter();
  const decoder = new TextDecoder();
  for await (const chunk of body)
    for (const line of cutter.push(decoder.decode(chunk, { stream: true }))) yield JSON.parse(line);
}

type Ask = <T>(verb: Verb, ...args: unknown[]) => Promise<T>;
type Changes = NonNullable<NonNullable<NonNullable<Coder["scene"]["questions"][number]["intent"]>["changes"]>>;

class Mirror {
  readonly #hello: Hello;
  readonly #ask: Ask;
  readonly #changes: (question: string) => ReturnType<Changes>;
  readonly #journal: Journal;
  readonly #channel: Channel;
  readonly #jobs: FarJobs;
  #held: Held;

  constructor(hello: Hello, ask: Ask, changes: (question: string) => ReturnType<Changes>) {
    this.#hello = hello;
    this.#ask = ask;
    this.#changes = changes;
    this.#held = hello.held;
    this.#jobs = new FarJobs(hello.jobs, () => ask("jobs"));
    this.#journal = journalOf([hello.header, ...hello.entries]);
    this.#goOnAt(hello.leaf);
    this.#channel = new Channel(this.#journal);
    for (const event of standing(hello.scene)) this.#announce(event);
  }

  take(next: Told): void {
    if ("held" in next) this.#held = next.held;
    if ("jobs" in next) this.#jobs.take(next.jobs);
    if (!("event" in next)) return;
    const { event } = next;
    if (event.type === "session") void this.#journal.switchTo(journalOf([event.header]));
    if (event.type === "moved") this.#goOnAt(event.to);
    if (event.type === "entry") {
      this.#goOnAt(event.entry.parentId);
      this.#journal.appendAll([event.entry as PlacedDraft]);
    }
    this.#announce(event);
  }

  #goOnAt(id: string | null): void {
    const { tree } = this.#journal;
    if (tree.leaf !== id && (id === null || tree.has(id))) tree.moveTo(id);
  }

  #announce(event: Event): void {
    if (event.type === "question" && event.question.intent) {
      const { question } = event;
      const intent = { ...event.question.intent, changes: () => this.#changes(question.id) };
      this.#channel.announce({ ...event, question: { ...question, intent } });
    } else this.#channel.announce(event);
  }

  coder(leave: () => void): Coder {
    const ask = this.#ask;
    const hello = this.#hello;
    const journal = this.#journal;
    const { tree } = journal;
    const held = () => this.#held;
    const channel = this.#channel;
    const isRunning = () => (channel.scene.turn ?? { name: "idle" }).name !== "idle";
    const table = new CommandTable();
    table.add(hello.commands.filter(({ name }) => name !== "help").map((row) => remote(row, ask)));
    const quietly = (verb: Verb, ...args: unknown[]) =>
      void ask(verb, ...args).catch((error) => channel.notify({ level: "error", text: messageOf(error) }));
    return {
      get header() {
        return journal.header;
      },
      file: hello.file,
      get model() {
        return held().model;
      },
      get choice() {
        return held();
      },
      get running() {
        return isRunning();
      },
      get scene() {
        return channel.scene;
      },
      path: () => tree.pathTo(),
      back: () => tree.back(),
      entries: () => tree.all(),
      get leaf() {
        return tree.leaf;
      },
      entry: (id) => tree.get(id),
      lastCustom: (name) => tree.lastCustom(name)?.data,
      messageCount: () => tree.countMessages(),
      names: () => ask("names"),
      walk: {
        outline: (filter, query) => outline(tree, filter, query),
        outlined: (filter, query) => outlineSteps(tree, filter, query),
        go: (id, summary) => ask("go", id, summary),
        label: (id, label) => quietly("label", id, label),
        rename: (name) => quietly("rename", name),
        fork: (upTo) => (upTo === undefined ? ask("fork", "all") : ask("fork", "path", upTo)),
      },
      commands: table,
      // What a face brings along lives with the conversation, and that is elsewhere.
      door: { tools: () => [], gone() {}, hooks() {}, commands: (rows) => void table.add(rows), urls() {} },
      async perform({ command, words }, signal = new AbortController().signal) {
        if (command.when === "idle" && isRunning()) return { do: "busy" };
        return command.run(words, signal);
      },
      prompt: () => ask("prompt"),
      reads: () => ({ files: [], skills: 0, rules: 0 }),
      attach: (text) => (text.includes("@") ? ask("attach", text) : Promise.resolve({ text })),
      attachFiles: async () => fail("usage", "files are attached by @name here"),
      send: (input, when) => ask("send", input, when),
      warm() {},
      withdraw(id) {
        const waiting = channel.scene.queue.find((item) => item.id === id);
        quietly("withdraw", id);
        return waiting && { text: waiting.text };
      },
      answer(id, answer) {
        if (!channel.scene.questions.some((question) => question.id === id)) return "closed";
        quietly("answer", id, answer);
        return "taken";
      },
      hold: (id) => quietly("hold", id),
      command: (text, context) => ask("command", text, context),
      interrupt: (reason, what) => ask("interrupt", reason, what),
      use: (name) => ask("use", name),
      configure: (wanted) => quietly("configure", wanted),
      context: () => ask("context"),
      undo: () => undefined,
      jobs: () => this.#jobs.list(),
      note: (text) => quietly("note", text),
      usage: () => ask("usage"),
      saveTo: async () => fail("unwritable", "the record is the server's"),
      rescue: async () => undefined,
      subscribe: (listener) => channel.subscribe(listener),
      async close() {
        leave();
      },
    };
  }
}

function journalOf(lines: readonly unknown[]): Journal {
  const text = lines.map((line) => `${JSON.stringify(line)}\n`).join("");
  const opened = Journal.open({ storage: memoryStorage(text), clock: systemClock });
  if (!opened.ok) throw new Error(opened.message);
  return opened.value.journal;
}

const remote = (row: Hello["commands"][number], ask: Ask): Command => ({
  name: row.name,
  about: row.about,
  when: row.when,
  ...(row.usage === undefined ? {} : { usage: row.usage }),
  ...(row.aliases === undefined ? {} : { aliases: row.aliases }),
  complete: (words) => ask("complete", `/${row.name} ${words}`),
  run(words, signal) {
    const id = uuid7(Date.now());
    signal.addEventListener("abort", () => void ask("stop", id).catch(() => {}));
    return ask<Ending>("perform", `/${row.name}${words === "" ? "" : ` ${words}`}`, id);
  },
});

/** What stands, said once more as events. */
function standing(scene: Hello["scene"]): Event[] {
  const { turn, answer, calls, queue, questions, status, panels, outputs } = scene;
  return [
    ...(turn ? [{ type: "turn", state: turn } as const] : []),
    ...(answer.thinking
      ? [{ type: "delta", deltas: [{ type: "thinking", index: 0, delta: answer.thinking }] } as const]
      : []),
    ...(answer.text ? [{ type: "delta", deltas: [{ type: "text", index: 1, delta: answer.text }] } as const] : []),
    ...calls.map(({ call, intent }) => ({ type: "call", call, intent }) as const),
    ...(queue.length > 0 ? [{ type: "queue", waiting: queue } as const] : []),
    ...Object.entries(status).map(([key, text]) => ({ type: "status", key, text }) as const),
    ...Object.entries(panels).map(([key, panel]) => ({ type: "panel", key, panel }) as const),
    ...Object.entries(outputs).map(([id, output]) => ({ type: "output", id, ...output }) as const),
    ...questions.map((question) => ({ type: "question", question }) as const),
  ];
}
