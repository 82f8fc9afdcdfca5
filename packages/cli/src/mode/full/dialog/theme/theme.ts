import { existsSync } from "node:fs";
import { createList, fit, type ListItem, oneLine, type Theme } from "@pith/tui";
import { groundOf } from "../../../../theme/builtin.ts";
import { ompThemes, themeFile, themeNames } from "../../../../theme/find.ts";
import type { Dialog, ScreenContext } from "../../context.ts";
import { indented } from "../split.ts";

interface Named extends ListItem {
  name: string;
}

/** Lists themes; each is shown while it is chosen, and one that is not kept is undone. */
export function themeDialog(context: ScreenContext, close: () => void): Dialog {
  const { activeTheme: active, settings, theme, io } = context;
  let problem: string | undefined;
  let kept = false;
  const items = themeNames(io.home, ompThemes(io.userHome)).map((name): Named => {
    // A file of one's own wins over a built-in theme of its name.
    const own = existsSync(themeFile(io.home, name)) ? undefined : groundOf(name);
    return {
      name,
      label: name,
      detail: [name === active.name ? "active" : "", own ? `for ${own} backgrounds` : "your own"]
        .filter(Boolean)
        .join(", "),
    };
  });
  const preview = (item: Named | undefined) => {
    const shown = item && active.preview(item.name);
    problem = shown && !shown.ok ? shown.message : undefined;
  };
  const list = createList<Named>({
    theme,
    items: items.toSorted((a, b) => Number(b.name === active.name) - Number(a.name === active.name)),
    filter: true,
    height: 9,
    moved: preview,
    choose({ name }) {
      if (problem !== undefined) return;
      kept = true;
      settings.set(`theme.${active.slot}`, name);
      close();
      void settings.flush().then((saved) => {
        active.settle();
        if (!saved.ok) context.say("error", saved.message);
        else context.say("info", `On ${active.slot} grounds the theme is ${name} from now on.`);
      });
    },
    cancel: close,
  });
  return {
    title: `themes for ${active.slot} backgrounds`,
    hint: "up/down previews  Enter keeps it  Esc cancels",
    rows: 21,
    input: (event) => list.input?.(event) ?? "passed",
    render(columns, height) {
      list.focused = true;
      const sample =
        problem === undefined
          ? samples(theme, columns - 2)
          : [theme.paint("error", fit(oneLine(problem), columns - 2))];
      const rows = list.render(columns, Math.max(4, height - sample.length - 1));
      return [...rows, "", ...indented(columns, () => sample)];
    },
    closed() {
      if (!kept) active.settle();
    },
    spoken: () => list.current?.label ?? "none",
  };
}

/** Sample rows in the colours of a theme. */
function samples(theme: Theme, columns: number): string[] {
  const { paint, glyph } = theme;
  const rows = [
    paint("user", ` ${glyph.pointer} fix the failing test `),
    `${paint("ok", glyph.bullet)} ${paint("strong", "bash")} npm test  ${paint("ok", "ok")} ${paint("warn", "warning")} ${paint("error", "error")} ${paint("dim", "dim")}`,
    `  ${paint("removed", "- return a - b;")}   ${paint("added", "+ return a + b;")}`,
    `  ${paint("keyword", "const")} ${paint("function", "sum")} ${paint("operator", "=")} ${paint("number", "42")}; ${paint("string", '"text"')} ${paint("comment", "// a comment")}`,
    `${paint("heading", "A heading")}, ${paint("link", "a link")}, ${paint("code", "code")}, ${paint("thinking", "a thought")}`,
    paint("selected", " what is selected "),
  ];
  return rows.map((row) => fit(row, columns));
}
