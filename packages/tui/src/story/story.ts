import { createDecoder } from "../input/decoder.ts";
import type { InputEvent } from "../input/event.ts";
import type { View } from "../screen/frame.ts";
import type { Timers } from "../screen/scheduler.ts";
import type { Highlighter } from "../text/highlight.ts";
import type { ColourLevel, Theme } from "../theme/theme.ts";

/** The surroundings that a story is drawn in. Nothing in them depends on the day or the machine. */
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

export const story = (name: string, about: string, rows: Story["rows"]): Story => ({ name, about, rows });

/** The story of a view that has the focus, after some keys. */
export const pressed = (name: string, about: string, keys: string, make: (stage: StoryContext) => View): Story =>
  story(name, about, (stage) => {
    const view = make(stage);
    view.focused = true;
    view.render(stage.columns, stage.height);
    const decoder = createDecoder();
    for (const event of [...decoder.feed(keys), ...decoder.flush()]) view.input?.(event as InputEvent);
    return view.render(stage.columns, stage.height);
  });

/** Timers by which nothing ever becomes due. */
export const frozenTimers: Timers = { now: () => 0, after: () => () => {} };
