import {
  type ContentBlock,
  methods,
  type NewSessionResponse,
  type PromptResponse,
  RequestError,
  type SessionConfigOption,
  type SessionUpdate,
} from "@agentclientprotocol/sdk";
import type { Event, Question, TurnEnd } from "@pith/agent";
import type { Coder } from "@pith/coder";
import type { OpenSession } from "../../open/session.ts";
import type { AcpClient } from "./client.ts";
import { modesOf, setOption } from "./option.ts";
import { Outbox } from "./outbox.ts";
import { inputOf } from "./prompt.ts";
import { answerTo } from "./question.ts";
import { Translator } from "./translator.ts";

/** A session as an editor holds it. */
export class AcpSession {
  readonly id: string;
  readonly #session: OpenSession;
  readonly #coder: Coder;
  readonly #client: AcpClient;
  readonly #outbox: Outbox;
  readonly #translator: Translator;
  readonly #listening: Disposable;
  /** The end of the last turn. */
  #end: TurnEnd | undefined;
  readonly #asking = new Set<AbortController>();
  /** Prompts without an answer yet: one that is cancelled before its turn has begun begins none. */
  readonly #prompting = new Set<AbortController>();

  constructor(session: OpenSession, client: AcpClient) {
    const { coder, cwd } = session;
    const sessionId = coder.header.id;
    this.id = sessionId;
    this.#session = session;
    this.#coder = coder;
    this.#client = client;
    this.#outbox = new Outbox((update) => client.context.notify(methods.client.session.update, { sessionId, update }));
    this.#translator = new Translator({ coder, cwd, capabilities: client.capabilities });
    this.#listening = coder.subscribe((event) => this.#hear(event));
  }

  /** Answers a client that opens the session, with modes and options; what can be typed follows the answer. */
  begin(): Omit<NewSessionResponse, "sessionId"> {
    setTimeout(() => this.#outbox.push(this.#translator.commands()), 0);
    void this.#client.options.found().then(() => this.#tellOptions());
    return { modes: modesOf(this.#coder), configOptions: this.options() };
  }

  options(): SessionConfigOption[] {
    return this.#client.options.of(this.#coder);
  }

  async set(option: string, value: unknown): Promise<void> {
    const problem = await setOption(this.#coder, option, value);
    if (problem) throw RequestError.invalidParams({ option, value }, problem);
    this.#tellOptions();
  }

  /** Tells all that was said before, in order; resolves when it is out. */
  async replay(): Promise<void> {
    for (const entry of this.#coder.path()) this.#send(this.#translator.entry(entry, "again"));
    await this.#outbox.empty();
  }

  notice(severity: "info" | "warning", title: string): void {
    if (this.#client.capabilities.session?.notices) this.#outbox.push({ sessionUpdate: "notice", severity, title });
  }

  /** Begins a turn; while one runs, it is told to that one, and ends with it. */
  async prompt(blocks: readonly ContentBlock[]): Promise<PromptResponse> {
    const stop = new AbortController();
    this.#prompting.add(stop);
    try {
      const response = await this.#perform(blocks, stop.signal);
      return stop.signal.aborted ? { stopReason: "cancelled" } : response;
    } catch (error) {
      // A cancelled prompt is told to be that alone, however it came to its end.
      if (stop.signal.aborted) return { stopReason: "cancelled" };
      throw error;
    } finally {
      this.#prompting.delete(stop);
    }
  }

  async #perform(blocks: readonly ContentBlock[], signal: AbortSignal): Promise<PromptResponse> {
    const coder = this.#coder;
    const { typed, input } = await inputOf(blocks, coder);
    const read = typed === undefined ? undefined : coder.commands.read(typed);
    if (read?.is === "unknown") return this.#shown(read.message);
    if (read?.is === "command") {
      const ending = await coder.perform(read, signal);
      if (ending.do === "show") return this.#shown(ending.outcome.text);
      if (ending.do === "busy") return this.#shown("This has to wait for the end of the turn.");
      if (ending.do === "wish") return this.#shown("This command needs a terminal.");
      Object.assign(input, ending.input);
    }
    if (signal.aborted) return { stopReason: "cancelled" };
    this.#end = undefined;
    await coder.send(input);
    await this.#outbox.empty();
    return responseTo(this.#end ?? { reason: "done" }, this.#translator.lastStop);
  }

  async cancel(): Promise<void> {
    for (const asked of [...this.#prompting, ...this.#asking]) asked.abort();
    await this.#coder.interrupt("cancelled by the client");
  }

  async close(): Promise<void> {
    await this.cancel();
    this.#listening[Symbol.dispose]();
    await this.#outbox.empty();
    await this.#session.close();
  }

  #hear(event: Event): void {
    if (event.type === "turn" && event.state.name === "idle") this.#end = event.state.end;
    this.#send(this.#translator.take(event));
    if (changesOptions(event)) this.#tellOptions();
    if (event.type === "question") void this.#ask(event.question);
  }

  async #ask(question: Question): Promise<void> {
    const over = new AbortController();
    this.#asking.add(over);
    // A question that was answered by something else is asked no more.
    using _ = this.#coder.subscribe((event) => {
      if (event.type === "answered" && event.id === question.id) over.abort();
    });
    try {
      await this.#outbox.empty();
      const asking = { ...this.#client, session: this.id, cwd: this.#session.cwd, signal: over.signal };
      this.#coder.answer(question.id, await answerTo(question, asking));
    } finally {
      this.#asking.delete(over);
    }
  }

  #tellOptions(): void {
    this.#outbox.push({ sessionUpdate: "config_option_update", configOptions: this.options() });
    this.#outbox.push({ sessionUpdate: "current_mode_update", currentModeId: this.#coder.choice.approval });
  }

  #send(updates: readonly SessionUpdate[]): void {
    for (const update of updates) this.#outbox.push(update);
  }

  async #shown(text: string): Promise<PromptResponse> {
    this.#outbox.push({ sessionUpdate: "agent_message_chunk", content: { type: "text", text } });
    await this.#outbox.empty();
    return { stopReason: "end_turn" };
  }
}

/** True when something changed that a person can choose. */
function changesOptions(event: Event): boolean {
  if (event.type === "status") return event.key === "mode";
  return (
    event.type === "entry" && (event.entry.type === "model_change" || event.entry.type === "thinking_level_change")
  );
}

function responseTo(end: TurnEnd, lastStop: string | undefined): PromptResponse {
  switch (end.reason) {
    case "done":
      return { stopReason: lastStop === "length" ? "max_tokens" : "end_turn" };
    case "interrupted":
      return { stopReason: "cancelled" };
    case "limit":
      return { stopReason: "max_turn_requests" };
    case "failed":
      if (end.failure.kind === "refused") return { stopReason: "refusal" };
      if (end.failure.kind === "auth") throw RequestError.authRequired(undefined, end.failure.message);
      throw RequestError.internalError(undefined, end.failure.message);
  }
}
