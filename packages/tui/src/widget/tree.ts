import type { View } from "../screen/frame.ts";
import { oneLine } from "../text/clean.ts";
import { fit } from "../text/width.ts";
import type { Theme } from "../theme/theme.ts";

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
  /** Which nodes are open at the start. */
  open?: (node: TreeNode<T>, depth: number) => boolean;
}

interface TreeRow<T> {
  readonly node: TreeNode<T>;
  readonly depth: number;
  readonly parent: number;
  readonly lead: string;
}

/** A tree whose branches open and close. */
export function createTree<T>(options: TreeOptions<T>): View & { readonly current: T | undefined } {
  const { theme, roots, height: most = 15, open = (_, depth) => depth < 1 } = options;
  let height = most;
  const opened = new Set<TreeNode<T>>();
  const prepare = (nodes: readonly TreeNode<T>[], depth: number): void => {
    for (const node of nodes) {
      if (open(node, depth)) opened.add(node);
      prepare(node.children ?? [], depth + 1);
    }
  };
  prepare(roots, 0);
  let rows = flatten(roots, opened, theme);
  let at = 0;
  let first = 0;

  function toggle(how: "open" | "close" | "flip") {
    const row = rows[at];
    if (!row) return;
    const isOpen = opened.has(row.node);
    const branch = (row.node.children?.length ?? 0) > 0;
    if (branch && (how === "flip" || isOpen !== (how === "open"))) {
      if (isOpen) opened.delete(row.node);
      else opened.add(row.node);
      rows = flatten(roots, opened, theme);
    } else if (how === "close" && row.parent >= 0) at = row.parent;
    else if (how === "open" && branch) move(at + 1);
  }
  const move = (to: number) => {
    at = Math.max(0, Math.min(rows.length - 1, to));
  };
  const keys: Record<string, () => void> = {
    up: () => move(at - 1),
    down: () => move(at + 1),
    pageup: () => move(at - height),
    pagedown: () => move(at + height),
    home: () => move(0),
    end: () => move(rows.length - 1),
    left: () => toggle("close"),
    right: () => toggle("open"),
    space: () => toggle("flip"),
    escape: () => options.cancel?.(),
    enter: () => {
      const row = rows[at];
      if (row) options.choose(row.node.value);
    },
  };

  return {
    get current() {
      return rows[at]?.node.value;
    },
    input(event) {
      const act = event.type === "key" ? keys[event.combo] : undefined;
      act?.();
      return act ? "used" : "passed";
    },
    render(columns, room) {
      height = Math.max(1, Math.min(most, room - 1));
      if (rows.length === 0) return [theme.paint("dim", "empty")];
      first = Math.max(0, Math.min(Math.max(Math.min(first, at), at - height + 1), rows.length - height));
      const out = rows.slice(first, first + height).map(({ node, lead }, index) => {
        const current = first + index === at;
        const sign = node.children?.length ? (opened.has(node) ? theme.glyph.open : theme.glyph.closed) : " ";
        const text = fit(
          `${current ? theme.glyph.pointer : " "} ${current ? lead : theme.paint("border", lead)}${sign} ${oneLine(node.label)}`,
          columns,
        );
        return current ? theme.paint("accent", text) : text;
      });
      return rows.length > height ? [...out, theme.paint("dim", fit(`  ${at + 1}/${rows.length}`, columns))] : out;
    },
  };
}

function flatten<T>(roots: readonly TreeNode<T>[], opened: ReadonlySet<TreeNode<T>>, theme: Theme): TreeRow<T>[] {
  const { v, left, bl, h } = theme.glyph.box;
  const out: TreeRow<T>[] = [];
  const walk = (nodes: readonly TreeNode<T>[], depth: number, parent: number, before: string): void => {
    for (const node of nodes) {
      const last = node === nodes.at(-1);
      out.push({ node, depth, parent, lead: depth === 0 ? "" : `${before}${last ? bl : left}${h} ` });
      const below = depth === 0 ? "" : before + (last ? "   " : `${v}  `);
      if (opened.has(node)) walk(node.children ?? [], depth + 1, out.length - 1, below);
    }
  };
  walk(roots, 0, -1, "");
  return out;
}
