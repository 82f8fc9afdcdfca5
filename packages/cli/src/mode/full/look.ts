import { type Capabilities, type Env, type Look, lookFor } from "@pith/tui";

/** One look for as long as the face lives: what it paints with can be another one from a moment on. */
export function liveLook(can: Capabilities, env: Env): { look: Look; restyle(next: Look): void } {
  // Some terminals tell their ground as the last of the numbers of their colours; 7 and 15 are the white ones.
  let current = lookFor(can, { palette: /;(?:7|15)$/.test(env.COLORFGBG ?? "") ? "light" : "dark" });
  const look: Look = {
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
    look,
    restyle(next) {
      current = next;
    },
  };
}
