import { Channel, type Event, type FileChange, Journal, memoryStorage, type PlacedDraft } from "@pith/agent";
import type { ConversationState, Door, Ending, Methods, Verb } from "@pith/coder";
import { abortSignal, type Coder, type Command, CommandTable, coderFrom, methodsOf, verbs } from "@pith/coder";
import { fail, LineCutter, messageOf, ok, type Result, systemClock, uuid7 } from "@pith/kit";
import { isOurs } from "../../open/server.ts";
import type { AttachLine, Hello, SessionFacts } from "./attach-server.ts";
import { AttachedJobs, type CarriedJob } from "./attached-jobs.ts";
import { helloFrom, otherPith } from "./hello.ts";

export interface AttachOptions {
  /** The socket in the user's home. */
  socket: string;
  session: string;
  /** Opens the undo store of the project: all processes share it. */
  undo: ConversationState["undo"];
  /** Called when the server or the session has ended. */
  lost(why: string): void;
}

/** Attaches to a session that lives in a server. Closing it ends nothing there. */
export async function attach({ socket, session, undo, lost }: AttachOptions): Promise<Result<Coder, "attach">> {
  if (!isOurs(socket)) return fail("attach", "No server of yours listens here.");
  const left = new AbortController();
  const request = (path: string, init: RequestInit = {}) => {
    const over = { ...init, unix: socket, signal: left.signal, timeout: false } as BunFetchRequestInit;
    return fetch(`http://pith/v1/sessions/${encodeURIComponent(session)}/${path}`, over);
  };
  const response = await request("mirror").catch(messageOf);
  if (typeof response === "string") return fail("attach", `The server does not answer: ${response}`);
  if (!response.ok || !response.body) return fail("attach", "The server has no such session.");
  const lines = linesOf(response.body);
  const hello = await helloFrom(lines);
  if (!hello.ok) {
    left.abort();
    return hello;
  }
  const { coder, take } = attachedCoder(hello.value, {
    undo,
    async post(name, args, id) {
      const path = `mirror/${name}${id === undefined ? "" : `?id=${id}`}`;
      const answered = await request(path, { method: "POST", body: JSON.stringify(args) });
      const answer = (await answered.json().catch(() => ({ error: otherPith }))) as { value?: unknown; error?: string };
      if (answer.error !== undefined) throw new Error(answer.error);
      return answer.value;
    },
    changes: async (question) => (await (await request(`changes/${encodeURIComponent(question)}`)).json()) as never,
    leave: () => left.abort(),
  });
  void (async () => {
    try {
      for await (const line of lines) take(line);
      lost("The server has ended the session.");
    } catch {
      if (!left.signal.aborted) lost("The server is gone; pith -c goes on with what it has recorded.");
    }
  })();
  return ok(coder);
}

async function* linesOf(body: ReadableStream<Uint8Array>): AsyncGenerator<AttachLine> {
  const cutter = new LineCutter();
  const decoder = new TextDecoder();
  for await (const chunk of body)
    for (const line of cutter.push(decoder.decode(chunk, { stream: true }))) yield JSON.parse(line);
}

/** The process that holds the session. */
export interface SessionServer extends Pick<AttachOptions, "undo"> {
  /** Has a verb carried out; `stop` with the same id ends it. */
  post(verb: string, args: readonly unknown[], id?: string): Promise<unknown>;
  /** Tells the changes of the call behind a question. */
  changes(question: string): Promise<FileChange[]>;
  leave(): void;
}

/** Makes the coder of an attached interface from the table of verbs; `take` is handed what the server tells. */
export function attachedCoder<T extends typeof verbs>(hello: Hello, server: SessionServer, table = verbs as T) {
  const { journal, channel, take: takeEvent } = copyOf(hello, server);
  const jobs = new AttachedJobs(hello.jobs, () => server.post("jobs", []) as Promise<CarriedJob[]>);
  let { held, file }: SessionFacts = hello;
  const source: ConversationState = {
    journal,
    channel,
    file: () => file,
    choice: () => held,
    jobs: () => jobs.list(),
    undo: server.undo,
  };
  const methods = methodsOf(table, (verb, name, args) => carry(verb, { name, args, source, server }));
  const commands = new CommandTable();
  const { perform, draft } = methods as Methods<typeof verbs>;
  for (const { name, about, usage, aliases, when } of hello.commands) {
    const row = { name, about, when, ...(usage !== undefined && { usage }), ...(aliases && { aliases }) };
    const command: Command = {
      ...row,
      complete: (words) => draft.complete(`/${name} ${words}`),
      run: (words, signal) => perform({ is: "command", command, words }, signal) as Promise<Ending>,
    };
    if (name !== "help") commands.add([command]);
  }
  const coder = coderFrom(source, methods as T & Methods<T> & Methods<typeof verbs>, {
    commands,
    door: closedDoor(channel, commands),
    close: async () => server.leave(),
  });
  return {
    // Commands of the interface itself run here, all others in the server.
    coder: Object.assign(coder, {
      perform: (async ({ command, words }, signal = new AbortController().signal) =>
        command.when === "idle" && channel.running ? { do: "busy" } : command.run(words, signal)) as Coder["perform"],
    }),
    take(line: AttachLine): void {
      if ("held" in line) ({ held, file } = line);
      else if ("jobs" in line) jobs.take(line.jobs);
      else if ("event" in line) takeEvent(line.event);
    },
  };
}

