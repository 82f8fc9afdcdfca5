import { type Pane, type PaneBounds, rowsOf, type ScreenFrame } from "./frame.ts";

/** Joins panes to a frame; a pane that did not change is not drawn again. */
export interface Composer {
  /** This pane has to be drawn again; without one, all of them. */
  changed(pane?: Pane): void;
  /** `lasting` leaves out what is live from its first row on: prompts and status lines do not outlive the program. */
  compose(columns: number, height: number, scope: "all" | "changed" | "lasting"): ScreenFrame;
}

export function createComposer(panes: readonly Pane[]): Composer {
  const drawn = new Map<Pane, readonly string[]>();
  function rowsAt(pane: Pane, columns: number, height: number): readonly string[] {
    const rows = drawn.get(pane) ?? rowsOf(() => pane.render(columns, height), columns);
    drawn.set(pane, rows);
    return rows;
  }
  return {
    changed(pane) {
      if (pane) drawn.delete(pane);
      else drawn.clear();
    },
    compose(columns, height, scope) {
      if (scope !== "changed") drawn.clear();
      const { waiting, ...frame } = join(scope === "lasting" ? panes.filter(lasts) : panes, (pane) =>
        rowsAt(pane, columns, height),
      );
      for (const pane of waiting) drawn.delete(pane);
      return { ...frame, more: waiting.length > 0 };
    },
  };
}

function join(panes: readonly Pane[], rowsAt: (pane: Pane) => readonly string[]) {
  const rows: string[] = [];
  const waiting: Pane[] = [];
  let base = 0;
  let boundary: number | undefined;
  for (const pane of panes) {
    const paneRows = rowsAt(pane);
    const start = base + rows.length;
    const seam = seamOf(pane);
    if (rows.length === 0) base += seam.base ?? 0;
    if (seam.live !== undefined) boundary ??= start + Math.max(seam.live, seam.safe ?? 0);
    if (seam.more) waiting.push(pane);
    for (const row of paneRows) rows.push(row);
  }
  const length = base + rows.length;
  return { base, rows, boundary: Math.min(boundary ?? length, length), waiting };
}

function lasts(pane: Pane): boolean {
  const seam = seamOf(pane);
  return seam.live !== 0 || seam.base !== undefined;
}

/** Of a pane that cannot say it, nothing is final. */
function seamOf(pane: Pane): PaneBounds {
  try {
    return pane.bounds?.() ?? {};
  } catch {
    return { live: 0 };
  }
}
