import { messageOf } from "@pith/kit";
import type { Effect } from "./outcome.ts";
import type { Schema } from "./schema.ts";
import type { Tool } from "./tool.ts";

export interface PlainTool<I> extends Pick<Tool<I>, "name" | "about" | "input" | "label"> {
  input: Schema<I>;
  /** Effect by which guards judge it; too strong an effect is safe. */
  effect: Effect;
  /** Hosts it talks to. */
  hosts?: readonly string[];
  /** Returns the text for the model; an exception is reported to the model as a failure. */
  run(input: I, signal: AbortSignal): string | Promise<string>;
}

/** A tool that returns text and touches no files. */
export function plainTool<I>({ effect, hosts, run, ...about }: PlainTool<I>): Tool<I> {
  return {
    ...about,
    prepare: (input) => ({
      effect,
      paths: [],
      hosts,
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
