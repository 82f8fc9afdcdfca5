import { readdirSync } from "node:fs";
import { join } from "node:path";

/** A likely reply of a model, the calls it means, and the text a reader should see. */
export interface Sample {
  reply: string;
  calls: readonly { name: string; args: Readonly<Record<string, unknown>> }[];
  /** The words before, between and after its calls. */
  text: readonly string[];
  thinking?: string;
}

/** The samples of one way to write a call: a row of the table of dialects, JSON without marks, or words alone. */
export interface Shelf {
  of: string;
  replies: readonly Sample[];
}

export const shelves: readonly Shelf[] = await Promise.all(
  readdirSync(import.meta.dir)
    .filter((name) => name.endsWith(".json"))
    .sort()
    .map((name): Promise<Shelf> => Bun.file(join(import.meta.dir, name)).json()),
);

const [text, number] = [{ type: "string" }, { type: "number" }];
const tool = (name: string, properties: Readonly<Record<string, unknown>>) => ({
  name,
  description: "",
  parameters: { type: "object", properties },
});

/** Tools that the models of the corpus know. */
export const tools = [
  tool("read", { path: text, offset: number, limit: number }),
  tool("write", { path: text, content: text }),
  tool("edit", { path: text, old: text, new: text }),
  tool("bash", { command: text, timeout: number }),
  tool("search", { pattern: text, path: text }),
  tool("find", { pattern: text }),
];
