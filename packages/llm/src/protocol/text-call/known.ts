import type { ToolSpec } from "../../message/stream.ts";

/** The tools a model was told of, as far as its words have to be understood. */
export interface KnownTools {
  has(name: string): boolean;
  /** Whether an argument is a text whatever it looks like: the content of a file may be JSON. */
  isText(name: string, argument: string): boolean;
}

export function knownTools(tools: readonly ToolSpec[]): KnownTools {
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  return {
    has: (name) => byName.has(name),
    isText(name, argument) {
      const properties = byName.get(name)?.parameters.properties as Readonly<Record<string, { type?: unknown }>>;
      return properties?.[argument]?.type === "string";
    },
  };
}
