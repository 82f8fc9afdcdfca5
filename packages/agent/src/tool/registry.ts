import { nearest } from "@pith/kit";
import type { ToolSpec } from "@pith/llm";
import { refusal } from "./result.ts";
import type { Tool } from "./tool.ts";

/**
 * The tools of a conversation, by who brought them; it owns their names and what the model is told of them. They may
 * come while it goes on. One that goes stays listed, so that what the model was told stays true, and says so.
 */
export class Registry {
  readonly #tools = new Map<string, { tool: Tool; source: string }>();
  #specs: readonly ToolSpec[] | undefined;

  constructor(tools: readonly Tool[] = [], source = "pith") {
    this.add(source, tools);
  }

  /** Takes tools on, again after they had gone too; names that another source holds are left to it and handed back. */
  add(source: string, tools: readonly Tool[]): string[] {
    const taken = tools.filter(({ name }) => (this.#tools.get(name)?.source ?? source) !== source);
    for (const tool of tools) if (!taken.includes(tool)) this.#tools.set(tool.name, { tool, source });
    this.#specs = undefined;
    return taken.map(({ name }) => name);
  }

  /** The tools of a source are gone: calls of them are answered so. */
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
  /** The tool that somebody means who does not know its name: other agents' word for it, or a slip of the pen. */
  meant(name: string): Tool | undefined {
    const exact = this.get(name);
    if (exact) return exact;
    const plain = (word: string) => word.toLowerCase().replace(/[^a-z]/g, "");
    const all = [...this.#tools.values()].map(({ tool }) => tool);
    // Some write the place of a function before its name.
    const own = name.replace(/^functions?[.:/]/, "");
    const known = all.find((tool) => [tool.name, ...(tool.foreign?.names ?? [])].some((n) => plain(n) === plain(own)));
    return known ?? this.get(nearest(own, this.names) ?? "");
  }
  sourceOf(name: string): string | undefined {
    return this.#tools.get(name)?.source;
  }
  get names(): string[] {
    return [...this.#tools.keys()];
  }
  /** In the order in which they came, always the same: it is part of the stable prefix of a request. */
  get specs(): readonly ToolSpec[] {
    this.#specs ??= [...this.#tools.values()].map(({ tool }) => ({
      name: tool.name,
      description: tool.about.trim(),
      parameters: tool.input.json,
      ...(tool.freeform ? { freeform: tool.freeform } : {}),
    }));
    return this.#specs;
  }
}