interface Call {
  name: string;
  args: readonly unknown[];
  source: ConversationState;
  server: Pick<SessionServer, "post">;
}

/** Does what a verb does in another process than that of the conversation. */
function carry({ takes, run, elsewhere }: Verb<unknown[]>, { name, args, source, server }: Call): unknown {
  const { channel } = source;
  switch (elsewhere.is) {
    case "local":
      return run(source as never, ...args);
    case "notCarried":
      channel.notify({ level: "warn", text: elsewhere.why });
      return elsewhere.answer;
    case "optimistic":
      server.post(name, args).catch((error) => channel.notify({ level: "error", text: messageOf(error) }));
      return elsewhere.answer(channel.scene, ...args);
    case "request": {
      const carried = takes.map((schema, at) => (schema === abortSignal ? null : args[at]));
      while (carried.length > 0 && carried.at(-1) === undefined) carried.pop();
      const signal = args[takes.indexOf(abortSignal)];
      return signal instanceof AbortSignal
        ? stoppable(signal, (id) => server.post(name, carried, id), server)
        : server.post(name, carried);
    }
  }
}

/** Tells the server to stop what it does for us when the signal says so. */
async function stoppable<T>(
  signal: AbortSignal,
  run: (id: string) => Promise<T>,
  { post }: Call["server"],
): Promise<T> {
  const id = uuid7(Date.now());
  const stop = () => void post("stop", [id]).catch(() => {});
  signal.addEventListener("abort", stop, { once: true });
  try {
    return await run(id);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}

/** A door through which only commands of the interface come in; the rest lives with the conversation. */
function closedDoor(channel: Channel, commands: CommandTable): Door {
  const refuse = () =>
    channel.notify({ level: "warn", text: "Tools and hooks are added by the process that holds the session." });
  return {
    tools(_, tools) {
      refuse();
      return tools.map(({ name }) => name);
    },
    gone: refuse,
    hooks: refuse,
    commands: (rows) => void commands.add(rows),
    urls: refuse,
  };
}

/** Copies the record into memory, and follows what happens to it. */
function copyOf(hello: Hello, { changes }: Pick<SessionServer, "changes">) {
  const journal = journalOf([hello.header, ...hello.entries]);
  const channel = new Channel(journal);
  const goOnAt = (id: string | null) => {
    if (journal.tree.leaf !== id && (id === null || journal.tree.has(id))) journal.tree.moveTo(id);
  };
  const announce = (event: Event) => {
    if (event.type === "turn") channel.running = event.state.name !== "idle";
    if (event.type !== "question" || !event.question.intent) return channel.announce(event);
    const { question } = event;
    const intent = { ...event.question.intent, changes: () => changes(question.id) };
    channel.announce({ ...event, question: { ...question, intent } });
  };
  goOnAt(hello.leaf);
  for (const event of eventsOf(hello.scene)) announce(event);
  return {
    journal,
    channel,
    take(event: Event): void {
      if (event.type === "session") void journal.switchTo(journalOf([event.header]));
      if (event.type === "moved") goOnAt(event.to);
      if (event.type === "entry") {
        goOnAt(event.entry.parentId);
        journal.appendAll([event.entry as PlacedDraft]);
      }
      announce(event);
    },
  };
}

function journalOf(lines: readonly unknown[]): Journal {
  const text = lines.map((line) => `${JSON.stringify(line)}\n`).join("");
  const opened = Journal.open({ storage: memoryStorage(text), clock: systemClock });
  if (!opened.ok) throw new Error(opened.message);
  return opened.value.journal;
}

/** The events that lead to a scene. */
function eventsOf({ turn, answer, calls, queue, questions, status, panels, outputs }: Hello["scene"]): Event[] {
  const deltas = [
    { type: "thinking", index: 0, delta: answer.thinking } as const,
    { type: "text", index: 1, delta: answer.text } as const,
  ].filter(({ delta }) => delta !== "");
  return [
    ...(turn ? [{ type: "turn", state: turn } as const] : []),
    ...deltas.map((delta) => ({ type: "delta", deltas: [delta] }) as const),
    ...calls.map(({ call, intent }) => ({ type: "call", call, intent }) as const),
    ...(queue.length > 0 ? [{ type: "queue", waiting: queue } as const] : []),
    ...Object.entries(status).map(([key, text]) => ({ type: "status", key, text }) as const),
    ...Object.entries(panels).map(([key, panel]) => ({ type: "panel", key, panel }) as const),
    ...Object.entries(outputs).map(([id, output]) => ({ type: "output", id, ...output }) as const),
    ...questions.map((question) => ({ type: "question", question }) as const),
  ];
}
