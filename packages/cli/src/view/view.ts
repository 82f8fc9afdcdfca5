import { type Data, type Kind, kindOf, ownContent, type ResultKind } from "@pith/agent";
import { resultKinds } from "@pith/coder/kinds";
import type { ToolResultMessage } from "@pith/llm";
import { fit } from "@pith/tui/theme";
import { type BriefedText, type Canvas, plainLine, type View } from "./canvas.ts";
import { ask } from "./kind/ask.ts";
import { diff } from "./kind/diff.ts";
import { jobs } from "./kind/jobs.ts";
import { listing } from "./kind/listing.ts";
import { matches } from "./kind/matches.ts";
import { page } from "./kind/page.ts";
import { plan } from "./kind/plan.ts";
import { prose } from "./kind/prose.ts";
import { run } from "./kind/run.ts";
import { table } from "./kind/table.ts";
import { task } from "./kind/task.ts";
import { todo } from "./kind/todo.ts";
import { tools } from "./kind/tools.ts";

/** A kind that is not here is drawn as prose. */
export const views: { [K in Kind]?: View<Data[K]> } = {
  ask,
  diff,
  jobs,
  listing,
  matches,
  page,
  plan,
  prose,
  run,
  table,
  task,
  todo,
  tools,
};

type Result = Pick<ToolResultMessage, "content" | "details" | "isError">;

/** A recorded result as rows for a terminal, by its kind. */
export const resultRows = (result: Result, canvas: Canvas): string[] =>
  viewed(result, (view, data, shown) => view.rows(data, shown, canvas));

/** The same for a card: the words for its head, which names this path, and the rows below. */
export const cardParts = (result: Result, canvas: Canvas, path?: string): { told: string; rows: string[] } =>
  viewed(result, (view, data, shown) => {
    if (!view.rest) return { told: "", rows: view.rows(data, shown, canvas) };
    const rows = view.rest(data, shown, canvas, path);
    const { theme } = canvas;
    const painted = () => theme.paint(shown.failed ? "error" : "dim", plainLine(shown.brief));
    return { told: view.tinted?.(shown.brief, theme) ?? painted(), rows };
  });

/** A recorded result in a few words. */
export const resultBrief = (result: Result): string =>
  fit(plainLine(viewed(result, (_view, _data, shown) => shown.brief)), 80);

const text = prose as View<unknown>;

function viewed<T>(result: Result, use: (view: View<unknown>, data: unknown, shown: BriefedText) => T): T {
  const { details, isError } = result;
  const parts = ownContent(result).map((part) => (part.type === "text" ? part.text : `[${part.mimeType} image]`));
  const kind = kindOf(details);
  // A failed result other than a run's has its reason in the text, not in its data.
  const known = !isError || kind === "run";
  const view = known && Object.hasOwn(views, kind) ? (views[kind as Kind] as View<unknown>) : text;
  const own =
    known && Object.hasOwn(resultKinds, kind)
      ? (resultKinds as Readonly<Record<string, ResultKind<unknown>>>)[kind]
      : undefined;
  const showBy = (shownBy: View<unknown>, data: unknown, brief = shownBy.brief) => {
    const shown = { text: parts.join("\n"), failed: isError };
    return use(shownBy, data, {
      ...shown,
      get brief() {
        return (brief ?? text.brief)?.(data, shown) ?? "";
      },
    });
  };
  try {
    return showBy(view, details, view.brief ?? own?.brief);
  } catch {
    // The record may be another program's: data that is not what its kind says is shown as text.
    return showBy(text, {});
  }
}
