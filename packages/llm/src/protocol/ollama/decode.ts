import type { StreamEvent } from "../../message/stream.ts";
import {
  cutOff,
  JsonDecoder,
  nonEmpty,
  pushDelta,
  type ReplyEnding,
  reportedBy,
  startEvent,
  type Unchecked,
  usageEvent,
} from "../decode.ts";

/** Decodes Ollama's chat; the last line is marked and has the token counts. */
export class OllamaDecoder extends JsonDecoder<OllamaLine> {
  #started = false;
  #last: OllamaLine | undefined;

  protected read(line: OllamaLine, out: StreamEvent[]): void {
    const { message } = line;
    const failure = message ? undefined : reportedBy(line);
    if (failure) {
      this.fail(failure, out);
      return;
    }
    if (!this.#started) out.push(startEvent(undefined, line.model));
    this.#started = true;
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
    return this.#last && usageEvent({ input: this.#last.prompt_eval_count, output: this.#last.eval_count });
  }

  protected ending(): ReplyEnding {
    if (!this.#last) return cutOff;
    const raw = nonEmpty(this.#last.done_reason);
    return raw === "length" ? { reason: "length", raw } : this.stopped(raw);
  }

  #call(call: OllamaCall | null, out: StreamEvent[]): void {
    const index = this.blocks++;
    this.open = undefined;
    this.call(index, nonEmpty(call?.id) ?? this.newId(), nonEmpty(call?.function?.name), out);
    const input = call?.function?.arguments;
    out.push({ type: "args", index, delta: typeof input === "string" ? input : JSON.stringify(input ?? {}) });
  }
}

interface OllamaLine extends Unchecked<"model" | "done" | "done_reason" | "prompt_eval_count" | "eval_count"> {
  message?: Unchecked<"content" | "thinking" | "tool_calls"> | null;
}
interface OllamaCall extends Unchecked<"id"> {
  function?: Unchecked<"name" | "arguments"> | null;
}
