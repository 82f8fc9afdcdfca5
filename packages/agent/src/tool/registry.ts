import type { ToolSpec } from "@pith/llm";
import type { Tool } from "./tool.ts";

/** The tools of a conversation; it owns their names and what the model is told of them. */
export class Registry {
  readonly #tools: ReadonlyMap<string, Tool>;
  #specs: readonly ToolSpec[] | undefined;

  constructor(tools: readonly Tool[]) {
    this.#tools = new Map(tools.map((own) => [own.name, own]));
  }

  get(name: string): Tool | undefined {
    return this.#tools.get(name);
  }
  get names(): string[] {
    return [...this.#tools.keys()];
  }
  /** In the order of the list, always the same: it is part of the stable prefix of a request. */
  get specs(): readonly ToolSpec[] {
    this.#specs ??= [...this.#tools.values()].map((own) => ({
      name: own.name,
      description: own.about,
      parameters: own.input.json,
      ...(own.freeform && { freeform: own.freeform }),
    }));
    return this.#specs;
  }
}
