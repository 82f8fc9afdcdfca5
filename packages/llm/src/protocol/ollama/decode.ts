import type { StreamEvent } from "../../message/stream.ts";
import {
  cutOff,
  JsonDecoder,
  nonEmpty,
  pushDelta,
  type ReplyEnding,
  reportedBy,
  startEvent,
  tokenCount,
  usageEvent,
} from "../decode.ts";

/** Decodes Ollama's chat; the last line is marked and has the token counts. */
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
      out.push(startEvent(undefined, line.model));
    }
    if (message) {
      const { thinking, content, tool_calls } = message;
      if (thinking && typeof thinking === "string") pushDelta("thinking", this.block("thinking"), thinking, out);
      if (content && typeof content === "string") pushDelta("text", this.block("text"), content, out);
      if (Array.isArray(tool_calls)) for (const call of tool_calls) this.#call(call, out);
    }
    if (line.done !== true) return;
    this.#last = line;
    this.finish(out);
  }

  protected usage(): StreamEvent | undefined {
    return (
      this.#last &&
      usageEvent({
        input: tokenCount(this.#last.prompt_eval_count) ?? 0,
        output: tokenCount(this.#last.eval_count) ?? 0,
      })
    );
  }

  protected ending(): ReplyEnding {
    if (!this.#last) return cutOff;
    const raw = nonEmpty(this.#last.done_reason);
    return raw === "length" ? { reason: "length", raw } : this.stopped(raw);
  }

  #call(call: OllamaCall | null, out: StreamEvent[]): void {
    const index = this.blocks++;
    this.open = undefined;
    this.call(index, nonEmpty(call?.id) ?? this.#newId(), nonEmpty(call?.function?.name), out);
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
