// A verb is one row of the table: the conversation, the server and the interface attached to it follow.
import { expect, test } from "bun:test";
import { Channel, Journal, memoryStorage, schema as s } from "../../packages/agent/src/index.ts";
import { commandMethods } from "../../packages/cli/src/client/command-methods.ts";
import { attachResponse, type Hello } from "../../packages/cli/src/mode/serve/attach-server.ts";
import { attachedCoder } from "../../packages/cli/src/mode/serve/attached.ts";
import { HostedSession } from "../../packages/cli/src/mode/serve/hosted-session.ts";
import type { OpenSession } from "../../packages/cli/src/open/session.ts";
import { fakeIo } from "../../packages/cli/src/test/fake.ts";
import { command } from "../../packages/cli/src/wire/command/row.ts";
import { commands } from "../../packages/cli/src/wire/command.ts";
import { Dispatcher } from "../../packages/cli/src/wire/dispatcher.ts";
import type { SessionHost } from "../../packages/cli/src/wire/session-host.ts";
import { coderOf } from "../../packages/coder/src/hall/coder.ts";
import type { OpenHall } from "../../packages/coder/src/hall/open.ts";
import { notCarried, optimistic, request } from "../../packages/coder/src/hall/verb.ts";
import { abortSignal, CommandTable, type Door, verbs } from "../../packages/coder/src/index.ts";
import { systemClock } from "../../packages/kit/src/index.ts";

const text = s.string();
const heard: string[] = [];
const table = {
  ...verbs,
  shout: request([text], async (_, words: string) => words.toUpperCase()),
  whisper: optimistic(
    [text],
    (_, words: string) => heard.push(words),
    () => 0,
  ),
  garden: {
    wait: request([abortSignal], (_, signal: AbortSignal) => stopped(signal)),
    dig: notCarried("Dig at home.", () => "a hole", "nothing"),
  },
};
const stopped = (signal: AbortSignal) =>
  new Promise<string>((done) => signal.addEventListener("abort", () => done(`stopped: ${signal.reason}`)));

function stage() {
  const journal = Journal.create({ clock: systemClock, storage: () => memoryStorage() }, { cwd: "/work" });
  const channel = new Channel(journal);
  const door = { hooks: () => {} } as unknown as Door;
  const model = { vendor: "faux", id: "any" };
  const hall = { journal, channel, choice: { model, approval: "ask" }, commands: new CommandTable(), shell: {} };
  const coder = coderOf({ hall, assembly: { door } } as unknown as OpenHall, async () => {}, table);
  const hosted = new HostedSession({ coder } as unknown as OpenSession, fakeIo());
  const ask = (name: string, init: RequestInit = {}) =>
    attachResponse(
      new Request(`http://pith/v1/sessions/x/mirror/${name}`, init),
      hosted,
      name.replace(/\?.*/, ""),
      table,
    );
  const hello = async () => {
    const reader = (await ask("")).body?.getReader();
    const { value } = (await reader?.read()) ?? {};
    await reader?.cancel();
    return (JSON.parse(new TextDecoder().decode(value)) as { hello: Hello }).hello;
  };
  const post = async (name: string, args: readonly unknown[], id?: string) => {
    const response = await ask(id === undefined ? name : `${name}?id=${id}`, {
      method: "POST",
      body: JSON.stringify(args),
    });
    return response.status === 404 ? "unknown" : ((await response.json()) as { value?: unknown; error?: string });
  };
  return { coder, hello, post };
}

test("a row of the table is in the coder, in the server, and in an attached interface", async () => {
  const { coder, hello, post } = stage();
  expect(await coder.shout("here")).toBe("HERE");
  expect(await post("shout", ["served"])).toEqual({ value: "SERVED" });
  expect(await post("shout", [{ no: "text" }])).toMatchObject({ error: expect.stringContaining("0: expected text") });
  expect(await post("shout", ["too", "many"])).toEqual({ error: "shout takes 1 arguments" });
  expect(await post("garden.dig", [])).toBe("unknown");
  expect(await post("path", [])).toBe("unknown");

  const attached = attachedCoder(
    await hello(),
    {
      post: async (...call) => ((await post(...call)) as { value?: unknown }).value,
      changes: async () => [],
      undo: () => undefined,
      leave: () => {},
    },
    table,
  ).coder;
  const notices: string[] = [];
  attached.subscribe((event) => event.type === "notice" && notices.push(event.notice.text));
  expect(await attached.shout("far away")).toBe("FAR AWAY");
  expect(attached.whisper("told")).toBe(0);
  const stop = new AbortController();
  const waiting = attached.garden.wait(stop.signal);
  expect(attached.garden.dig()).toBe("nothing");
  expect(notices).toEqual(["Dig at home."]);
  stop.abort();
  expect(await waiting).toBe("stopped: Interrupted.");
  expect(heard).toEqual(["told"]);
});

test("a row of the table of commands is answered by RPC, and a method of the client", async () => {
  const rows = {
    ...commands,
    get_the_echo: command({
      about: "what was called",
      takes: { words: text },
      gives: s.object({ echo: text }),
      run: ({ words }) => ({ echo: `${words} ${words}` }),
    }),
  };
  const dispatcher = new Dispatcher({} as SessionHost, rows);
  expect(await dispatcher.take({ type: "get_the_echo", id: 1 })).toMatchObject({ success: false, id: 1 });
  const client = Object.assign(
    {
      request: async (type: string, fields: object) => (await dispatcher.take({ type, ...fields }))?.data,
    },
    commandMethods(rows) as { getTheEcho(words: string): Promise<string> },
  );
  expect(await client.getTheEcho("hello")).toBe("hello hello");
});
