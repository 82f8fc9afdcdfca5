import type { Schema } from "../../packages/agent/src/index.ts";
import { commands } from "../../packages/cli/src/wire/command.ts";
import { events, header, pieces } from "../../packages/cli/src/wire/event.ts";
import { frames, lines as written } from "../../packages/cli/src/wire/frame.ts";
import { named } from "../../packages/cli/src/wire/message.ts";
import { wireVersion } from "../../packages/cli/src/wire/version.ts";
import { kinds } from "./kind.ts";

type Json = Record<string, unknown>;

/** Rewrites the tables of the page on events from the rows of the program; other text stays. */
export function eventsPage(page: string): string {
  const rows = events.map(({ type, when, ours, schema }) => [
    `\`${type}\`${ours ? " (ours)" : ""}`,
    fieldsOf(schema, ["type"]),
    when,
  ]);
  const parts = pieces.map((schema) => [typesOf(schema), fieldsOf(schema, ["type", "contentIndex"])]);
  const data = Object.entries(kinds).map(([kind, schema]) => [`\`${kind}\``, fieldsOf(schema, []) || "nothing more"]);
  return [
    ["event", ["event", "fields", "when"], rows],
    ["type", ["type", "fields"], parts],
    ["kind", ["kind", "data"], data],
  ].reduce((text, [first, head, rows]) => withTable(text, first as string, head as string[], rows as string[][]), page);
}

/** Rewrites the tables of the page on RPC from the rows of the program; other text stays. */
export function rpcPage(page: string): string {
  const rows = Object.entries(commands).map(([name, { about, takes, gives, ...row }]) => [
    `\`${name}\`${"ours" in row ? " (ours)" : ""}`,
    fieldsOf(takes, []),
    gives ? givesOf(gives) : "",
    about,
  ]);
  const lines = frames.map(({ type, when, schema }) => [`\`${type}\``, fieldsOf(schema, ["type"]), when]);
  const told = withTable(page, "command", ["command", "arguments", "answer", "what it does"], rows);
  return withTable(told, "line", ["line", "fields", "when"], lines);
}

/** Fields of an answer, or of each of its forms. */
function givesOf(schema: Schema<unknown>): string {
  const { anyOf } = schema.json as { anyOf?: Json[] };
  if (!anyOf) return fieldsOf(schema, []);
  return anyOf
    .map((json) => (json.type === "null" ? "`null`" : fieldsOf({ json } as Schema<unknown>, [])))
    .join(" or ");
}

/** Replaces the table of a page whose first column is `first`. */
function withTable(page: string, first: string, head: readonly string[], rows: readonly string[][]): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replace(/(?<!\\)\|/g, "\\|")).join(" | ")} |`.replace(/ {2,}/g, " ");
  const table = [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
  return page.replace(new RegExp(`^\\| ${first} \\|.*\\n(?:\\|.*(?:\\n|$))*`, "m"), () => `${table}\n`);
}

/** Fields by name, each with its values and description. */
function fieldsOf({ json }: Schema<unknown>, without: readonly string[]): string {
  const { properties = {}, required = [] } = json as { properties?: Record<string, Json>; required?: string[] };
  return Object.entries(properties)
    .filter(([name]) => !without.includes(name))
    .map(([name, { description, enum: values }]) => {
      const about = [
        ...(Array.isArray(values) ? [values.map((value) => `\`${value}\``).join(", ")] : []),
        ...(typeof description === "string" ? [description] : []),
      ].join(": ");
      return `\`${name}${required.includes(name) ? "" : "?"}\`${about ? ` (${about})` : ""}`;
    })
    .join(", ");
}

function typesOf({ json }: Schema<unknown>): string {
  const { type } = json.properties as { type: { enum?: string[]; const?: string } };
  return (type.enum ?? [type.const]).map((name) => `\`${name}\``).join(", ");
}

/** JSON schema of all lines that pith writes. None is closed, because later versions may add fields. */
export function eventsSchema(): string {
  const names = new Map<unknown, string>(Object.entries(named).map(([name, { json }]) => [json, name]));
  const plain = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(plain);
    if (typeof value !== "object" || value === null) return value;
    const entries = Object.entries(value).filter(([key, of]) => !(key === "additionalProperties" && of === false));
    return Object.fromEntries(entries.map(([key, of]) => [key, referred(of)]));
  };
  const referred = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(referred);
    const name = names.get(value);
    return name === undefined ? plain(value) : { $ref: `#/$defs/${name}` };
  };
  const lines = [header, ...written];
  const schema = {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: "What pith writes in JSON mode and RPC, line by line",
    version: wireVersion,
    oneOf: lines.map(({ type }) => ({ $ref: `#/$defs/${type}` })),
    $defs: Object.fromEntries([
      ...lines.map(({ type, when, schema }) => [type, { description: when, ...(plain(schema.json) as Json) }]),
      ...Object.entries(named).map(([name, { json }]) => [name, plain(json)]),
      ...Object.entries(kinds).map(([kind, { json }]) => [`kind:${kind}`, plain(json)]),
    ]),
  };
  return `${JSON.stringify(schema, null, 1)}\n`;
}
