import type { StreamEvent } from "../message/stream.ts";
import { count, cut, type Ending, JsonDecoder, reportedBy, started, unnamed, used, word } from "./decode.ts";

/** Reads the lines of Ollama's chat; the last one is done, and counts. */
export class OllamaDecoder extends JsonDecoder<OllamaLine> {
  readonly #newId: () => string;
  #started = false;
  #blocks = 0;
  #open: "text" | "thinking" | undefined;
  #calls = 0;
  #nameless = false;
  #last: OllamaLine | undefined;

  constructor(newId: () => string) {
    super();
    this.#newId = newId;
  }

  protected read(line: OllamaLine, out: StreamEvent[]): void {
    const { message } = line;
    const failure = message ? undefined : reportedBy(line);
    if (failure) {
      this.fail(failure, out);
      return;
    }
    if (!this.#started) {
      this.#started = true;
      out.push(started(undefined, line.model));
    }
    if (message) {
      const { thinking, content, tool_calls } = message;
      if (thinking && typeof thinking === "string") out.push({ type: "thinking", index: this.#block("thinking"), delta: thinking });
      if (content && typeof content === "string") out.push({ type: "text", index: this.#block("text"), delta: content });
      if (Array.isArray(tool_calls)) for (const call of tool_calls) this.#call(call, out);
    }
    if (line.done !== true) return;
    this.#last = line;
    this.finish(out);
  }

  protected usage(): StreamEvent | undefined {
    return this.#last && used({ input: count(this.#last.prompt_eval_count) ?? 0, output: count(this.#last.eval_count) ?? 0 });
  }

  protected ending(): Ending {
    if (!this.#last) return cut;
    const raw = word(this.#last.done_reason);
    const named = raw ? { raw } : {};
    if (raw === "length") return { reason: "length", ...named };
    if (this.#nameless) return unnamed;
    return { reason: this.#calls > 0 ? "toolUse" : "stop", ...named };
  }

  #call(call: OllamaCall | null, out: StreamEvent[]): void {
    this.#calls++;
    const name = word(call?.function?.name);
    if (!name) {
      this.#nameless = true;
      return;
    }
    const index = this.#blocks++;
    this.#open = undefined;
    out.push({ type: "call", index, id: word(call?.id) ?? this.#newId(), name });
    const given = call?.function?.arguments;
    out.push({ type: "args", index, delta: typeof given === "string" ? given : JSON.stringify(given ?? {}) });
  }

  #block(kind: "text" | "thinking"): number {
    if (this.#open !== kind) {
      this.#open = kind;
      this.#blocks++;
    }
    return this.#blocks - 1;
  }
}

interface OllamaLine {
  model?: unknown;
  message?: { content?: unknown; thinking?: unknown; tool_calls?: unknown } | null;
  done?: unknown;
  done_reason?: unknown;
  prompt_eval_count?: unknown;
  eval_count?: unknown;
}
interface OllamaCall {
  id?: unknown;
  function?: { name?: unknown; arguments?: unknown } | null;
}
