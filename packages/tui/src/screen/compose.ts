import { tryOr } from "@pith/kit";
import { type Pane, type PaneBounds, rowsOf, type ScreenFrame } from "./frame.ts";

/** Joins panes to a frame; a pane that did not change is not drawn again. */
export class FrameComposer {
  readonly #panes: readonly Pane[];
  readonly #drawn = new Map<Pane, readonly string[]>();

  constructor(panes: readonly Pane[]) {
    this.#panes = panes;
  }

  /** Has this pane drawn again; without one, all panes. */
  changed(pane?: Pane): void {
    if (pane) this.#drawn.delete(pane);
    else this.#drawn.clear();
  }

  /** `lasting` leaves out panes that are live from their first row on, such as prompts: they do not outlive the program. */
  compose(columns: number, height: number, scope: "all" | "changed" | "lasting"): ScreenFrame {
    if (scope !== "changed") this.#drawn.clear();
    const rows: string[] = [];
    let base = 0;
    let boundary: number | undefined;
    let more = false;
    for (const pane of scope === "lasting" ? this.#panes.filter(lasts) : this.#panes) {
      const drawn = this.#drawn.get(pane) ?? rowsOf(() => pane.render(columns, height), columns);
      const start = base + rows.length;
      const bounds = boundsOf(pane);
      if (rows.length === 0) base += bounds.base ?? 0;
      if (bounds.live !== undefined) boundary ??= start + Math.max(bounds.live, bounds.safe ?? 0);
      if (bounds.more) {
        more = true;
        this.#drawn.delete(pane);
      } else this.#drawn.set(pane, drawn);
      for (const row of drawn) rows.push(row);
    }
    const length = base + rows.length;
    return { base, rows, boundary: Math.min(boundary ?? length, length), more };
  }
}

function lasts(pane: Pane): boolean {
  const bounds = boundsOf(pane);
  return bounds.live !== 0 || bounds.base !== undefined;
}

/** Bounds of a pane; none of its rows are final where it fails to tell. */
const boundsOf = (pane: Pane): PaneBounds => tryOr(() => pane.bounds?.() ?? {}, { live: 0 });
