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
import { AcpOpener } from "./open.ts";
import { ConfigOptions } from "./option.ts";
import type { AcpSession } from "./session.ts";
import { listPage, removeSession } from "./session-list.ts";

/** Bytes of a message, which may carry pictures. */
const maxBytes = 32 * 1024 * 1024;

/** Milliseconds that a connection may take to notice that the editor has gone. */
const timeoutMs = 2000;

/** Serves an editor over stdin and stdout until it leaves. */
export async function serveAcp(flags: LaunchFlags, io: Io): Promise<number> {
  const sessions = new Sessions();
  const left = Promise.withResolvers<unknown>();
  const received = input(io, () => left.resolve(sleep(timeoutMs)));
  const stream = ndJsonStream(output(io), received, { maxMessageBytes: 4 * maxBytes });
  const connection = app(sessions, new AcpOpener(flags, io), io).connect(stream);
  using _signal = io.interrupts.handle(() => connection.close());
  io.out.onFault = () => connection.close();
  // The editor is gone, whatever became of the connection.
  await Promise.race([connection.closed, left.promise]);
  await Promise.all([...sessions.keys()].map((id) => sessions.close(id)));
  return exit.finished;
}

/** The sessions that are open, by their ids. */
class Sessions extends Map<SessionId, AcpSession> {
  need(id: SessionId): AcpSession {
    const session = this.get(id);
    if (!session) throw RequestError.resourceNotFound(id);
    return session;
  }

  add(session: AcpSession): AcpSession {
    this.set(session.id, session);
    return session;
  }

  async close(id: SessionId): Promise<void> {
    const session = this.get(id);
    this.delete(id);
    await session?.close();
  }
}

function app(sessions: Sessions, opener: AcpOpener, io: Io) {
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
      await opener.checkModels();
      return {};
    })
    .onRequest(session.new, async ({ params, client: context }) => {
      const opened = sessions.add(await opener.open(params, { open: "new" }, client(context)));
      return { sessionId: opened.id, ...opened.begin() };
    })
    .onRequest(session.load, async ({ params, client: context }) => {
      await sessions.close(params.sessionId);
      const opened = sessions.add(await opener.openRecorded(params, client(context)));
      await opened.replay();
      return opened.begin();
    })
    .onRequest(session.resume, async ({ params, client: context }) => {
      const place = { mcpServers: [], ...params };
      const opened = sessions.get(params.sessionId) ?? sessions.add(await opener.openRecorded(place, client(context)));
      return opened.begin();
    })
    .onRequest(session.list, ({ params }) => listPage(params, io))
    .onRequest(session.close, async ({ params }) => {
      await sessions.close(sessions.need(params.sessionId).id);
      return {};
    })
    .onRequest(session.delete, async ({ params }) => {
      await sessions.close(params.sessionId);
      await removeSession(params.sessionId, io);
      return {};
    })
    .onRequest(session.setMode, async ({ params }) => {
      await sessions.need(params.sessionId).set("mode", params.modeId);
      return {};
    })
    .onRequest(session.setConfigOption, async ({ params }) => {
      const one = sessions.need(params.sessionId);
      await one.set(params.configId, params.value);
      return { configOptions: one.options() };
    })
    .onRequest(session.prompt, ({ params }) => sessions.need(params.sessionId).prompt(params.prompt))
    .onNotification(session.cancel, async ({ params }) => {
      await sessions.get(params.sessionId)?.cancel();
    });
}

function greeting({ auth }: ClientCapabilities): InitializeResponse {
  const description = "Keeps a key for a vendor of models: pith auth add <vendor>";
  const method = { id: "pith-auth-add", name: "Add a key", description };
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

/** Writes lines in order; the writer waits until there is room again. */
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
  const lines = readLines(io.input.bytes(), maxBytes);
  const encoder = new TextEncoder();
  return new ReadableStream({
    async pull(controller) {
      const { value, done } = await lines.next();
      if (done) {
        over();
        return controller.close();
      }
      // A line that is not taken is replaced by one that is answered as no JSON.
      controller.enqueue(encoder.encode(value === tooLong || isDeep(value) ? "not taken\n" : `${value}\n`));
    },
  });
}
