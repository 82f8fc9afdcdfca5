import type { ToolCall } from "@pith/llm";
import { width } from "@pith/tui/theme";
import { type Canvas, linesOf, plainLine, rowOf } from "./canvas.ts";

// Arguments that say what a call is about, the most telling first.
const telling = ["command", "path", "pattern", "url", "query", "plan"];

/** A call in one row: a sign for its state, the tool, and its subject. */
export function callRow(
  { name, arguments: input, rawArguments }: ToolCall,
  canvas: Canvas,
  sign = canvas.theme.paint("accent", canvas.theme.glyph.bullet),
): string {
  const { theme, columns } = canvas;
  const key = telling.find((name) => typeof input[name] === "string");
  const plain = Object.keys(input).length === 0 ? "" : JSON.stringify(input);
  const delegated = name === "run_subagent" ? taskIn(input) : undefined;
  const rewrites = name === "ast_edit" ? rewritesIn(input) : undefined;
  const found = rewrites ?? (key === undefined ? (questionIn(input) ?? tasksIn(input) ?? plain) : String(input[key]));
  const told = delegated ?? found;
  const [line = "", ...more] = linesOf(rawArguments ?? told);
  const tool = delegated === undefined ? plainLine(name) : "Sub-agent:";
  const room = Math.max(10, columns - width(`${theme.glyph.bullet} ${tool} `));
  const about = rowOf(more.length > 0 ? `${line} ${theme.glyph.ellipsis}` : line, { ...canvas, columns: room });
  return `${sign} ${theme.paint("strong", tool)} ${about}`.trimEnd();
}

/** The first question of a call that asks a person. */
function questionIn({ questions }: ToolCall["arguments"]): string | undefined {
  const [first, ...more] = Array.isArray(questions) ? questions : [];
  const asked = (first as { question?: unknown } | undefined)?.question;
  return typeof asked === "string" ? [asked, ...more.map(() => "")].join("\n") : undefined;
}

/** The title of a task for a sub-agent, and its description. */
function taskIn({ title, task, description }: ToolCall["arguments"]): string | undefined {
  const words = [title, task].find((text) => typeof text === "string" && text.trim() !== "");
  if (words === undefined) return undefined;
  return [words, description].filter((text) => typeof text === "string" && text !== "").join(" — ");
}

/** The pattern of a rewrite of code, or the number of patterns. */
function rewritesIn({ ops }: ToolCall["arguments"]): string {
  if (!Array.isArray(ops) || ops.length === 0) return "?";
  if (ops.length > 1) return `${ops.length} rewrites`;
  const pattern: unknown = ops[0]?.pat;
  return typeof pattern === "string" ? pattern.replace(/\s+/g, " ").trim() : "?";
}

/** The changes of a call to the task list, in short. */
function tasksIn({ ops }: ToolCall["arguments"]): string | undefined {
  if (!Array.isArray(ops) || !ops.every((op) => typeof op?.op === "string")) return undefined;
  const said = ops.map(({ op, task, phase }) =>
    [op, task ?? phase].filter((word) => typeof word === "string").join(" "),
  );
  return said.join(", ");
}
