import type { View } from "../screen/frame.ts";
import { oneLine } from "../text/clean.ts";
import { fit } from "../text/width.ts";
import type { Theme } from "../theme/theme.ts";
import { pressKey, RowCursor } from "./row-cursor.ts";

export interface TreeNode<T> {
  readonly value: T;
  readonly label: string;
  readonly children?: readonly TreeNode<T>[];
}

export interface TreeOptions<T> {
  theme: Theme;
  roots: readonly TreeNode<T>[];
  choose(value: T): void;
  cancel?: () => void;
  height?: number;
  /** True for nodes that are open at the start; the first level unless given. */
  open?: (node: TreeNode<T>, depth: number) => boolean;
}

interface TreeRow<T> {
  readonly node: TreeNode<T>;
  readonly parent: number;
  readonly lead: string;
}

/** A tree whose branches open and close. */
export function createTree<T>(options: TreeOptions<T>): View & { readonly current: T | undefined } {
  const { theme, roots, height = 15, open = (_, depth) => depth < 1 } = options;
  const opened = new Set<TreeNode<T>>();
  const prepare = (nodes: readonly TreeNode<T>[], depth: number): void => {
    for (const node of nodes) {
      if (open(node, depth)) opened.add(node);
      prepare(node.children ?? [], depth + 1);
    }
  };
  prepare(roots, 0);
  let rows = flatten(roots, opened, theme);
  const cursor = new RowCursor(height, () => rows.length);
  const move = (to: number) => cursor.move(to);
  function toggle(how: "open" | "close" | "flip") {
    const row = rows[cursor.at];
    if (!row) return;
    const isOpen = opened.has(row.node);
    const isBranch = (row.node.children?.length ?? 0) > 0;
    if (isBranch && (how === "flip" || isOpen !== (how === "open"))) {
      if (isOpen) opened.delete(row.node);
      else opened.add(row.node);
      rows = flatten(roots, opened, theme);
    } else if (how === "close" && row.parent >= 0) move(row.parent);
    else if (how === "open" && isBranch) move(cursor.at + 1);
  }
  const keys: Record<string, () => void> = {
    ...cursor.keys(move),
    up: () => move(cursor.at - 1),
    down: () => move(cursor.at + 1),
    left: () => toggle("close"),
    right: () => toggle("open"),
    space: () => toggle("flip"),
    escape: () => options.cancel?.(),
    enter: () => rows[cursor.at] && options.choose((rows[cursor.at] as TreeRow<T>).node.value),
  };
  return {
    get current() {
      return rows[cursor.at]?.node.value;
    },
    input: (event) => pressKey(keys, event),
    render(columns, room) {
      const visible = cursor.visible(rows, room - 1);
      if (rows.length === 0) return [theme.paint("dim", "empty")];
      const out = visible.map(({ node, lead }, index) => {
        const { pointer, open, closed } = theme.glyph;
        const isCurrent = cursor.first + index === cursor.at;
        const sign = node.children?.length ? (opened.has(node) ? open : closed) : " ";
        const head = isCurrent ? `${pointer} ${lead}` : `  ${theme.paint("border", lead)}`;
        const row = fit(`${head}${sign} ${oneLine(node.label)}`, columns);
        return isCurrent ? theme.paint("accent", row) : row;
      });
      return cursor.position ? [...out, theme.paint("dim", fit(`  ${cursor.position}`, columns))] : out;
    },
  };
}

function flatten<T>(roots: readonly TreeNode<T>[], opened: ReadonlySet<TreeNode<T>>, theme: Theme): TreeRow<T>[] {
  const { v, left, bl, h } = theme.glyph.box;
  const out: TreeRow<T>[] = [];
  const walk = (nodes: readonly TreeNode<T>[], depth: number, parent: number, before: string): void => {
    for (const node of nodes) {
      const last = node === nodes.at(-1);
      out.push({ node, parent, lead: depth === 0 ? "" : `${before}${last ? bl : left}${h} ` });
      const below = depth === 0 ? "" : before + (last ? "   " : `${v}  `);
      if (opened.has(node)) walk(node.children ?? [], depth + 1, out.length - 1, below);
    }
  };
  walk(roots, 0, -1, "");
  return out;
}
