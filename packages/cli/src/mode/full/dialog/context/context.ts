import { type ContextView, categoryTitles } from "@pith/coder";
import { formatCount } from "@pith/kit";
import { fit, oneLine, type Theme } from "@pith/tui";
import type { Dialog, ScreenContext } from "../../context.ts";

/** Shows how full the model's window is: one bar for all of it, then one for each category. */
export async function contextDialog(context: ScreenContext, _close: () => void): Promise<Dialog> {
  const { coder, theme } = context;
  if (!coder) throw new Error("There is no session yet.");
  let view = await coder.context();
  // A screen reader cannot read bars; it reads the figures.
  const shown = context.can.reader ? { ...theme, glyph: { ...theme.glyph, bar: "", track: "" } } : theme;
  let asking = false;
  async function again() {
    if (asking || !coder) return;
    asking = true;
    view = await coder.context();
    asking = false;
    context.screen.request();
  }
  return {
    title: "context",
    rows: categoryTitles.length + 5,
    hear({ type }) {
      if (type === "entry" || (type === "turn" && coder.scene.turn?.name === "idle")) void again();
    },
    render: (columns) => rowsOf(view, shown, columns),
    spoken: () => (rowsOf(view, { ...shown, paint: (_, text) => text }, 200)[0] ?? "").trim(),
  };
}

const titleWidth = Math.max(...categoryTitles.map(([, title]) => title.length)) + 2;

function rowsOf({ model, window, size, told, categories }: ContextView, theme: Theme, columns: number): string[] {
  const share = (tokens: number) => (window > 0 ? `${((100 * tokens) / window).toFixed(1)} %` : "");
  const facts = (title: string, tokens: number) =>
    `  ${title.padEnd(titleWidth)}${formatCount(tokens).padStart(10)}${share(tokens).padStart(8)}`;
  const room = Math.max(0, Math.min(40, columns - titleWidth - 24));
  const most = Math.max(1, ...categoryTitles.map(([name]) => categories[name]));
  const bar = (part: number, wide: number, rest: string) => {
    // A share above zero is never drawn as nothing.
    const full = part > 0 ? Math.max(1, Math.min(wide, Math.round(part * wide))) : 0;
    return theme.paint("accent", theme.glyph.bar.repeat(full)) + theme.paint("border", rest.repeat(wide - full));
  };
  const used = window > 0 ? size / window : 0;
  const of = window > 0 ? ` of ${formatCount(window)} tokens are used, ${share(size)}` : " tokens are used";
  const whole = Math.max(1, Math.min(columns - 2, titleWidth + 20 + room));
  return [
    // Only the name, which may be long, is cut.
    fit(`  ${formatCount(size)}${of}: ${theme.paint("strong", oneLine(model))}`, columns, theme.glyph.ellipsis),
    ...(window > 0 ? [fit(`  ${bar(used, whole, theme.glyph.track)}`, columns)] : []),
    "",
    ...categoryTitles.map(([name, title]) =>
      fit(
        `${facts(title, categories[name])}${room > 4 ? `  ${bar(categories[name] / most, room, " ")}` : ""}`,
        columns,
      ),
    ),
    ...(window > 0 ? [theme.paint("dim", fit(facts("free", Math.max(0, window - size)), columns))] : []),
    theme.paint(
      "dim",
      fit(
        told > 0
          ? `  ${formatCount(told)} as the model reported, the rest estimated`
          : "  estimated; the model has reported nothing yet",
        columns,
      ),
    ),
  ];
}
