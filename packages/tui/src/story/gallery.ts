import { cursorMark } from "../screen/frame.ts";
import { guardRow } from "../text/clean.ts";
import { createHighlighter } from "../text/highlight.ts";
import { fit } from "../text/width.ts";
import type { Story, StoryContext } from "./story.ts";
import { textStories } from "./text.ts";
import { widgetStories } from "./widget.ts";

export const stories: readonly Story[] = [...textStories, ...widgetStories];

export interface GalleryOptions extends Omit<StoryContext, "highlighter"> {
  write(bytes: string): void;
  /** The one story to draw, instead of all. */
  story?: string;
  /** Stories of the application that draws with these widgets. */
  more?: readonly Story[];
}

/** Draws the stories below each other, the same on every day and machine; names them all if the wanted one is unknown. */
export async function runGallery({ write, story, more = [], ...look }: GalleryOptions): Promise<"shown" | "unknown"> {
  const all = [...stories, ...more];
  const chosen = story === undefined ? all : all.filter(({ name }) => name === story);
  if (chosen.length === 0) {
    write(`No story "${story}". There are: ${all.map(({ name }) => name).join(", ")}\n`);
    return "unknown";
  }
  const highlighter = createHighlighter(look.theme, () => {});
  await highlighter.load("typescript");
  for (const each of chosen) write(`${storyRows(each, { ...look, highlighter }).join("\n")}\n\n`);
  return "shown";
}

function storyRows({ name, about, rows }: Story, stage: StoryContext): string[] {
  const { theme, columns } = stage;
  const head = fit(`${theme.paint("title", name)} ${theme.paint("dim", `· ${about}`)}`, columns);
  const drawn = rows(stage).map((row) => fit(guardRow(row.replaceAll(cursorMark, "")), columns));
  return [head, ...drawn.map((row) => (row.includes("\x1b") ? `${row}\x1b[0m` : row))];
}
