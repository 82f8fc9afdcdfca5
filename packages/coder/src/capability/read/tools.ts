import { accessSync, constants } from "node:fs";
import { isRecord, parseJson, shellQuote, succeeds } from "@pith/kit";
import type { Candidate, ConfigPath, Reader } from "../item.ts";
import type { ToolData } from "../kind/kind.ts";
import { dataOf, frontOf, shortIn, textIn } from "../parse.ts";
import { tool } from "./things.ts";
import { itemName } from "./words.ts";

/** Reads a tool of pith's own: a script with a comment at its top, or a file that declares a command. */
export const ownTool: Reader<"tool"> = (text, at) => {
  if (/\.[cm]?[jt]s$/.test(at.path))
    return tool(text, at).map((found) => ({ ...found, data: { ...found.data, own: true } }));
  if (/\.(?:json|md)$/.test(at.path)) return [declared(text, at)];
  return [script(text, at)];
};

/** The comment at the top of a script: its description, and perhaps `parameters:` and `timeout:`. */
function script(text: string, at: ConfigPath): Candidate<"tool"> {
  const top = /^(?:#!.*\r?\n)?((?:[ \t]*#.*(?:\r?\n|$))*)/.exec(text)?.[1] ?? "";
  const lines = top.split("\n").map((line) => line.replace(/^[ \t]*#+[ \t]?/, "").trim());
  const field = (name: string) =>
    lines
      .find((line) => line.startsWith(`${name}:`))
      ?.slice(name.length + 1)
      .trim();
  const words = lines.filter((line) => !/^(?:parameters|timeout):/.test(line)).join(" ");
  const given = field("parameters");
  const limit = field("timeout");
  const runs = succeeds(() => accessSync(at.path, constants.X_OK));
  const made = built("script", {
    description: words,
    command: shellQuote(at.path),
    parameters: given === undefined ? undefined : (parseJson(given) ?? given),
    timeout: limit === undefined ? undefined : Number(limit),
  });
  return { name: itemName(at), ...made, wrong: made.wrong ?? (runs ? undefined : "it may not be executed (chmod +x)") };
}

function declared(text: string, at: ConfigPath): Candidate<"tool"> {
  const front = at.path.endsWith(".md") ? frontOf(text) : undefined;
  const data = front ? ({ ok: true, value: front.fields } as const) : dataOf(text, "json");
  const name = itemName(at);
  if (!data.ok)
    return { name, data: { description: "", runs: "declared", own: true }, line: data.line, wrong: data.text };
  const body = front?.body.trim() ?? "";
  const description = [textIn(data.value.description), body].filter(Boolean).join("\n\n");
  return { name: textIn(data.value.name) ?? name, ...built("declared", { ...data.value, description }) };
}

type Fields = Readonly<Record<string, unknown>>;

function built(
  runs: ToolData["runs"],
  { description, command, parameters, timeout }: Fields,
): Pick<Candidate<"tool">, "data" | "wrong"> {
  const line = Array.isArray(command) ? command.map((word) => shellQuote(String(word))).join(" ") : textIn(command);
  const said =
    runs === "script" ? (shortIn(description) ?? "") : (textIn(description) ?? "").slice(0, mostWords).toWellFormed();
  const data: ToolData = {
    description: said,
    runs,
    own: true,
    ...(line !== undefined && { line }),
    ...(isRecord(parameters) && { parameters }),
    ...(typeof timeout === "number" && { timeout }),
  };
  return { data, wrong: problemIn(parameters, timeout) };
}

function problemIn(parameters: unknown, timeout: unknown): string | undefined {
  const fine = parameters === undefined || (isRecord(parameters) && (parameters.type ?? "object") === "object");
  if (!fine) return "its parameters are no JSON schema of an object";
  if (isRecord(parameters) && parameters.properties !== undefined && !isRecord(parameters.properties))
    return "the properties of its parameters are no object";
  const seconds = timeout === undefined || (typeof timeout === "number" && timeout > 0 && timeout <= 3600);
  return seconds ? undefined : "its timeout is no number of seconds from 1 to 3600";
}

const mostWords = 4000;
