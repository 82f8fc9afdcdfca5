import { maxShown, type Outcome, picture, refusal, type Schema, schema as s, type Tool } from "@pith/agent";
import type { Coder } from "@pith/coder";
import { type Fail, fail, headBytes, isRecord } from "@pith/kit";
import type { Image } from "@pith/llm";
import type { Line } from "./frame.ts";
import { bool, fields, list, open, sent, text } from "./schema.ts";

/** A tool that a client brings, with the names of fields that omp uses. */
export const definition = sent({
  name: text.regex(/^[a-zA-Z][\w-]{0,63}$/, "must be letters, digits, _ and -"),
  label: text.optional(),
  description: text,
  parameters: open<Record<string, unknown>>(),
  hidden: bool.optional(),
  loadMode: text.optional(),
});
type HostToolDefinition = s.Infer<typeof definition>;

/** The result of a client's tool; its content is read leniently. */
export const result = open<HostToolResult>({ content: list(fields) });
export interface HostToolResult {
  content?: unknown;
}

const source = "the client";

/** Tools of a client. A call goes out as a line, and whatever comes back under its id is the result. */
export class HostTools {
  readonly #emit: (line: Line) => void;
  readonly #open = new Map<string, { done(outcome: Outcome): void; progress(part: Outcome): void }>();
  #tools: readonly Tool[] = [];
  #count = 0;

  constructor(emit: (line: Line) => void) {
    this.#emit = emit;
  }

  /** Replaces the tools; before the first prompt only, because the model is told of them before the conversation. */
  set(definitions: readonly HostToolDefinition[], coder: Coder): Fail<string> | undefined {
    const names = definitions.map(({ name }) => name);
    if (new Set(names).size < names.length) return fail("twice", "Two of the tools have the same name.");
    if (coder.messageCount() > 0 || coder.scene.turn)
      return fail("late", "Tools of a client are set before the first prompt of a session.");
    coder.door.gone(source);
    this.#tools = definitions.map((made) => this.#tool(made));
    const taken = this.join(coder);
    return taken.length > 0 ? fail("taken", `These names are taken: ${taken.join(", ")}.`) : undefined;
  }

  /** Adds the tools to a conversation; gives the names that are taken there. */
  join(coder: Coder): string[] {
    return this.#tools.length === 0 ? [] : coder.door.tools(source, this.#tools);
  }

  /** Takes what the client sends of an open call. */
  take(id: string, result: HostToolResult, as: "progress" | "result" | "failure"): Fail<string> | undefined {
    const call = this.#open.get(id);
    if (!call) return fail("closed", `No call is open under the id ${JSON.stringify(id.slice(0, 100))}.`);
    const outcome = outcomeOf(result);
    if (as === "progress") call.progress(outcome);
    else call.done({ ...outcome, ...(as === "failure" && { failed: true as const }) });
    return undefined;
  }

  /** Ends the open calls, because the client is gone. */
  close(): void {
    for (const { done } of this.#open.values()) done(refusal("The client that runs this tool is gone."));
  }

  #tool({ name, label, description, parameters, hidden, loadMode }: HostToolDefinition): Tool<Record<string, unknown>> {
    return {
      name,
      about: description,
      ...(label !== undefined && { label }),
      ...(!hidden && loadMode !== "discoverable" && { told: "always" as const }),
      input: anything(parameters),
      prepare: (input) => ({
        effect: "exec",
        paths: [],
        run: ({ id: toolCallId, signal, progress }) =>
          this.#run({ toolCallId, toolName: name, arguments: input }, signal, progress),
      }),
    };
  }

  async #run(
    call: { toolCallId: string; toolName: string; arguments: Record<string, unknown> },
    signal: AbortSignal,
    progress: (part: Outcome) => void,
  ): Promise<Outcome> {
    const id = `host_${++this.#count}`;
    const { promise, resolve } = Promise.withResolvers<Outcome>();
    const cancel = () => {
      this.#emit({ type: "host_tool_cancel", id: `host_${++this.#count}`, targetId: id });
      resolve(refusal("The call was stopped before its tool answered."));
    };
    this.#open.set(id, { done: resolve, progress });
    if (signal.aborted) cancel();
    else {
      signal.addEventListener("abort", cancel, { once: true });
      this.#emit({ type: "host_tool_call", id, ...call });
    }
    try {
      return await promise;
    } finally {
      signal.removeEventListener("abort", cancel);
      this.#open.delete(id);
    }
  }
}

/** Takes any object: the client checks the arguments of its own tools. */
const anything = (json: Record<string, unknown>): Schema<Record<string, unknown>> =>
  new s.Schema({ type: "object", ...json }, (value, tell) => {
    if (!isRecord(value)) tell("expected an object");
    return value as Record<string, unknown>;
  });

/** Reads text and images; text that is longer than a model is ever shown at once is cut. */
function outcomeOf({ content }: HostToolResult): Outcome {
  const parts: unknown[] = Array.isArray(content) ? content : [];
  const texts = parts.flatMap((part) => (isRecord(part) && part.type === "text" ? [part.text] : []));
  const all = texts.filter((text) => typeof text === "string").join("\n");
  const text = headBytes(all, maxShown);
  const images = parts.flatMap((part): Image[] => {
    const read = picture.safeParse(part);
    return read.success ? [read.data] : [];
  });
  return {
    kind: "prose",
    data: {},
    text,
    ...(images.length > 0 && { images }),
    ...(text.length < all.length && { meta: { notes: [`Cut: the tool gave ${all.length} characters`] } }),
  };
}
