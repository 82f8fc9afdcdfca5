import type { TerminalFrontend } from "@pith/coder";
import { detectCapabilities, type Theme } from "@pith/tui/theme";
import type { Io } from "../../../io/io.ts";
import { linesOf } from "../../../io/line.ts";
import { scrollTheme } from "../../../view/theme.ts";
import { lent } from "../../program.ts";
import { Foot } from "../prompt.ts";
import { Keys } from "./keys.ts";
import { Mode } from "./mode.ts";
import type { ReaderOptions } from "./reader.ts";

/** The terminal a person sits at: where what is typed comes from, and where a program can be shown. */
export interface Desk {
  foot: Foot;
  theme: Theme;
  size(): { columns: number; rows: number };
  attend: TerminalFrontend;
  /** What it shows of pictures. */
  pictures: "sixel" | "none";
  /** Takes the keys of the terminal; the process may end in whatever way. */
  take(): void;
  /** Reads them until it is disposed of. */
  sit(needs: Pick<ReaderOptions, "recall" | "interrupt">): Promise<Disposable & { lines: AsyncIterator<string> }>;
}

export function openDesk(io: Pick<Io, "input" | "out" | "env">): Desk {
  const keys = new Keys(io.input);
  const theme = scrollTheme(io.env, process.platform);
  const { id, images } = detectCapabilities(io.env, process.platform);
  const dumb = id === "dumb";
  const size = () => ({
    columns: Math.max(20, process.stdout.columns || Number(io.env.COLUMNS) || 80),
    rows: process.stdout.rows || 24,
  });
  const foot = new Foot(io.out, { theme, size, can: dumb ? "backspace" : "erase" });
  const mode = new Mode(io.out, dumb ? "typed" : "marked");
  const attend = lent({
    write: (bytes) => io.out.write(bytes),
    size,
    lend() {
      const [screen, typing] = [foot.lend(), mode.lend()];
      return {
        [Symbol.dispose]() {
          typing[Symbol.dispose]();
          screen[Symbol.dispose]();
        },
      };
    },
    take: (to) => keys.take(to),
    onResize,
  });
  return {
    foot,
    theme,
    size,
    attend,
    pictures: images === "sixel" && !dumb ? "sixel" : "none",
    take: () => mode.take(),
    async sit(needs) {
      // The prompt is there already: what reads keys comes while somebody reads it.
      const [{ Reader }, { suspendable }] = await Promise.all([import("./reader.ts"), import("@pith/tui/keys")]);
      let away: Disposable | undefined;
      const leave = () => {
        away ??= foot.lend();
        mode.leave();
      };
      const stop = suspendable(process, leave, () => {
        mode.take();
        away?.[Symbol.dispose]();
        away = undefined;
      });
      const suspend = () => {
        leave();
        // What is still on its way would come while a shell has the terminal.
        void io.out.flush().then(stop);
      };
      // What still runs then can be interrupted as everywhere.
      const ended = () => mode.leave();
      const reader = new Reader({ keys, foot, pastes: dumb ? "guessed" : "marked", suspend, ended, ...needs });
      const resized = onResize(() => foot.resized());
      return {
        lines: reader.lines()[Symbol.asyncIterator](),
        [Symbol.dispose]() {
          resized[Symbol.dispose]();
          // Whoever has the terminal next begins on a row of its own.
          foot.lend();
          mode.leave();
        },
      };
    },
  };
}

/** Where no terminal is: lines are read as they come, and somebody else shows them. */
export function nobodysDesk(io: Pick<Io, "input" | "out" | "env">): Omit<Desk, "attend"> {
  const theme = scrollTheme(io.env, process.platform);
  const size = () => ({ columns: Math.max(20, Number(io.env.COLUMNS) || 80), rows: 24 });
  const foot = new Foot(io.out, { theme, size, can: "nothing" });
  const lines = async function* () {
    for await (const line of linesOf(io.input)) {
      foot.entered();
      yield line;
    }
  };
  return {
    foot,
    theme,
    size,
    pictures: "none",
    take() {},
    sit: async () => ({ lines: lines(), [Symbol.dispose]() {} }),
  };
}

function onResize(listener: () => void): Disposable {
  process.stdout.on("resize", listener);
  return { [Symbol.dispose]: () => void process.stdout.off("resize", listener) };
}
