// What the user was told, kept apart from everything that pith keeps: it must hold after any fault.
import type { Line } from "./face.ts";
import type { Act } from "./program.ts";
import { edited, runFile, tokenOf, written } from "./vendor.ts";

/** Contents that a path may have; null is no file. */
type Contents = Set<string | null>;
type Tree = ReadonlyMap<string, string>;

/** A turn that changed files, as far as nothing disturbed it. */
interface Turn {
  session: string;
  before: Tree;
  after: Tree;
  isUndone?: boolean;
}

interface Message {
  role: string;
  stopReason?: string;
  content?: unknown;
}

export class Promises {
  /** Messages and entries that were announced. */
  readonly messages: string[] = [];
  readonly entries: string[] = [];
  /** Tokens of messages that were acknowledged, in order. */
  said: string[] = [];
  /** Calls that were told as done, by id. */
  readonly done = new Set<string>();
  /** Contents that files may have; a path that is not here is not there. */
  readonly files = new Map<string, Contents>();
  /** Turns by the token of their message, and those that were undone. */
  readonly turns = new Map<string, Turn>();
  /** Settings, keys and grants: what was told to be kept, and what may be there. */
  readonly kept = new Map<string, Set<string>>();
  /** Messages that must outlive the power: those of turns that have ended, and what was said before a call ran. */
  #synced = 0;
  readonly #delivered = new Set<string>();
  readonly #safe = new Set<string>();
  /** Pith said that it goes on in memory: until there is room, nothing needs to be on the disk. */
  isBehind = false;
  readonly #sessionOf = new Map<string, string>();
  readonly #waiting = { messages: [] as string[], entries: [] as string[], said: [] as string[] };
  /** Says what a call of the model does. */
  readonly callOf: (id: string) => { act: Act } | undefined;

  constructor(callOf: Promises["callOf"]) {
    this.callOf = callOf;
  }

  /** Takes what a line of output promises. */
  hear(line: Line): void {
    if (line.type === "message_end") this.#message(line.message as Message);
    if (line.type === "entry_appended") this.#entry(line.entry as { id: string });
    if (line.type === "tool_execution_start") this.#begin(String(line.toolCallId));
    if (line.type === "tool_execution_end" && line.isError !== true) this.#finish(String(line.toolCallId));
    if (line.type === "notice") this.#notice(String(line.text));
    if (line.type === "agent_settled") this.#settle();
  }

  /** A message was acknowledged: its answer says that it is on the disk. */
  acknowledge(token: string, session: string): void {
    if (!this.isBehind) this.#sessionOf.set(token, session);
    this.#told.said.push(token);
  }

  /** Messages that were acknowledged in a session. */
  saidIn(session: string): string[] {
    return this.said.filter((token) => this.#sessionOf.get(token) === session);
  }

  /** Everything told meanwhile is on the disk. */
  catchUp(): void {
    this.messages.push(...this.#waiting.messages.splice(0));
    this.entries.push(...this.#waiting.entries.splice(0));
    this.said.push(...this.#waiting.said.splice(0));
    this.isBehind = false;
  }

  /** The process is gone, and with it what was only in its memory, as it had said. */
  forget(): void {
    for (const list of Object.values(this.#waiting)) list.splice(0);
    this.isBehind = false;
  }

  /** Forgets what was told and need not have reached the disk when the power failed. */
  losePower(): void {
    this.messages.splice(this.#synced);
    this.entries.splice(0);
    this.said = this.said.filter((token) => this.#safe.has(token));
  }

  /** Allows a path to hold this too, until somebody looks. */
  may(path: string, text: string | null): void {
    this.#of(path).add(text);
  }

  /** Takes the tree as it is for what must stand there, until something changes it. */
  settle(tree: Tree): void {
    this.files.clear();
    for (const [path, text] of tree) this.files.set(path, new Set([text]));
  }

  get #told(): { messages: string[]; entries: string[]; said: string[] } {
    return this.isBehind ? this.#waiting : this;
  }

  #settle(): void {
    this.#synced = this.messages.length;
    for (const token of this.said) this.#safe.add(token);
  }

  #message(message: Message): void {
    if (!["user", "assistant", "toolResult"].includes(message.role)) return;
    for (const token of tokensOf([message])) this.#delivered.add(token);
    // An answer that was stopped or failed is told, and need not be recorded.
    if (message.stopReason === "aborted" || message.stopReason === "error") return;
    this.#told.messages.push(JSON.stringify(message));
  }

  #entry({ id }: { id: string }): void {
    this.#told.entries.push(id);
  }

  #begin(id: string): void {
    for (const token of this.#delivered) this.#safe.add(token);
    for (const [path, texts] of this.#changes(id)) for (const text of texts) this.may(path, text);
  }

  #finish(id: string): void {
    if (this.done.has(id)) return;
    this.done.add(id);
    for (const [path, texts] of this.#changes(id)) this.files.set(path, new Set(texts));
  }

  /** Contents that the file of a call may have when the call is done. */
  #changes(id: string): [string, (string | null)[]][] {
    const act = this.callOf(id)?.act;
    switch (act?.act) {
      case "write":
        return [[act.path, [written(id)]]];
      case "run":
        return [[runFile(act.path), [written(id)]]];
      case "touch":
        return [[act.path, [""]]];
      case "remove":
        return [[act.path, [null]]];
      case "edit": {
        // Calls of one reply may run in any order.
        const before = [...(this.files.get(act.path) ?? [])].filter((text) => text !== null);
        return [[act.path, before.map((text) => (text.includes(`${id}\n`) ? text : edited(text, id)))]];
      }
      default:
        return [];
    }
  }

  #of(path: string): Contents {
    const known = this.files.get(path);
    if (known) return known;
    const fresh: Contents = new Set([null]);
    this.files.set(path, fresh);
    return fresh;
  }

  #notice(text: string): void {
    if (text.includes("can no longer be recorded")) this.isBehind = true;
    if (text.includes("is recorded again")) this.catchUp();
  }
}

/** The tokens of messages of a person, in a list of messages. */
export const tokensOf = (messages: readonly { role?: string; content?: unknown }[]): string[] =>
  messages.flatMap(({ role, content }) => (role === "user" ? (tokenOf(textOf(content)) ?? []) : []));

const textOf = (content: unknown): string =>
  typeof content === "string"
    ? content
    : Array.isArray(content)
      ? content.map((part: { text?: string }) => part.text ?? "").join("")
      : "";
