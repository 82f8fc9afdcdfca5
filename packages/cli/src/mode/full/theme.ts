import type { Settings } from "@pith/coder";
import type { TerminalCapabilities, TerminalFact, Theme } from "@pith/tui";
import type { Io } from "../../io/io.ts";
import { type ActiveTheme, openActiveTheme } from "../../theme/active.ts";
import { ompThemes } from "../../theme/find.ts";
import { slotOfGround } from "../../theme/slot.ts";

interface Mirror {
  /** One object for as long as the face lives: what it paints with can be another one from a moment on. */
  theme: Theme;
  worn: ActiveTheme;
  become(next: Theme): void;
  /** What the terminal told of its ground. */
  learned(fact: TerminalFact): void;
  /** There is a place to say things: what was odd until now is handed over. */
  stands(tell: (text: string) => void): void;
}

/** The theme in use; it follows its file, the settings and the background of the terminal. */
export function openTheme(
  settings: Settings,
  can: TerminalCapabilities,
  { home, userHome, env }: Io,
  restyle: (theme: Theme) => void,
): Mirror {
  const odd: string[] = [];
  let tell = (text: string): void => void odd.push(text);
  const active = openActiveTheme({
    home,
    ompFolder: ompThemes(userHome),
    env,
    settings,
    can,
    restyle,
    tell: (text) => tell(text),
  });
  let current = active.theme;
  const theme: Theme = {
    paint: (token, text) => current.paint(token, text),
    get glyph() {
      return current.glyph;
    },
    get motion() {
      return current.motion;
    },
    get links() {
      return current.links;
    },
  };
  return {
    theme,
    worn: active,
    become(next) {
      current = next;
    },
    learned(fact) {
      if (fact.fact === "background") active.ground(slotOfGround(fact.rgb));
      else if (fact.fact === "appearance") active.ground(fact.scheme);
    },
    stands(say) {
      tell = say;
      for (const text of odd) say(text);
      active.follow();
    },
  };
}
