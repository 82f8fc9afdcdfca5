import {
  type ContentBlock,
  methods,
  type NewSessionResponse,
  type PromptResponse,
  RequestError,
  type SessionConfigOption,
  type SessionUpdate,
} from "@agentclientprotocol/sdk";
import type { Event, TurnEnd } from "@pith/agent";
import type { Coder } from "@pith/coder";
import type { OpenSession } from "../../open/open.ts";
import type { AcpClient } from "./client.ts";
import { modesOf, setOption } from "./option.ts";
import { Outbox } from "./outbox.ts";
import { inputOf } from "./prompt.ts";
import { answerTo } from "./question.ts";
import { replayed } from "./replay.ts";
import { Translator } from "./translator.ts";

/** A conversation as an editor holds it. */
export class AcpSession {
  readonly id: string;
  readonly #conversation: OpenSession;
  readonly #coder: Coder;
  readonly #client: AcpClient;
  readonly #outbox: Outbox;
  readonly #translator: Translator;
  readonly #listening: Disposable;
  /** How the turn that runs, or the last one, has ended. */
  #end: TurnEnd | undefined;
  #asking = new Set<AbortController>();
  /** Prompts without an answer yet: one that is cancelled before its turn has begun begins none. */
  #prompting = new Set<AbortController>();

  constructor(conversation: OpenSession, client: AcpClient) {
    const { coder } = conversation;
    this.id = coder.header.id;
    this.#conversation = conversation;
    this.#coder = coder;
    this.#client = client;
    this.#outbox = new Outbox((update) =>
      client.context.notify(methods.client.session.update, { sessionId: this.id, update }),
    );
    this.#translator = new Translator({ coder, cwd: conversation.cwd, capabilities: client.capabilities });
    this.#listening = coder.subscribe((event) => this.#hear(event));
  }

  /** What a client is told when it opens a session: modes and options; what can be typed comes behind the answer. */
  begin(): Omit<NewSessionResponse, "sessionId"> {
    setTimeout(() => this.#send(this.#translator.commands()), 0);
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

  /** All that was said before, in order; resolves when it is out. */
  async replay(): Promise<void> {
    for (const update of replayed(this.#coder.path(), this.#translator)) this.#send(update);
    await this.#outbox.empty();
  }

  notice(severity: "info" | "warning", title: string): void {
    if (this.#client.capabilities.session?.notices) this.#send({ sessionUpdate: "notice", severity, title });
  }

  /** Begins a turn; while one runs, it is told to that one, and ends with it. */
  async prompt(blocks: readonly ContentBlock[]): Promise<PromptResponse> {
    const stop = new AbortController();
    this.#prompting.add(stop);
    try {
      const response = await this.#say(blocks, stop.signal);
      return stop.signal.aborted ? { stopReason: "cancelled" } : response;
    } catch (error) {
      // Whoever cancels is told that alone, however it came to its end.
      if (stop.signal.aborted) return { stopReason: "cancelled" };
      throw error;
    } finally {
      this.#prompting.delete(stop);
    }
  }

  async #say(blocks: readonly ContentBlock[], signal: AbortSignal): Promise<PromptResponse> {
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
    return this.#response();
  }

  async cancel(): Promise<void> {
    for (const asked of [...this.#prompting, ...this.#asking]) asked.abort();
    await this.#coder.interrupt("cancelled by the client");
  }

  async close(): Promise<void> {
    await this.cancel();
    this.#listening[Symbol.dispose]();
    await this.#outbox.empty();
    await this.#conversation.close();
  }

  #hear(event: Event): void {
    if (event.type === "turn" && event.state.name === "idle") this.#end = event.state.end;
    for (const update of this.#translator.take(event)) this.#send(update);
    if (this.#translator.changesOptions(event)) this.#tellOptions();
    if (event.type === "question") void this.#ask(event.question);
  }

  async #ask(question: Parameters<typeof answerTo>[0]): Promise<void> {
    const over = new AbortController();
    this.#asking.add(over);
    // A question that was answered by something else is asked no more.
    const closed = this.#coder.subscribe((event) => {
      if (event.type === "answered" && event.id === question.id) over.abort();
    });
    try {
      await this.#outbox.empty();
      const answer = await answerTo(question, {
        ...this.#client,
        session: this.id,
        cwd: this.#conversation.cwd,
        signal: over.signal,
      });
      this.#coder.answer(question.id, answer);
    } finally {
      closed[Symbol.dispose]();
      this.#asking.delete(over);
    }
  }

  #tellOptions(): void {
    this.#send({ sessionUpdate: "config_option_update", configOptions: this.options() });
    this.#send({ sessionUpdate: "current_mode_update", currentModeId: this.#coder.choice.approval });
  }

  #send(update: SessionUpdate): void {
    this.#outbox.push(update);
  }

  async #shown(text: string): Promise<PromptResponse> {
    this.#send({ sessionUpdate: "agent_message_chunk", content: { type: "text", text } });
    await this.#outbox.empty();
    return { stopReason: "end_turn" };
  }

  #response(): PromptResponse {
    const end = this.#end ?? { reason: "done" as const };
    switch (end.reason) {
      case "done":
        return { stopReason: this.#translator.lastStop === "length" ? "max_tokens" : "end_turn" };
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
}
