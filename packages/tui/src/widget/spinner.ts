import type { Pane } from "../screen/frame.ts";
import type { Timers } from "../screen/scheduler.ts";
import { oneLine } from "../text/clean.ts";
import { fit } from "../text/width.ts";
import type { Theme } from "../theme/theme.ts";

/**
 * Says that something is going on. Turns every 80 ms; stands still where motion is unwanted, and costs nothing while
 * stopped.
 */
export interface Spinner extends Pane {
  start(label: string): void;
  stop(): void;
  readonly running: boolean;
  label: string;
}

const spinnerStep = 80;

export function createSpinner(theme: Theme, timers: Timers, redraw: (pane: Pane) => void): Spinner {
  let since: number | undefined;
  let drawn = Number.NEGATIVE_INFINITY;
  let cancel: (() => void) | undefined;
  function tick() {
    const step = theme.motion === "full" ? spinnerStep : 1000;
    cancel = timers.after(step, () => {
      // Where something else is painted as often, it turns with that, and needs no frame of its own.
      if (timers.now() - drawn >= step) redraw(spinner);
      tick();
    });
  }
  const spinner: Spinner = {
    label: "",
    get running() {
      return since !== undefined;
    },
    start(label) {
      spinner.label = label;
      since ??= timers.now();
      if (!cancel) tick();
    },
    stop() {
      cancel?.();
      cancel = undefined;
      since = undefined;
    },
    bounds: () => ({ live: 0 }),
    render(columns) {
      if (since === undefined) return [];
      drawn = timers.now();
      const passed = drawn - since;
      const { spinner: steps, bullet } = theme.glyph;
      const sign = theme.motion === "full" ? (steps[Math.floor(passed / spinnerStep) % steps.length] ?? "") : bullet;
      const seconds = Math.floor(passed / 1000);
      const clock = seconds > 0 ? theme.paint("dim", ` ${seconds}s`) : "";
      return [fit(`${theme.paint("accent", sign)} ${oneLine(spinner.label)}${clock}`, columns)];
    },
  };
  return spinner;
}
