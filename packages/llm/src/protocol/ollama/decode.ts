import type { StreamEvent } from "../../message/stream.ts";
import { count, cut, type Ending, JsonDecoder, reportedBy, say, started, used, word } from "../decode.ts";

/** Reads the lines of Ollama's chat; the last one is done, and counts. */
export class OllamaDecoder extends JsonDecoder<OllamaLine> {
  readonly #newId: () => string;
  #started = false;
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
      if (thinking && typeof thinking === "string") say("thinking", this.block("thinking"), thinking, out);
      if (content && typeof content === "string") say("text", this.block("text"), content, out);
      if (Array.isArray(tool_calls)) for (const call of tool_calls) this.#call(call, out);
    }
    if (line.done !== true) return;
    this.#last = line;
    this.finish(out);
  }

  protected usage(): StreamEvent | undefined {
    return (
      this.#last && used({ input: count(this.#last.prompt_eval_count) ?? 0, output: count(this.#last.eval_count) ?? 0 })
    );
  }

  protected ending(): Ending {
    if (!this.#last) return cut;
    const raw = word(this.#last.done_reason);
    return raw === "length" ? { reason: "length", raw } : this.stopped(raw);
  }

  #call(call: OllamaCall | null, out: StreamEvent[]): void {
    const index = this.blocks++;
    this.open = undefined;
    this.call(index, word(call?.id) ?? this.#newId(), word(call?.function?.name), out);
    const input = call?.function?.arguments;
    out.push({ type: "args", index, delta: typeof input === "string" ? input : JSON.stringify(input ?? {}) });
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
