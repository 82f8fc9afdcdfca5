// A model's server on loopback that plays the tasks it is sent, checks every request, and has bad days when told to.
import type { Socket } from "bun";
import type { Act, Task, Weather } from "./program.ts";

export interface Vendor extends Disposable {
  url: string;
  /** Faults of requests: what no server would take. */
  readonly wrong: string[];
  /** Tokens of the messages in the last request of the conversation. */
  readonly told: ReadonlySet<string>;
  /** The weather of the next answer; after it, the weather is fair. */
  next: Weather | undefined;
  /** Calls of the model by their ids. */
  calls: ReadonlyMap<string, { token: string; act: Act }>;
}

/** Says a task to the model. */
export const sayTask = ({ token, replies }: Task): string => `TASK ${token} ${JSON.stringify(replies)}`;
/** The token of a message that is a task. */
export const tokenOf = (text: string): string | undefined => /^TASK (t\d+) /.exec(text)?.[1];

/** The file outside of the project that notes every command that has run, and how often. */
export interface Place {
  ran: string;
}

interface Message {
  role: string;
  content: string | { text?: string }[] | null;
  tool_calls?: { id: string }[];
  tool_call_id?: string;
}

export function openVendor(place: Place): Vendor {
  const wrong: string[] = [];
  const calls = new Map<string, { token: string; act: Act }>();
  let told = new Set<string>();
  const vendor = { next: undefined as Weather | undefined };
  const answer = (body: string): string => {
    const { messages = [] } = JSON.parse(body) as { messages?: Message[] };
    wrong.push(...wrongIn(messages));
    const said = messages.flatMap((message) => (message.role === "user" ? [textOf(message)] : []));
    if (!isAside(messages)) told = new Set(said.flatMap((text) => tokenOf(text) ?? []));
    return replyTo(messages, place.ran, calls);
  };
  const server = Bun.listen<{ got: string; over: boolean }>({
    hostname: "127.0.0.1",
    port: 0,
    socket: {
      open(socket) {
        socket.data = { got: "", over: false };
      },
      data(socket, bytes) {
        const { data } = socket;
        data.got += bytes.toString("latin1");
        const body = bodyOf(data.got);
        if (body === undefined) return;
        const rainy = vendor.next;
        vendor.next = undefined;
        data.got = "";
        void send(socket, rainy, () => answer(Buffer.from(body, "latin1").toString()));
      },
      close(socket) {
        socket.data.over = true;
      },
      error() {},
    },
  });
  return {
    url: `http://127.0.0.1:${server.port}/v1`,
    wrong,
    calls,
    get told() {
      return told;
    },
    get next() {
      return vendor.next;
    },
    set next(weather) {
      vendor.next = weather;
    },
    [Symbol.dispose]: () => server.stop(true),
  };
}

/** The body of a request that has arrived whole. */
function bodyOf(got: string): string | undefined {
  const head = got.indexOf("\r\n\r\n");
  if (head === -1) return undefined;
  const length = Number(/^content-length: *(\d+)/im.exec(got.slice(0, head))?.[1] ?? 0);
  const body = got.slice(head + 4, head + 4 + length);
  return body.length === length ? body : undefined;
}

type Line = Socket<{ got: string; over: boolean }>;
const fair = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n";

async function send(line: Line, weather: Weather | undefined, answer: () => string): Promise<void> {
  if (weather === "refused") {
    const body = JSON.stringify({ error: { message: "busy" } });
    const head = "HTTP/1.1 503 Busy\r\ncontent-type: application/json\r\nconnection: close";
    line.end(`${head}\r\ncontent-length: ${body.length}\r\n\r\n${body}`);
    return;
  }
  const text = answer();
  switch (weather) {
    case undefined:
      return void line.end(fair + text);
    case "doubled":
      return void line.end(fair + text + text);
    case "reset":
      line.write(fair + text.slice(0, Math.floor(text.length * 0.6)));
      await Bun.sleep(5);
      return void line.terminate();
    case "silent":
      line.write(fair + text.slice(0, Math.floor(text.length * 0.3)));
      return;
    case "drip":
      line.write(fair);
      for (let at = 0; at < text.length && !line.data.over; at += 16) {
        line.write(text.slice(at, at + 16));
        await Bun.sleep(2);
      }
      return void line.end();
    case "endless":
      line.write(fair);
      while (!line.data.over) {
        line.write(event({ content: "more and more " }));
        await Bun.sleep(2);
      }
  }
}

const event = (delta: object, reason?: string): string =>
  `data: ${JSON.stringify({ id: "r", object: "chat.completion.chunk", choices: [{ index: 0, delta, finish_reason: reason }] })}\n\n`;

