import { type Data, type Kind, kindOf } from "@pith/agent";
import type { ToolResultMessage } from "@pith/llm";
import { diff } from "./diff.ts";
import type { Draw, View } from "./draw.ts";
import { jobs } from "./jobs.ts";
import { listing } from "./listing.ts";
import { matches } from "./matches.ts";
import { page } from "./page.ts";
import { prose } from "./prose.ts";
import { run } from "./run.ts";
import { table } from "./table.ts";
import { todo } from "./todo.ts";

const views: { [K in Kind]: View<Data[K]> } = { diff, jobs, listing, matches, page, prose, run, table, todo };

/** A recorded result as lines for a terminal, by its kind. */
export function resultLines(
  { content, details, isError }: Pick<ToolResultMessage, "content" | "details" | "isError">,
  draw: Draw,
): string[] {
  const text = content.map((part) => (part.type === "text" ? part.text : `[${part.mimeType} image]`)).join("\n");
  const shown = { text, failed: isError };
  const kind = kindOf(details);
  // A failed result other than a run's has its reason in the text, not in its data.
  if (isError && kind !== "run") return prose({}, shown, draw);
  try {
    const view = Object.hasOwn(views, kind) ? views[kind as Kind] : prose;
    return (view as View<unknown>)(details, shown, draw);
  } catch {
    // The record may be another program's: data that is not what its kind says is shown as text.
    return prose({}, shown, draw);
  }
}
