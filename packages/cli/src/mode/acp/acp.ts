import type { ClientCapabilities, InitializeResponse, SessionId } from "@agentclientprotocol/sdk";
import {
  type AgentContext,
  agent,
  methods,
  ndJsonStream,
  PROTOCOL_VERSION,
  RequestError,
} from "@agentclientprotocol/sdk";
import { isDeep, readLines, sleep, tooLong } from "@pith/kit";
import { version } from "../../../../../package.json";
import type { LaunchFlags } from "../../argv/flag.ts";
import { exit } from "../../io/interrupt.ts";
import type { Io } from "../../io/io.ts";
import { type AcpOpener, opener } from "./open.ts";
import { ConfigOptions } from "./option.ts";
import type { AcpSession } from "./session.ts";
import { listPage, removeSession } from "./session-list.ts";

/** A message of a client may carry pictures; what is longer is no message. */
const mostBytes = 32 * 1024 * 1024;

/** How long a connection may take to notice that the editor has gone. */
const patienceMs = 2000;

/** Serves an editor over stdin and stdout until it leaves. */
export async function serveAcp(flags: LaunchFlags, io: Io): Promise<number> {
  const sessions = new Sessions();
  const open = opener(flags, io);
  const left = Promise.withResolvers<unknown>();
  const stream = ndJsonStream(
    output(io),
    input(io, () => left.resolve(sleep(patienceMs))),
    {
      maxMessageBytes: 4 * mostBytes,
    },
  );
  const connection = app(sessions, open, io).connect(stream);
  using _signal = io.interrupts.handle(() => connection.close());
  io.out.onFault = () => connection.close();
  // Whatever became of the connection: nobody is there any more.
  await Promise.race([connection.closed, left.promise]);
  await sessions.closeAll();
  return exit.finished;
}

/** The conversations that are open, by their ids. */
class Sessions {
  readonly #open = new Map<SessionId, AcpSession>();

  get(id: SessionId): AcpSession {
    const session = this.#open.get(id);
    if (!session) throw RequestError.resourceNotFound(id);
    return session;
  }

  find(id: SessionId): AcpSession | undefined {
    return this.#open.get(id);
  }

  add(session: AcpSession): AcpSession {
    this.#open.set(session.id, session);
    return session;
  }

  async close(id: SessionId): Promise<void> {
    const session = this.#open.get(id);
    this.#open.delete(id);
    await session?.close();
  }

  async closeAll(): Promise<void> {
    await Promise.all([...this.#open.keys()].map((id) => this.close(id)));
  }
}

function app(sessions: Sessions, open: AcpOpener, io: Io) {
  let capabilities: ClientCapabilities = {};
  const { session } = methods.agent;
  const options = new ConfigOptions(io);
  const client = (context: AgentContext) => ({ context, capabilities, options });
  return agent({ name: "pith" })
    .onRequest(methods.agent.initialize, ({ params }) => {
      capabilities = params.clientCapabilities ?? {};
      return greeting(capabilities);
    })
    .onRequest(methods.agent.authenticate, async () => {
      await open.usable();
      return {};
    })
    .onRequest(session.new, async ({ params, client: context }) => {
      const made = sessions.add(await open.session(params, { open: "new" }, client(context)));
      return { sessionId: made.id, ...made.begin() };
    })
    .onRequest(session.load, async ({ params, client: context }) => {
      await sessions.close(params.sessionId);
      const made = sessions.add(await open.recorded(params, client(context)));
      await made.replay();
      return made.begin();
    })
    .onRequest(session.resume, async ({ params, client: context }) => {
      const there = sessions.find(params.sessionId);
      const made = there ?? sessions.add(await open.recorded({ mcpServers: [], ...params }, client(context)));
      return made.begin();
    })
    .onRequest(session.list, ({ params }) => listPage(params, io))
    .onRequest(session.close, async ({ params }) => {
      sessions.get(params.sessionId);
      await sessions.close(params.sessionId);
      return {};
    })
    .onRequest(session.delete, async ({ params }) => {
      await sessions.close(params.sessionId);
      await removeSession(params.sessionId, io);
      return {};
    })
    .onRequest(session.setMode, async ({ params }) => {
      await sessions.get(params.sessionId).set("mode", params.modeId);
      return {};
    })
    .onRequest(session.setConfigOption, async ({ params }) => {
      const one = sessions.get(params.sessionId);
      await one.set(params.configId, params.value);
      return { configOptions: one.options() };
    })
    .onRequest(session.prompt, ({ params }) => sessions.get(params.sessionId).prompt(params.prompt))
    .onNotification(session.cancel, async ({ params }) => {
      await sessions.find(params.sessionId)?.cancel();
    });
}

function greeting({ auth }: ClientCapabilities): InitializeResponse {
  const about = "Keeps a key for a vendor of models: pith auth add <vendor>";
  const method = { id: "pith-auth-add", name: "Add a key", description: about };
  return {
    protocolVersion: PROTOCOL_VERSION,
    agentInfo: { name: "pith", title: "pith", version },
    authMethods: [auth?.terminal ? { ...method, type: "terminal" as const, args: ["auth", "add"] } : method],
    agentCapabilities: {
      loadSession: true,
      promptCapabilities: { image: true, embeddedContext: true },
      sessionCapabilities: { list: {}, delete: {}, resume: {}, close: {}, additionalDirectories: {} },
    },
  };
}

/** Lines go out in order; who writes waits until there is room again. */
const output = (io: Io): WritableStream<Uint8Array> => {
  const decoder = new TextDecoder();
  return new WritableStream({
    async write(bytes) {
      io.out.write(decoder.decode(bytes, { stream: true }));
      await io.out.flush();
    },
  });
};

function input(io: Io, over: () => void): ReadableStream<Uint8Array> {
  const lines = readLines(io.input.bytes(), mostBytes);
  const encoder = new TextEncoder();
  return new ReadableStream({
    async pull(controller) {
      const { value, done } = await lines.next();
      if (done) {
        over();
        return controller.close();
      }
      // In the place of a line that is not taken stands one that is answered as no JSON.
      controller.enqueue(encoder.encode(value === tooLong || isDeep(value) ? "not taken\n" : `${value}\n`));
    },
  });
}
