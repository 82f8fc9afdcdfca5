import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import type { CommandName, Gives, Takes } from "../wire/command.ts";
import type { WireEvent } from "../wire/event.ts";
import type { Dialog, Frame, Line } from "../wire/frame.ts";
import { CommandMethods } from "./command-methods.ts";

// For programs that hold a conversation through `pith --mode rpc`. It runs on Bun, and on Node from 20 on.

export interface RpcClientOptions {
  /** The program; a script (.js, .mjs, .ts) is run by the runtime of this process. `pith` when not given. */
  cliPath?: string;
  cwd?: string;
  /** Beside the environment of this process. */
  env?: Readonly<Record<string, string>>;
  provider?: string;
  model?: string;
  /** The file or the id of a session to go on with. */
  session?: string;
  args?: readonly string[];
  /** Milliseconds that a start and an answer may take; 30,000 when not given. */
  timeoutMs?: number;
}

/** A tool that this program runs for the model. */
export interface HostTool {
  name: string;
  label?: string;
  description: string;
  /** JSON schema of the arguments. */
  parameters: Record<string, unknown>;
  execute(
    args: Record<string, unknown>,
    call: { id: string; signal: AbortSignal; update(text: string): void },
  ): string | Promise<string>;
}

export type ExtensionUiReply = { value: string } | { confirmed: boolean } | { cancelled: true };
type Images = Takes<"prompt">["images"];

interface Pending {
  resolve(value: unknown): void;
  reject(error: Error): void;
}

/** The command line of the process that a client starts. */
export function argvOf({ cliPath = "pith", provider, model, session, args = [] }: RpcClientOptions): string[] {
  const program = /\.[cm]?[jt]s$/.test(cliPath) ? [process.execPath, cliPath] : [cliPath];
  const named = model !== undefined && provider !== undefined ? `${provider}/${model}` : model;
  const options = Object.entries({ "--model": named, "--resume": session });
  const given = options.flatMap(([flag, value]) => (value === undefined ? [] : [flag, value]));
  return [...program, "--mode", "rpc", ...given, ...args];
}

/** Commands that begin a turn. */
const begins: ReadonlySet<string> = new Set(["prompt", "steer", "follow_up", "abort_and_prompt"]);

/** A conversation in another process: a method for each command, events as they come. */
export class RpcClient extends CommandMethods {
  readonly #options: RpcClientOptions;
  readonly #events = new Set<(event: WireEvent) => void>();
  readonly #dialogs = new Set<(dialog: Dialog) => void>();
  /** Everything that is waited for: answers by the ids of their commands, the first line, the end of a turn. */
  readonly #pending = new Map<string, Pending>();
  readonly #calls = new Map<string, AbortController>();
  #tools: readonly HostTool[] = [];
  #child: ChildProcessWithoutNullStreams | undefined;
  #ended: Error | undefined;
  #stderr = "";
  #count = 0;
  /** True from a command that begins a turn until `agent_settled`. */
  #busy = false;

  constructor(options: RpcClientOptions = {}) {
    super();
    this.#options = options;
  }

