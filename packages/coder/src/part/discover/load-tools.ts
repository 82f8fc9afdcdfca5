import { type Outcome, refusal, schema as s, type Tool } from "@pith/agent";
import { fill, plural } from "@pith/kit";
import type { FoundTool } from "./kinds.ts";
import prose from "./load-tools.md" with { type: "text" };
import type { Document } from "./rank.ts";

const input = s.object({
  query: s.string(),
  limit: s.int().min(1).max(50).optional(),
});
type Input = s.Infer<typeof input>;

export interface Finding {
  /** Returns the tools that can be found. */
  hidden(): readonly Tool[];
  sourceOf(name: string): string | undefined;
  /** Tells the model of tools, with those they need. */
  find(names: readonly string[]): string[];
}

const usualLimit = 8;

export function loadTools(finding: Finding): Tool<Input> {
  return {
    name: "load_tools",
    // A getter, because all tools must be there when the model is told.
    get about() {
      return fill(prose, { hidden: listed(finding) });
    },
    input,
    looks: true,
    prepare({ query, limit = usualLimit }) {
      if (!/[\p{L}\p{N}]/u.test(query.normalize("NFKD")))
        return refusal("The query has no letter and no digit. Say in a few words what the tool should do.");
      return { effect: "read", paths: [], run: () => run(finding, query.trim(), limit) };
    },
  };
}

/** Lists our own tools by name, and the number of tools of other sources. */
function listed({ hidden, sourceOf }: Finding): string {
  const all = Map.groupBy(hidden(), ({ name }) => sourceOf(name) ?? "pith");
  const ours = (all.get("pith") ?? []).map(({ name }) => name);
  const others = [...all].flatMap(([source, tools]) => (source === "pith" ? [] : [`${source} (${tools.length})`]));
  const rows = [...ours, ...others];
  return rows.length > 0 ? `There are: ${rows.slice(0, 20).join(", ")}${rows.length > 20 ? ", …" : ""}.` : "";
}

async function run(finding: Finding, query: string, limit: number): Promise<Outcome<"tools">> {
  const { rank } = await import("./rank.ts");
  const hidden = finding.hidden();
  const documents = hidden.map((tool) => documentOf(tool, finding.sourceOf(tool.name) ?? "pith"));
  const found = rank(documents, query).slice(0, limit);
  const activated = finding.find(found.map(({ document }) => document.name));
  const summaries = new Map(documents.map(({ name, summary }) => [name, summary]));
  const tools = found.map(({ document, score }): FoundTool => {
    const { name, label, original, source, keys } = document;
    return {
      name,
      label,
      description: document.summary,
      ...(source === "" ? {} : { server_name: source, mcp_tool_name: original || name }),
      schema_keys: [...keys],
      score: Math.round(score * 1e6) / 1e6,
    };
  });
  const head = { query, activated_tools: activated, match_count: found.length, total_tools: hidden.length };
  const rows = activated.map((name) => `- ${name}: ${summaries.get(name) ?? ""}`);
  const none = `No tool matches. ${names(hidden)}`;
  return {
    kind: "tools",
    data: { query, limit, total_tools: hidden.length, activated_tools: activated, tools },
    text: [JSON.stringify(head), ...(found.length > 0 ? rows : [none])].join("\n"),
  };
}

const names = (hidden: readonly Tool[]): string =>
  hidden.length === 0
    ? "There are no other tools."
    : `There ${hidden.length === 1 ? "is" : "are"} ${plural(hidden.length, "tool")}: ${hidden
        .slice(0, 40)
        .map(({ name }) => name)
        .join(", ")}${hidden.length > 40 ? ", …" : ""}.`;

type Found = Document & { name: string };

function documentOf({ name, label = "", original = name, about: text, input }: Tool, source: string): Found {
  const keys = Object.keys((input.json.properties ?? {}) as object);
  const plain = text.replace(/\s+/g, " ").trim();
  return {
    name,
    label: label || name,
    original: original === name ? "" : original,
    source: source === "pith" ? "" : source,
    summary: summaryOf(plain),
    keys,
  };
}

/** Returns the first sentence, or the beginning of a long one. */
function summaryOf(text: string): string {
  const sentence = /^.{20,200}?[.!?](?= |$)/.exec(text)?.[0];
  return sentence ?? text.slice(0, 200).toWellFormed();
}
