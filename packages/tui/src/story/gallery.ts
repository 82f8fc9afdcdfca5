import { cursorMark } from "../screen/frame.ts";
import { guardRow } from "../text/clean.ts";
import { createHighlighter } from "../text/highlight.ts";
import { fit } from "../text/width.ts";
import type { ColourLevel, Theme } from "../theme/theme.ts";
import type { Story, StoryContext } from "./story.ts";
import { textStories } from "./text.ts";
import { widgetStories } from "./widget.ts";

export const stories: readonly Story[] = [...textStories, ...widgetStories];

export interface GalleryOptions {
  write(bytes: string): void;
  theme: Theme;
  level: ColourLevel;
  columns: number;
  height: number;
  /** One story instead of all. */
  story?: string;
  /** Stories of whoever draws with these widgets. */
  more?: readonly Story[];
}

/**
 * Draws the stories below each other, the same on every day and machine. Says which names there are if one is not
 * found.
 */
export async function runGallery(options: GalleryOptions): Promise<"shown" | "unknown"> {
  const all = [...stories, ...(options.more ?? [])];
  const chosen = options.story === undefined ? all : all.filter((story) => story.name === options.story);
  if (chosen.length === 0) {
    options.write(`No story "${options.story}". There are: ${all.map((story) => story.name).join(", ")}\n`);
    return "unknown";
  }
  const highlighter = createHighlighter(options.theme, () => {});
  await highlighter.load("typescript");
  const stage: StoryContext = {
    theme: options.theme,
    level: options.level,
    columns: options.columns,
    height: options.height,
    highlighter,
  };
  for (const story of chosen) options.write(`${storyRows(story, stage).join("\n")}\n\n`);
  return "shown";
}

function storyRows(story: Story, stage: StoryContext): string[] {
  const head = fit(
    `${stage.theme.paint("title", story.name)} ${stage.theme.paint("dim", `· ${story.about}`)}`,
    stage.columns,
  );
  const rows = story.rows(stage).map((row) => fit(guardRow(row.replaceAll(cursorMark, "")), stage.columns));
  return [head, ...rows.map((row) => (row.includes("\x1b") ? `${row}\x1b[0m` : row))];
}