const textOf = ({ content }: Message): string =>
  typeof content === "string" ? content : (content ?? []).map(({ text = "" }) => text).join("");

/** Requests beside the conversation end with words of pith's own. */
function isAside(messages: readonly Message[]): boolean {
  const last = messages.at(-1);
  return last?.role === "user" && /summar|handoff/i.test(textOf(last)) && tokenOf(textOf(last)) === undefined;
}

function replyTo(messages: readonly Message[], ran: string, calls: Map<string, { token: string; act: Act }>): string {
  if (isAside(messages)) return `${event({ content: "## Goal\nGo on as before." }, "stop")}data: [DONE]\n\n`;
  const at = messages.findLastIndex((message) => message.role === "user" && taskIn(textOf(message)) !== undefined);
  const found = at === -1 ? undefined : taskIn(textOf(messages[at] as Message));
  const step = messages.slice(at).filter(({ role }) => role === "assistant").length;
  const acts = found?.replies[step] ?? [];
  const { token = "t0" } = found ?? {};
  if (acts.length === 0) return `${event({ content: `done ${token}` }, "stop")}data: [DONE]\n\n`;
  const made = acts.map((act, index) => {
    const id = `${token}_${step}_${index}`;
    calls.set(id, { token, act });
    const { name, input } = callOf(act, id, ran);
    const call = { index, id, type: "function", function: { name, arguments: JSON.stringify(input) } };
    return event({ tool_calls: [call] });
  });
  return `${event({ content: `at ${token}` })}${made.join("")}${event({}, "tool_calls")}data: [DONE]\n\n`;
}

/** The task of a message, or of a sub-agent's. */
function taskIn(text: string): Task | undefined {
  const [, token, replies] = /^TASK (t\d+) (.*)$/m.exec(text) ?? /SUBTASK (t\d+)( )/.exec(text) ?? [];
  if (token === undefined || (tokenOf(text) === undefined && !text.includes("SUBTASK"))) return undefined;
  return { token, replies: text.includes("SUBTASK") && tokenOf(text) === undefined ? [] : JSON.parse(replies ?? "[]") };
}

/** Content of a file after the call with this id has written it. */
export const written = (id: string): string => `${id}\nend\n`;
/** Content of a file after the call with this id has edited it. */
export const edited = (text: string, id: string): string => text.replace("end\n", `${id}\nend\n`);

/** The file that a command writes: no other call writes it. */
export const runFile = (path: string): string => `run-${path.replaceAll("/", "-")}`;

function callOf(act: Act, id: string, ran: string): { name: string; input: object } {
  const { path } = act;
  switch (act.act) {
    case "write":
      return { name: "write", input: { path, content: written(id) } };
    case "edit":
      return { name: "edit", input: { path, edits: [{ oldText: "end\n", newText: `${id}\nend\n` }] } };
    case "read":
      return { name: "read", input: { path } };
    case "run": {
      const wait = act.ms > 0 ? `; sleep ${act.ms / 1000}` : "";
      return {
        name: "bash",
        input: { command: `echo ${id} >> ${ran}${wait}; printf '${id}\\nend\\n' > ${runFile(path)}` },
      };
    }
    case "touch":
      return { name: "bash", input: { command: `touch ${path}` } };
    case "remove":
      return { name: "bash", input: { command: `echo ${id} >> ${ran}; rm -f ${path}` } };
    case "flood":
      return { name: "bash", input: { command: `echo ${id} >> ${ran}; seq -f '${id} %g' 9000` } };
    case "agent":
      return { name: "run_subagent", input: { task: `SUBTASK ${id.split("_")[0]} look around`, title: "Look around" } };
  }
}

/** Says what of a request no server would take: every call has one result, right behind it, and nothing is said twice. */
function wrongIn(messages: readonly Message[]): string[] {
  const wrong: string[] = [];
  let open = new Set<string>();
  const tokens = new Set<string>();
  for (const message of messages) {
    if (message.role === "tool") {
      if (!open.delete(message.tool_call_id ?? "")) wrong.push(`a result without its call: ${message.tool_call_id}`);
      continue;
    }
    if (open.size > 0) wrong.push(`calls without results: ${[...open].join(", ")}`);
    open = new Set((message.tool_calls ?? []).map(({ id }) => id));
    const token = message.role === "user" ? tokenOf(textOf(message)) : undefined;
    if (token !== undefined && tokens.has(token)) wrong.push(`the model is told ${token} twice`);
    if (token !== undefined) tokens.add(token);
  }
  if (open.size > 0) wrong.push(`the last calls have no results: ${[...open].join(", ")}`);
  return wrong;
}
