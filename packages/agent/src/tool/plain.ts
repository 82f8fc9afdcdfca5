import { messageOf } from "@pith/kit";
import type { Effect } from "./outcome.ts";
import type { Schema } from "./schema.ts";
import type { Tool } from "./tool.ts";

export interface PlainTool<I> extends Pick<Tool<I>, "name" | "about" | "input" | "label"> {
  input: Schema<I>;
  /** What it may do to the world: guards go by it, and take a word that is too strong for a word too many. */
  effect: Effect;
  /** Whom it talks to. */
  hosts?: readonly string[];
  /** The text for the model; what it throws is told to the model as a failure. */
  run(input: I, signal: AbortSignal): string | Promise<string>;
}

/** A tool that answers with words and names no files. */
export function plainTool<I>({ effect, hosts, run, ...about }: PlainTool<I>): Tool<I> {
  return {
    ...about,
    prepare: (input) => ({
      effect,
      paths: [],
      ...(hosts && { hosts }),
      async run({ signal }) {
        try {
          return { kind: "prose", data: {}, text: await run(input, signal) };
        } catch (thrown) {
          return { kind: "prose", data: {}, text: messageOf(thrown), failed: true };
        }
      },
    }),
  };
}
