import type { ToolSpec } from "../../message/stream.ts";

/** Tools that the model was told of, for reading its text. */
export interface KnownTools {
  has(name: string): boolean;
  /** True for an argument that is always a text: the content of a file may look like JSON. */
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
