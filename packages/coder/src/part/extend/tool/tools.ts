import { refusal, type Schema, schema as s, type Tool } from "@pith/agent";
import { byteLength, cleanText, isRecord, parseJson, plural } from "@pith/kit";
import type { Item } from "../../../capability/item.ts";
import { unusedWhy } from "../../../capability/kind/kind.ts";
import type { Hall } from "../../../hall/hall.ts";

export type ToolNeeds = Pick<Hall, "capabilities" | "tools" | "settings">;

/** The tools of the user's and the project's own, in the order of their names. */
export function ownTools(hall: ToolNeeds): Tool[] {
  const found = hall.capabilities
    .of("tool")
    .winners.filter(({ data }) => unusedWhy("tool", data) === undefined)
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
  let room = hall.settings.get("tools.directBytes");
  return found.map((item) => {
    const tool = toolOf(item, hall);
    room -= byteLength(JSON.stringify([tool.name, tool.about, tool.input.json]));
    // The others are found by searching for them.
    return room >= 0 ? { ...tool, told: "always" } : tool;
  });
}

/** Names the tools of the project that wait for a yes, and those that cannot be read. */
export function leftOut({ capabilities }: Pick<Hall, "capabilities">): string[] {
  const { all } = capabilities.of("tool");
  const used = all.filter(({ data }) => data.own && data.runs !== "module" && unusedWhy("tool", data) === undefined);
  const waiting = used.filter(({ state }) => state === "untrusted");
  const broken = used.filter(({ state }) => state === "invalid" || state === "shadowed");
  const why = [...new Set(waiting.map((item) => `${capabilities.shortName(item.file)}: ${item.why}`))].join("; ");
  return [
    ...(waiting.length === 0
      ? []
      : [`${plural(waiting.length, "tool")} of this project left out (${why}); pith trust --show tells more.`]),
    ...broken.map(({ name, file, why: reason }) => `The tool ${name} is left out: ${file}: ${reason}`),
  ];
}

/** A tool that is a command: its arguments are the input of that command, and the shell's tool judges and runs it. */
function toolOf(item: Item<"tool">, { capabilities, tools }: ToolNeeds): Tool<Fields> {
  const { name, data } = item;
  return {
    name,
    label: name.replace(/[_-]+/g, " "),
    about: cleanText(data.description),
    input: argumentsOf(data.parameters),
    async prepare(input, how) {
      const shell = tools.get("bash");
      if (!shell) return refusal(`The tool ${name} needs the tool bash, which is switched off.`);
      if (!capabilities.isTrusted(item))
        return refusal(
          `The tool ${name} has changed since the user trusted it; it is not run until they say yes again.`,
        );
      const command = `{ ${data.line}\n} <<'${mark}'\n${JSON.stringify(input)}\n${mark}`;
      return shell.prepare({ command, ...(data.timeout !== undefined && { timeout: data.timeout }) }, how);
    },
  };
}

type Fields = Readonly<Record<string, unknown>>;

/** Checks arguments by their schema, one level deep; what lies deeper is the tool's own business. */
function argumentsOf(schema: Fields = { type: "object", properties: {} }): Schema<Fields> {
  const properties = isRecord(schema.properties) ? schema.properties : {};
  const required = Array.isArray(schema.required) ? schema.required.map(String) : [];
  return new s.Schema<Fields>({ type: "object", ...schema }, (written, tell) => {
    const value = typeof written === "string" ? parseJson(written) : written;
    if (!isRecord(value)) {
      tell("expected an object");
      return {};
    }
    for (const key of required) if (value[key] === undefined) tell("is missing", [key]);
    for (const [key, one] of Object.entries(value)) {
      const wanted = properties[key];
      const wrong = isRecord(wanted)
        ? problemOf(one, wanted)
        : schema.additionalProperties === false
          ? "is not known"
          : undefined;
      if (wrong !== undefined) tell(wrong, [key]);
    }
    return value;
  });
}

function problemOf(value: unknown, { type, enum: only }: Fields): string | undefined {
  if (Array.isArray(only) && !only.some((one) => one === value))
    return `expected one of ${only.map(String).join(", ")}`;
  const types = [type ?? []].flat().map(String);
  if (types.length === 0) return undefined;
  const is = value === null ? "null" : Array.isArray(value) ? "array" : typeof value;
  const fits = types.some((one) => one === is || (one === "integer" ? Number.isInteger(value) : false));
  return fits ? undefined : `expected ${types.join(" or ")}`;
}

/** A line that ends the input of a command; JSON in one line is never this. */
const mark = "PITH_INPUT";
