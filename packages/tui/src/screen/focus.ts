import type { InputEvent } from "../input/event.ts";
import type { View } from "./frame.ts";
import type { Overlay, OverlayHandle, OverlayOptions } from "./overlay.ts";

/** May use an event up or change it before any view sees it. */
export type InputListener = (event: InputEvent) => InputEvent | "used";

/** Overlays and the view that gets the keys: the topmost overlay, else the view set last. */
export class Focus {
  readonly overlays: Overlay[] = [];
  readonly #listeners = new Set<InputListener>();
  #current: View | undefined;
  /** The view that gets the focus when no overlay is left. */
  #base: View | undefined;

  get current(): View | undefined {
    return this.#current;
  }

  set(view: View | undefined): void {
    if (!this.#isOverlay(view)) this.#base = view;
    this.#give(view);
  }

  /** Asks a listener before any view, in the order they came. */
  listen(listener: InputListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Opens an overlay; `changed` is called when it appears and when it disappears. */
  open(view: View, options: OverlayOptions, changed: () => void): OverlayHandle {
    const overlay: Overlay = { view, options };
    this.overlays.push(overlay);
    this.#give(view);
    changed();
    return {
      close: () => {
        const at = this.overlays.indexOf(overlay);
        if (at !== -1) this.overlays.splice(at, 1);
        if (this.#current === view) this.#give(this.overlays.at(-1)?.view ?? this.#base);
        changed();
      },
    };
  }

  dispatch(event: InputEvent): "used" | "passed" {
    let input = event;
    for (const listener of [...this.#listeners]) {
      const answer = listener(input);
      if (answer === "used") return "used";
      input = answer;
    }
    if (input.type === "key" && input.phase === "release") return "passed";
    return this.#current?.input?.(input) ?? "passed";
  }

  #isOverlay(view: View | undefined): boolean {
    return this.overlays.some((overlay) => overlay.view === view);
  }

  #give(view: View | undefined): void {
    if (this.#current === view) return;
    if (this.#current) this.#current.focused = false;
    this.#current = view;
    if (view) view.focused = true;
  }
}
