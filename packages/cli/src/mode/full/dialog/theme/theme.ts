import { existsSync } from "node:fs";
import { createList, fit, type ListItem, oneLine, type Theme } from "@pith/tui";
import { groundOf } from "../../../../theme/builtin.ts";
import { relativesThemes, themeFile, themeNames } from "../../../../theme/find.ts";
import type { Dialog, Seat } from "../../context.ts";
import { indented } from "../indent.ts";

interface Named extends ListItem {
  name: string;
}

/** Themes, each shown as it is while it is looked at; what is not taken is taken off again. */
export function themeDialog(seat: Seat, close: () => void): Dialog {
  const { worn, settings, theme, io } = seat;
  let problem: string | undefined;
  let kept = false;
  const items = themeNames(io.home, relativesThemes(io.userHome)).map((name): Named => {
    // A file of one's own wins over a built-in theme of its name.
    const own = existsSync(themeFile(io.home, name)) ? undefined : groundOf(name);
    return {
      name,
      label: name,
      detail: [name === worn.name ? "worn" : "", own ? `for ${own} grounds` : "your own"].filter(Boolean).join(", "),
    };
  });
  const preview = (item: Named | undefined) => {
    const shown = item && worn.preview(item.name);
    problem = shown && !shown.ok ? shown.message : undefined;
  };
  const list = createList<Named>({
    theme,
    items: items.toSorted((a, b) => Number(b.name === worn.name) - Number(a.name === worn.name)),
    filter: true,
    height: 9,
    moved: preview,
    choose([item]) {
      if (!item || problem !== undefined) return;
      kept = true;
      settings.set(`theme.${worn.slot}`, item.name);
      close();
      void settings.flush().then((saved) => {
        worn.settle();
        if (!saved.ok) seat.say("error", saved.message);
        else seat.say("info", `On ${worn.slot} grounds the theme is ${item.name} from now on.`);
      });
    },
    cancel: close,
  });
  return {
    title: `themes for ${worn.slot} grounds`,
    hint: "up/down shows it  Enter keeps it  Esc leaves it as it was",
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
      if (!kept) worn.settle();
    },
    spoken: () => list.current?.label ?? "none",
  };
}

/** What a theme does to what is seen most. */
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
