import type { InputEvent } from "../input/event.ts";
import type { View } from "./frame.ts";
import { isVisible, type Overlay } from "./overlay.ts";

/** May use an event up or change it before any view sees it. */
export type InputListener = (event: InputEvent) => InputEvent | "used";

export interface Focus {
  set(view: View | undefined): void;
  readonly current: View | undefined;
  /** Listeners are asked first, in the order they came. */
  listen(listener: InputListener): () => void;
}

interface Internal extends Focus {
  open(overlay: Overlay): void;
  close(overlay: Overlay): void;
  visible(): readonly Overlay[];
  /** Moves the focus away from what cannot be seen. */
  settle(): void;
  dispatch(event: InputEvent): "used" | "passed";
}

export function createFocus(
  overlays: Overlay[],
  size: () => { columns: number; height: number },
  debug?: () => void,
): Internal {
  const listeners = new Set<InputListener>();
  let current: View | undefined;
  // Where the focus goes when no overlay is left.
  let ground: View | undefined;

  const shown = () => overlays.filter((overlay) => isVisible(overlay, size().columns, size().height));
  const isOverlay = (view: View | undefined) => overlays.some((overlay) => overlay.view === view);
  function give(view: View | undefined) {
    if (current === view) return;
    if (current) current.focused = false;
    current = view;
    if (view) view.focused = true;
  }
  function settle() {
    if (isOverlay(current) && !shown().some((overlay) => overlay.view === current))
      give(shown().at(-1)?.view ?? ground);
  }
  return {
    set(view) {
      if (!isOverlay(view)) ground = view;
      give(view);
    },
    get current() {
      return current;
    },
    listen(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    open(overlay) {
      overlays.push(overlay);
      if (shown().includes(overlay)) give(overlay.view);
    },
    close(overlay) {
      const at = overlays.indexOf(overlay);
      if (at !== -1) overlays.splice(at, 1);
      if (current === overlay.view) give(shown().at(-1)?.view ?? ground);
    },
    visible: shown,
    settle,
    dispatch(event) {
      let told = event;
      for (const listener of [...listeners]) {
        const answer = listener(told);
        if (answer === "used") return "used";
        told = answer;
      }
      if (debug && told.type === "key" && told.combo === "ctrl+shift+d" && told.phase === "press") {
        debug();
        return "used";
      }
      settle();
      if (told.type === "key" && told.phase === "release" && !current?.wantsRelease) return "passed";
      return current?.input?.(told) ?? "passed";
    },
  };
}