  /** Starts the process; resolves with its first line. */
  async start(): Promise<void> {
    if (this.#child) throw new Error("The client has been started.");
    const { cwd, env } = this.#options;
    const [program = "", ...args] = argvOf(this.#options);
    const child = spawn(program, args, { cwd, env: { ...process.env, ...env }, stdio: ["pipe", "pipe", "pipe"] });
    this.#child = child;
    this.#ended = undefined;
    const end = (why: string) => this.#end(new Error(`${why}${this.#stderr && `: ${this.#stderr.trim()}`}`));
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      this.#stderr = (this.#stderr + text).slice(-64 * 1024);
    });
    child.once("error", ({ message }) => end(`pith could not be run (${message})`));
    child.stdin.on("error", ({ message }) => end(`pith takes no commands any more (${message})`));
    child.once("close", (code, signal) => end(`pith has ended (${signal ?? code})`));
    let rest = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      // A long line comes in many pieces; it is looked at once, when it is whole.
      const [first = "", ...more] = text.split("\n");
      rest += first;
      for (const next of more) {
        this.#hear(rest);
        rest = next;
      }
    });
    try {
      await this.#wait("ready", "pith did not get ready");
    } catch (error) {
      await this.stop();
      throw error;
    }
  }

  /** Ends the process: in order, or after a second by force. */
  async stop(): Promise<void> {
    const child = this.#child;
    this.#child = undefined;
    if (!child || child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
    const gone = new Promise<void>((done) => child.once("close", () => done()));
    child.stdin.end();
    for (const signal of ["SIGTERM", "SIGKILL"] as const) {
      const timer = setTimeout(() => child.kill(signal), 1000);
      const left = await Promise.race([gone.then(() => "gone"), new Promise((done) => setTimeout(done, 1500))]);
      clearTimeout(timer);
      if (left === "gone") return;
    }
    await gone;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
  }

  get stderr(): string {
    return this.#stderr;
  }

  /** Hears the events of the session and nothing else; gives what ends that. */
  onEvent(listener: (event: WireEvent) => void): () => void {
    this.#events.add(listener);
    return () => void this.#events.delete(listener);
  }

  /** Hears what somebody is asked, as dialogs; `replyExtensionUi` answers. The same questions come as events. */
  onExtensionUi(listener: (dialog: Dialog) => void): () => void {
    this.#dialogs.add(listener);
    return () => void this.#dialogs.delete(listener);
  }

  replyExtensionUi(id: string, reply: ExtensionUiReply): void {
    this.#send({ type: "extension_ui_response", id, ...reply });
  }

  /** Resolves when nothing runs: at once when nothing does. */
  async waitForIdle(timeoutMs = 60_000): Promise<void> {
    if (this.#busy) await this.collectEvents(timeoutMs);
  }

  /** Every event up to `agent_settled`. */
  async collectEvents(timeoutMs = 60_000): Promise<WireEvent[]> {
    const events: WireEvent[] = [];
    const key = `settled_${++this.#count}`;
    const off = this.onEvent((event) => {
      events.push(event);
      if (event.type === "agent_settled") this.#pending.get(key)?.resolve(events);
    });
    return (await this.#wait(key, "the session did not settle", { timeoutMs }).finally(off)) as WireEvent[];
  }

  async promptAndWait(message: string, images?: Images, timeoutMs?: number): Promise<WireEvent[]> {
    const events = this.collectEvents(timeoutMs);
    // Where the prompt fails, its error is the one that counts.
    events.catch(() => {});
    await this.prompt(message, images);
    return events;
  }

  prompt = (message: string, images?: Images, streamingBehavior?: "steer" | "followUp"): Promise<void> =>
    this.request("prompt", { message, images, streamingBehavior });
  steer = (message: string, images?: Images): Promise<void> => this.request("steer", { message, images });
  followUp = (message: string, images?: Images): Promise<void> => this.request("follow_up", { message, images });
  abortAndPrompt = (message: string, images?: Images): Promise<void> =>
    this.request("abort_and_prompt", { message, images });
  setModel = (provider: string, modelId: string): Promise<Gives<"set_model">> =>
    this.request("set_model", { provider, modelId });
  bash = (command: string, excludeFromContext?: boolean): Promise<Gives<"bash">> =>
    this.request("bash", { command, excludeFromContext });
  answer = (question: string, fields: Omit<Takes<"answer">, "question">): Promise<void> =>
    this.request("answer", { question, ...fields });

  /** Brings tools that this program runs, before the first prompt. They are asked about like commands. */
  async setHostTools(tools: readonly HostTool[]): Promise<readonly string[]> {
    this.#tools = tools;
    const wanted = tools.map(({ execute: _, ...tool }) => tool);
    return (await this.request("set_host_tools", { tools: wanted })).toolNames;
  }

  async request<N extends CommandName>(type: N, args: Takes<N>): Promise<Gives<N>> {
    const id = `req_${++this.#count}`;
    const wasBusy = this.#busy;
    this.#busy ||= begins.has(type);
    const begin = () => this.#send({ ...(args as object), type, id });
    try {
      return (await this.#wait(id, `there was no answer to ${type}`, { begin })) as Gives<N>;
    } catch (error) {
      if (begins.has(type)) this.#busy = wasBusy;
      throw error;
    }
  }

  #send(command: object): void {
    if (this.#ended) throw this.#ended;
    if (!this.#child) throw new Error("The client has not been started.");
    this.#child.stdin.write(`${JSON.stringify(command)}\n`);
  }

  #hear(text: string): void {
    let line: Line;
    try {
      line = JSON.parse(text);
    } catch {
      // Something else that the program has printed.
      return;
    }
    if (line.type === "response") {
      const pending = this.#pending.get(String(line.id));
      if (line.success) pending?.resolve(line.data);
      else pending?.reject(new Error(line.error));
    } else if (line.type === "ready") this.#pending.get("ready")?.resolve(undefined);
    else if (line.type === "extension_ui_request") for (const listener of this.#dialogs) listener(line);
    else if (line.type === "host_tool_call") void this.#run(line);
    else if (line.type === "host_tool_cancel") this.#calls.get(line.targetId)?.abort();
    else if (line.type !== "bash_execution_update" && line.type !== "extension_error" && line.type !== "scene")
      this.#tell(line);
  }

  #tell(event: WireEvent): void {
    if (event.type === "agent_start") this.#busy = true;
    if (event.type === "agent_settled") this.#busy = false;
    for (const listener of this.#events) listener(event);
  }

  async #run({ id, toolName, arguments: args }: Frame & { type: "host_tool_call" }): Promise<void> {
    const abort = new AbortController();
    this.#calls.set(id, abort);
    const content = (text: string) => ({ content: [{ type: "text", text }] });
    const update = (text: string) => this.#send({ type: "host_tool_update", id, partialResult: content(text) });
    try {
      const tool = this.#tools.find(({ name }) => name === toolName);
      if (!tool) throw new Error(`This client has no tool ${toolName}.`);
      const text = await tool.execute(args, { id, signal: abort.signal, update });
      if (!abort.signal.aborted) this.#send({ type: "host_tool_result", id, result: content(text) });
    } catch (error) {
      const text = error instanceof Error ? error.message : String(error);
      if (!abort.signal.aborted && !this.#ended)
        this.#send({ type: "host_tool_result", id, result: content(text), isError: true });
    } finally {
      this.#calls.delete(id);
    }
  }

  #end(error: Error): void {
    this.#ended ??= error;
    this.#busy = false;
    for (const { reject } of this.#pending.values()) reject(this.#ended);
    for (const call of this.#calls.values()) call.abort();
  }

  /** Waits until what is pending under a key is resolved; `begin` is called once that can happen. */
  #wait(key: string, late: string, { timeoutMs = this.#options.timeoutMs ?? 30_000, begin = () => {} } = {}) {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const promise = new Promise<unknown>((resolve, reject) => {
      this.#pending.set(key, { resolve, reject });
      const expired = () => reject(new Error(`After ${timeoutMs} ms ${late}. ${this.#stderr}`.trim()));
      timer = setTimeout(expired, timeoutMs);
      begin();
    });
    return promise.finally(() => {
      clearTimeout(timer);
      this.#pending.delete(key);
    });
  }
}
