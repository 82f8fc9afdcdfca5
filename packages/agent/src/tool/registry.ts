import { nearest } from "@pith/kit";
import type { ToolCall, ToolSpec } from "@pith/llm";
import { refusal } from "./result.ts";
import type { Tool } from "./tool.ts";

/**
 * Tools of a conversation by source. Owns their names and what the model is told of them. Tools may be added at any
 * time. A removed tool stays listed, so that what the model was told stays true, and answers that it is gone.
 */
export class Registry {
  readonly #tools = new Map<string, { tool: Tool; source: string }>();
  #specs: readonly ToolSpec[] | undefined;

  constructor(tools: readonly Tool[] = [], source = "pith") {
    this.add(source, tools);
  }

  /** Adds tools, also ones removed before; returns names that another source holds. */
  add(source: string, tools: readonly Tool[]): string[] {
    const taken = tools.filter(({ name }) => (this.#tools.get(name)?.source ?? source) !== source);
    for (const tool of tools) if (!taken.includes(tool)) this.#tools.set(tool.name, { tool, source });
    this.#specs = undefined;
    return taken.map(({ name }) => name);
  }

  /** Removes the tools of a source: their calls are answered with that. */
  remove(source: string): void {
    for (const [name, { tool, source: from }] of this.#tools) {
      if (from !== source) continue;
      const prepare = () => refusal(`The tool "${name}" is gone: ${source} is no longer there. Go on without it.`);
      this.#tools.set(name, { tool: { ...tool, prepare }, source });
    }
  }

  get(name: string): Tool | undefined {
    return this.#tools.get(name)?.tool;
  }
  /** The tool that other agents call so, in whatever case and with a namespace before it, as some models write it. */
  known(name: string, written: ToolCall["arguments"] = {}): Tool | undefined {
    const exact = this.get(name);
    if (exact) return exact;
    const plain = (word: string) => word.toLowerCase().replace(/[^a-z]/g, "");
    const own = plain(name.replace(/^functions?[.:/]/, ""));
    const all = [...this.#tools.values()].map(({ tool }) => tool);
    const foreign = all.filter((tool) => tool.foreign?.names.some((word) => plain(word) === own));
    return (
      all.find((tool) => plain(tool.name) === own) ?? foreign.find(({ foreign }) => foreign?.takes?.(written) ?? true)
    );
  }
  /** The tool meant by a wrong name: another agent's name, or a typing error. */
  meant(name: string, written?: ToolCall["arguments"]): Tool | undefined {
    const own = name.replace(/^functions?[.:/]/, "");
    return this.known(name, written) ?? this.get(nearest(own, this.names) ?? "");
  }
  sourceOf(name: string): string | undefined {
    return this.#tools.get(name)?.source;
  }
  get names(): string[] {
    return [...this.#tools.keys()];
  }
  /** Specifications in the order of addition, which is stable: they are part of the cached prefix. */
  get specs(): readonly ToolSpec[] {
    this.#specs ??= [...this.#tools.values()].map(({ tool }) => ({
      name: tool.name,
      description: tool.about.trim(),
      parameters: tool.input.json,
      freeform: tool.freeform,
    }));
    return this.#specs;
  }
}
