import { maxShown, type Outcome, picture, refusal, type Schema, schema as s, type Tool } from "@pith/agent";
import type { Coder } from "@pith/coder";
import { fail, headBytes, ok, type Result } from "@pith/kit";
import type { Image } from "@pith/llm";
import type { Line } from "./frame.ts";
import { fields, list, open, sent, text, truth } from "./schema.ts";

/** A tool that a client brings, by the names that omp gives it. */
export const definition = sent({
  name: text.regex(/^[a-zA-Z][\w-]{0,63}$/, "must be letters, digits, _ and -"),
  label: text.optional(),
  description: text,
  parameters: open<Record<string, unknown>>(),
  hidden: truth.optional(),
  loadMode: text.optional(),
});
type HostToolDefinition = s.Infer<typeof definition>;

/** What a tool of a client gave back. */
export const result = open<HostToolResult>({ content: list(fields) });
export interface HostToolResult {
  content?: unknown;
}

const source = "the client";

/** The tools of a client. A call goes out as a line, and whatever comes back under its id is the result. */
export class HostTools {
  readonly #emit: (line: Line) => void;
  readonly #open = new Map<string, { done(outcome: Outcome): void; progress(part: Outcome): void }>();
  #tools: readonly Tool[] = [];
  #count = 0;

  constructor(emit: (line: Line) => void) {
    this.#emit = emit;
  }

  /** In the place of those before; before the first prompt only, because they stand in front of the conversation. */
  set(definitions: readonly HostToolDefinition[], coder: Coder): Result<string[], string> {
    const names = definitions.map(({ name }) => name);
    if (new Set(names).size < names.length) return fail("twice", "Two of the tools have the same name.");
    if (coder.messageCount() > 0 || coder.scene.turn)
      return fail("late", "Tools of a client are set before the first prompt of a session.");
    coder.door.gone(source);
    this.#tools = definitions.map((made) => this.#tool(made));
    const taken = this.join(coder);
    if (taken.length > 0) return fail("taken", `These names are taken: ${taken.join(", ")}.`);
    return ok(names);
  }

  /** Brings them into another conversation. */
  join(coder: Coder): string[] {
    return this.#tools.length === 0 ? [] : coder.door.tools(source, this.#tools);
  }

  update(id: string, given: HostToolResult): "taken" | "closed" {
    const call = this.#open.get(id);
    call?.progress(outcomeOf(given));
    return call ? "taken" : "closed";
  }

  finish(id: string, given: HostToolResult, isError: boolean): "taken" | "closed" {
    const call = this.#open.get(id);
    call?.done({ ...outcomeOf(given), ...(isError && { failed: true as const }) });
    return call ? "taken" : "closed";
  }

  /** Nobody is there any more to run them. */
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

/** Its client checks the arguments: it alone knows what they mean. */
const anything = (json: Record<string, unknown>): Schema<Record<string, unknown>> =>
  new s.Schema({ type: "object", ...json }, (value, tell) => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) tell("expected an object");
    return value as Record<string, unknown>;
  });

/** Text and pictures of it; what is longer than a model is ever shown at once is cut. */
function outcomeOf({ content }: HostToolResult): Outcome {
  const parts = Array.isArray(content) ? (content as { type?: unknown; text?: unknown }[]) : [];
  const whole = parts.flatMap((part) => (part?.type === "text" && typeof part.text === "string" ? [part.text] : []));
  const all = whole.join("\n");
  const shown = headBytes(all, maxShown);
  const images = parts.flatMap((part): Image[] => {
    const read = picture.safeParse(part);
    return read.success ? [read.data] : [];
  });
  return {
    kind: "prose",
    data: {},
    text: shown,
    ...(images.length > 0 && { images }),
    ...(shown.length < all.length && { meta: { notes: [`Cut: the tool gave ${all.length} characters`] } }),
  };
}
