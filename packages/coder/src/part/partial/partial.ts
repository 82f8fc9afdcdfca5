import { closeSync, openSync, rmSync, writeSync } from "node:fs";
import type { Channel, Event, SessionTree } from "@pith/agent";
import { messageOf, parseJson, readPlain, recordOf, tryOr } from "@pith/kit";
import { type AssistantMessage, type Model, noUsage, priced } from "@pith/llm";
import type { MakePart } from "../../hall/part.ts";

/** Milliseconds after which text that was shown is on the disk at the latest, as far as this process can tell. */
const soonMs = 400;
const maxBytes = 64 * 1024 * 1024;

/** The file beside a record that holds the answer that streams. */
const fileOf = (record: string): string => `${record}.partial`;

/**
 * Keeps the text of the answer that streams in a file beside the record, so that a kill loses nothing that was shown.
 * The next process to open the session records what it finds there as an aborted answer.
 */
export const partial: MakePart<"channel" | "journal" | "tree" | "directory" | "choice" | "clock"> = (hall) => {
  const { channel, journal, tree, directory, choice, clock } = hall;
  if (directory.lasting === undefined) return undefined;
  const left = leftBehind(fileOf(directory.file), tree);
  // Whoever opens the session reads it with the rest of the record.
  if (left) journal.append({ type: "message", message: left });
  let file: PartialFile | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const write = () => {
    timer = undefined;
    const about = { parent: tree.leaf, ...aboutModel(choice.model), timestamp: clock.now() };
    file ??= new PartialFile(fileOf(directory.file), about);
    const problem = file.write(channel.scene.answer);
    if (problem !== undefined)
      channel.notify({ level: "warn", text: `An answer is not kept for after a crash: ${problem}` });
  };
  const forget = () => {
    clearTimeout(timer);
    timer = undefined;
    file?.remove();
    file = undefined;
  };
  const hear = (event: Event) => {
    if (event.type === "delta") {
      timer ??= setTimeout(write, soonMs);
      timer.unref?.();
    } else if (endsAnswer(event)) forget();
  };
  // What was announced before an interface listens is for the interface.
  let listening: Disposable | undefined;
  return {
    name: "partial answer",
    step() {
      listening ??= channel.listen(hear);
      return { do: "go" };
    },
    async [Symbol.asyncDispose]() {
      listening?.[Symbol.dispose]();
      forget();
    },
  };
};

const endsAnswer = (event: Event): boolean =>
  event.type === "turn" || (event.type === "entry" && event.entry.type === "message");

const aboutModel = ({ api, vendor, id }: Model) => ({ api, provider: vendor, model: id });

type Answer = Channel["scene"]["answer"];

/** A file that an answer is appended to, as far as it has come. */
class PartialFile {
  readonly #file: string;
  readonly #about: object;
  #descriptor: number | undefined;
  #written = { text: 0, thinking: 0 };
  #failed = false;

  constructor(file: string, about: object) {
    this.#file = file;
    this.#about = about;
  }

  /** Appends what is new; gives the problem the first time that it cannot. */
  write({ text, thinking }: Answer): string | undefined {
    const more = { text: text.slice(this.#written.text), thinking: thinking.slice(this.#written.thinking) };
    if (this.#failed || more.text + more.thinking === "") return undefined;
    this.#written = { text: text.length, thinking: thinking.length };
    try {
      if (this.#descriptor === undefined) {
        rmSync(this.#file, { force: true });
        this.#descriptor = openSync(this.#file, "wx", 0o600);
        writeSync(this.#descriptor, `${JSON.stringify(this.#about)}\n`);
      }
      writeSync(this.#descriptor, `${JSON.stringify(more)}\n`);
      return undefined;
    } catch (error) {
      this.#failed = true;
      return messageOf(error);
    }
  }

  remove(): void {
    const descriptor = this.#descriptor;
    if (descriptor === undefined) return;
    tryOr(() => closeSync(descriptor));
    tryOr(() => rmSync(this.#file, { force: true }));
  }
}

/** The answer that a killed process has left, unless the conversation went on since; its file is removed. */
function leftBehind(file: string, tree: SessionTree): AssistantMessage | undefined {
  const read = readPlain(file, { maxBytes });
  if (!read.ok) return undefined;
  tryOr(() => rmSync(file, { force: true }));
  // The last line may have been cut.
  const [about, ...pieces] = read.value.split("\n").map((line) => recordOf(parseJson(line)));
  const { parent, api, provider, model, timestamp } = about ?? {};
  if (![api, provider, model].every((name) => typeof name === "string") || !isNext(tree, parent)) return undefined;
  const all = (name: "text" | "thinking") =>
    pieces.map((piece) => (typeof piece[name] === "string" ? piece[name] : "")).join("");
  const [thinking, text] = [all("thinking"), all("text")];
  const content: AssistantMessage["content"] = [];
  if (thinking !== "") content.push({ type: "thinking", thinking });
  if (text !== "") content.push({ type: "text", text });
  if (content.length === 0) return undefined;
  return {
    role: "assistant",
    content,
    api: String(api),
    provider: String(provider),
    model: String(model),
    usage: priced(noUsage(), { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 }),
    stopReason: "aborted",
    errorMessage: "pith was ended while this was being written.",
    timestamp: Number(timestamp) || 0,
  };
}

/** True when no message has come since that entry. */
function isNext(tree: SessionTree, parent: unknown): boolean {
  for (const entry of tree.back()) {
    if (entry.id === parent) return true;
    if (entry.type === "message") return false;
  }
  return false;
}
