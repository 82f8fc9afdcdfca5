import { shorten } from "@pith/kit";
/** A profile in the format of V8. */
export interface Profile {
  nodes: readonly { id: number; callFrame: Frame; children?: readonly number[] }[];
  samples?: readonly number[];
  /** Microseconds before each sample. */
  timeDeltas?: readonly number[];
}

interface Frame {
  functionName: string;
  url: string;
  lineNumber: number;
}

interface Block {
  name: string;
  place: string;
  ms: number;
  below: Block[];
}

const wide = 1200;
const high = 17;
/** Pixels of the narrowest block. */
const least = 0.5;
const deepest = 100;

/** Draws a profile: each function above those that it calls, as wide as its time. */
export function flameSvg(profile: Profile, title: string): string {
  const root = blocksOf(profile);
  const rows: string[] = [];
  let depth = 0;
  const draw = (block: Block, x: number, y: number) => {
    const width = root.ms > 0 ? (block.ms / root.ms) * wide : 0;
    if (width < least || y > deepest) return;
    depth = Math.max(depth, y);
    rows.push(rectOf(block, { x, y, width, share: block.ms / root.ms }));
    let at = x;
    for (const child of block.below.toSorted((a, b) => b.ms - a.ms)) {
      draw(child, at, y + 1);
      at += root.ms > 0 ? (child.ms / root.ms) * wide : 0;
    }
  };
  draw(root, 0, 0);
  const height = (depth + 3) * high;
  const none = rows.length === 0 ? `<text x="6" y="${2 * high}">nothing was done</text>` : "";
  const size = `width="${wide}" height="${height}" viewBox="0 0 ${wide} ${height}"`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" ${size} font-family="monospace" font-size="11">`,
    '<rect width="100%" height="100%" fill="#fffdf8"/>',
    `<text x="6" y="13">${escaped(title)}</text>`,
    none,
    ...rows,
    "</svg>",
    "",
  ].join("\n");
}

function rectOf({ name, place, ms }: Block, at: { x: number; y: number; width: number; share: number }): string {
  const top = (at.y + 1.5) * high;
  const fits = Math.floor((at.width - 6) / 6.7);
  const label = fits < 3 ? "" : shorten(name, fits);
  const tip = `${name} ${place} ${ms.toFixed(1)} ms, ${(at.share * 100).toFixed(1)} %`;
  const box = `x="${at.x.toFixed(1)}" y="${top}" width="${at.width.toFixed(1)}" height="${high - 1}"`;
  const text = label === "" ? "" : `<text x="${(at.x + 3).toFixed(1)}" y="${top + 12}">${escaped(label)}</text>`;
  return `<g><title>${escaped(tip)}</title><rect ${box} rx="2" fill="${colourOf(name)}"/>${text}</g>`;
}

/** The blocks of a profile with their time; frames without any are left out. */
function blocksOf({ nodes, samples = [], timeDeltas = [] }: Profile): Block {
  const own = new Map<number, number>();
  for (const [i, id] of samples.entries()) own.set(id, (own.get(id) ?? 0) + Math.max(0, timeDeltas[i] ?? 0) / 1000);
  const known = new Map(nodes.map((node) => [node.id, node]));
  const below = new Set(nodes.flatMap(({ children = [] }) => children));
  const made = (id: number, seen: ReadonlySet<number>): Block[] => {
    const node = known.get(id);
    if (!node || seen.has(id)) return [];
    const children = (node.children ?? []).flatMap((child) => made(child, new Set([...seen, id])));
    const ms = (own.get(id) ?? 0) + children.reduce((sum, child) => sum + child.ms, 0);
    const { functionName, url, lineNumber } = node.callFrame;
    const place = url === "" ? "" : `${url.replace(/^.*\//, "")}:${lineNumber + 1}`;
    return ms > 0 && functionName !== "(idle)"
      ? [{ name: functionName || "(anonymous)", place, ms, below: children }]
      : [];
  };
  const tops = nodes.filter(({ id }) => !below.has(id)).flatMap(({ id }) => made(id, new Set()));
  const ms = tops.reduce((sum, top) => sum + top.ms, 0);
  return { name: "all", place: "", ms, below: tops };
}

/** A warm colour, the same for the same name. */
function colourOf(name: string): string {
  let sum = 0;
  for (let i = 0; i < name.length; i++) sum = (sum * 31 + name.charCodeAt(i)) >>> 0;
  return `hsl(${sum % 50} ${60 + (sum % 30)}% ${68 + (sum % 12)}%)`;
}

const escaped = (text: string): string =>
  text
    // XML cannot hold these characters at all.
    .replace(/[^\t\n\x20-\ud7ff\ue000-\ufffd]/g, "?")
    .replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
