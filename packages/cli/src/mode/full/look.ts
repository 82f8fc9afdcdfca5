import type { Look } from "@pith/tui";

/** One look for as long as the face lives: what it paints with can be another one from a moment on. */
export function liveLook(first: Look): { look: Look; restyle(next: Look): void } {
  let current = first;
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
