import type { InputEvent } from "../input/event.ts";
import type { View } from "./frame.ts";
import type { Size } from "./grid.ts";
import type { Overlay, OverlayHandle, OverlayOptions } from "./overlay.ts";

/** May use an event up or change it before any view sees it. */
export type InputListener = (event: InputEvent) => InputEvent | "used";

/** Overlays and the view that gets the keys: the topmost visible overlay, else the view set last. */
export class Focus {
  readonly overlays: Overlay[] = [];
  readonly #size: () => Size;
  readonly #listeners = new Set<InputListener>();
  #current: View | undefined;
  /** The view that gets the focus when no overlay is left. */
  #base: View | undefined;

  constructor(size: () => Size) {
    this.#size = size;
  }

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

  /** Opens an overlay; `changed` is called whenever it appears or disappears. */
  open(view: View, options: OverlayOptions, changed: () => void): OverlayHandle {
    const overlay: Overlay = { view, options, hidden: false };
    const hide = (hidden: boolean) => () => {
      overlay.hidden = hidden;
      changed();
    };
    this.overlays.push(overlay);
    if (this.visible().includes(overlay)) this.#give(view);
    changed();
    return {
      hide: hide(true),
      show: hide(false),
      close: () => {
        const at = this.overlays.indexOf(overlay);
        if (at !== -1) this.overlays.splice(at, 1);
        if (this.#current === view) this.#giveTop();
        changed();
      },
    };
  }

  visible(): readonly Overlay[] {
    const { columns, height } = this.#size();
    return this.overlays.filter(({ hidden, options }) => !hidden && (options.visible?.(columns, height) ?? true));
  }

  /** Moves the focus away from an overlay that cannot be seen. */
  settle(): void {
    if (this.#isOverlay(this.#current) && !this.visible().some(({ view }) => view === this.#current)) this.#giveTop();
  }

  dispatch(event: InputEvent): "used" | "passed" {
    let input = event;
    for (const listener of [...this.#listeners]) {
      const answer = listener(input);
      if (answer === "used") return "used";
      input = answer;
    }
    this.settle();
    if (input.type === "key" && input.phase === "release") return "passed";
    return this.#current?.input?.(input) ?? "passed";
  }

  #isOverlay(view: View | undefined): boolean {
    return this.overlays.some((overlay) => overlay.view === view);
  }

  #giveTop(): void {
    this.#give(this.visible().at(-1)?.view ?? this.#base);
  }

  #give(view: View | undefined): void {
    if (this.#current === view) return;
    if (this.#current) this.#current.focused = false;
    this.#current = view;
    if (view) view.focused = true;
  }
}
