// An editor that speaks the Agent Client Protocol, by the protocol's own client.

import type {
  ClientCapabilities,
  CreateElicitationRequest,
  CreateElicitationResponse,
  CreateTerminalRequest,
  RequestPermissionRequest,
} from "@agentclientprotocol/sdk";
import { type ClientContext, client, methods, ndJsonStream, type SessionUpdate } from "@agentclientprotocol/sdk";

export { methods, RequestError } from "@agentclientprotocol/sdk";

export interface Editor {
  agent: ClientContext;
  updates: SessionUpdate[];
  asked: RequestPermissionRequest[];
  /** All of stderr, once the process has ended. */
  ended: Promise<{ code: number; err: string }>;
  close(): Promise<{ code: number; err: string }>;
}

/** The terminals of an editor, and what was asked of them in order: `create`, `kill`, `release`, with the command. */
export class Terminals {
  readonly calls: string[] = [];
  readonly #running = new Map<
    string,
    { child: Bun.Subprocess<"ignore", "pipe", "pipe">; said: string; all: Promise<unknown> }
  >();

  create({ command, args = [], env = [], cwd }: CreateTerminalRequest): string {
    this.calls.push(`create ${[command, ...args].join(" ")}`);
    const child = Bun.spawn([command, ...args], {
      cwd: cwd ?? ".",
      env: { ...process.env, ...Object.fromEntries(env.map(({ name, value }) => [name, value])) },
      stdio: ["ignore", "pipe", "pipe"],
    });
    const one = { child, said: "", all: Promise.resolve() as Promise<unknown> };
    const decoder = new TextDecoder();
    const hear = async (stream: ReadableStream<Uint8Array>) => {
      for await (const chunk of stream) one.said += decoder.decode(chunk);
    };
    one.all = Promise.all([hear(child.stdout), hear(child.stderr), child.exited]);
    const id = `t${this.calls.length}`;
    this.#running.set(id, one);
    return id;
  }

  output(id: string) {
    return { output: this.#running.get(id)?.said ?? "", truncated: false };
  }

  async exited(id: string) {
    const one = this.#running.get(id);
    await one?.all;
    return { exitCode: one?.child.exitCode, signal: one?.child.signalCode?.toString() };
  }

  kill(id: string): void {
    this.calls.push("kill");
    this.#running.get(id)?.child.kill("SIGKILL");
  }

  release(id: string): void {
    this.calls.push("release");
    this.#running.get(id)?.child.kill("SIGKILL");
    this.#running.delete(id);
  }
}

export interface EditorOptions {
  /** Command line and directory of pith. */
  command: readonly string[];
  cwd: string;
  env: Readonly<Record<string, string>>;
  capabilities?: ClientCapabilities;
  /** The option that is chosen, or nothing to cancel. */
  permit?(request: RequestPermissionRequest): string | undefined | Promise<string | undefined>;
  fill?(request: CreateElicitationRequest): CreateElicitationResponse;
  read?(path: string): string;
  write?(path: string, content: string): void;
  /** Answers of the client's terminals, where it has some. */
  terminals?: Terminals;
}

/** Starts pith and greets it. */
export async function openEditor(options: EditorOptions): Promise<Editor> {
  const child = Bun.spawn([...options.command], {
    cwd: options.cwd,
    env: options.env,
    stdin: "pipe",
    stdout: "pipe",
    stderr: "pipe",
  });
  const err = new Response(child.stderr).text();
  const updates: SessionUpdate[] = [];
  const asked: RequestPermissionRequest[] = [];
  const sink = new WritableStream<Uint8Array>({
    async write(bytes) {
      child.stdin.write(bytes);
      await child.stdin.flush();
    },
  });
  const terminals = () => {
    if (!options.terminals) throw new Error("there are no terminals here");
    return options.terminals;
  };
  const app = client({ name: "editor" })
    .onNotification(methods.client.session.update, ({ params }) => void updates.push(params.update))
    .onRequest(methods.client.session.requestPermission, async ({ params }) => {
      asked.push(params);
      const optionId = await options.permit?.(params);
      return { outcome: optionId === undefined ? { outcome: "cancelled" } : { outcome: "selected", optionId } };
    })
    .onRequest(methods.client.elicitation.create, ({ params }) => options.fill?.(params) ?? { action: "cancel" })
    .onRequest(methods.client.fs.readTextFile, ({ params }) => ({ content: options.read?.(params.path) ?? "" }))
    .onRequest(methods.client.fs.writeTextFile, ({ params }) => options.write?.(params.path, params.content))
    .onRequest(methods.client.terminal.create, ({ params }) => ({ terminalId: terminals().create(params) }))
    .onRequest(methods.client.terminal.output, ({ params }) => terminals().output(params.terminalId))
    .onRequest(methods.client.terminal.waitForExit, ({ params }) => terminals().exited(params.terminalId))
    .onRequest(methods.client.terminal.kill, ({ params }) => terminals().kill(params.terminalId))
    .onRequest(methods.client.terminal.release, ({ params }) => terminals().release(params.terminalId));
  const connection = app.connect(ndJsonStream(sink, child.stdout));
  const ended = Promise.all([child.exited, err]).then(([code, text]) => ({ code, err: text }));
  await connection.agent.request(methods.agent.initialize, {
    protocolVersion: 1,
    clientCapabilities: { ...(options.terminals && { terminal: true }), ...options.capabilities },
  });
  return {
    agent: connection.agent,
    updates,
    asked,
    ended,
    async close() {
      await child.stdin.end();
      const end = await ended;
      connection.close();
      return end;
    },
  };
}

/** All text of one kind of update. */
export const saidIn = (updates: readonly SessionUpdate[], kind: SessionUpdate["sessionUpdate"]): string =>
  updates
    .flatMap((update) =>
      update.sessionUpdate === kind &&
      "content" in update &&
      !Array.isArray(update.content) &&
      update.content?.type === "text"
        ? [update.content.text]
        : [],
    )
    .join("");
