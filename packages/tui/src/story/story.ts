import { createDecoder } from "../input/decoder.ts";
import type { InputEvent } from "../input/event.ts";
import type { View } from "../screen/frame.ts";
import type { Timers } from "../screen/scheduler.ts";
import type { Highlighter } from "../text/highlight.ts";
import type { ColourLevel, Theme } from "../theme/theme.ts";

/** What a story is drawn with. Nothing in it depends on the day or the machine. */
export interface StoryContext {
  readonly theme: Theme;
  /** Colours that stories with a theme of their own may use. */
  readonly level: ColourLevel;
  readonly columns: number;
  readonly height: number;
  readonly highlighter?: Highlighter;
}

export interface Story {
  readonly name: string;
  readonly about: string;
  rows(stage: StoryContext): readonly string[];
}

/** Time in which nothing ever becomes due. */
export const frozenTimers = (now = 0): Timers => ({ now: () => now, after: () => () => {} });

/** A view as it looks with the focus on it, after some keys. */
export function shownAfter(view: View, keys: string, { columns, height }: StoryContext): readonly string[] {
  view.focused = true;
  view.render(columns, height);
  const decoder = createDecoder();
  for (const event of [...decoder.feed(keys), ...decoder.flush()]) view.input?.(event as InputEvent);
  return view.render(columns, height);
}
