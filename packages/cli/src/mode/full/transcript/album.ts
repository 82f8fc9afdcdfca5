import { formatBytes } from "@pith/kit";
import type { Image } from "@pith/llm";
import {
  createPictures,
  fit,
  type InlinePicture,
  loadPicture,
  type Terminal,
  type TerminalCapabilities,
  type Theme,
} from "@pith/tui";
import { plainLine } from "../../../view/canvas.ts";

/** Pictures of prompts and results, as far as a terminal shows them. */
export interface Album {
  /** Draws each picture where the terminal can, and a row of words about it. */
  rows(images: readonly Image[], columns: number, theme: Theme): readonly string[];
  /** True when none of the pictures is still being read, so that their rows are final. */
  ready(images: readonly Image[]): boolean;
  /** Replaces the marks in a row of the screen by pictures. */
  readonly graphics: (row: string) => string;
}

/** Rows of a picture, pictures that are kept, and bytes of one; a window that is not higher shows words. */
const most = { rows: 12, kept: 20, bytes: 20_000_000 };

/** Draws words only: for screen readers, for pagers, and where a terminal shows no pictures. */
export const wordAlbum: Album = {
  rows: (images, columns, theme) => images.map((image) => told(image, columns, theme)),
  ready: () => true,
  graphics: (row) => row,
};

export function createAlbum(
  can: Pick<TerminalCapabilities, "images" | "placeholders" | "reader">,
  terminal: () => Pick<Terminal, "rows" | "write">,
  changed: () => void,
): Album {
  if (can.images === "off" || can.reader) return wordAlbum;
  const store = createPictures({
    protocol: can.images,
    placeholders: can.placeholders,
    budget: most.kept,
    write: (bytes) => terminal().write(bytes),
  });
  /** Pictures by their bytes, since a record that is read again has new objects; null for what is not shown. */
  const known = new Map<string, InlinePicture | Promise<void> | null>();

  function read(image: Image): InlinePicture | Promise<void> | null {
    const key = `${image.data.length}:${Bun.hash(image.data)}`;
    const found = known.get(key);
    if (found !== undefined) return found;
    const reading = load(image).then((picture) => {
      if (known.get(key) === reading) known.set(key, picture);
      changed();
    });
    known.set(key, image.data.length > most.bytes ? null : reading);
    const kept = [...known].filter(([, each]) => each !== null);
    for (const [old] of kept.slice(0, Math.max(0, kept.length - most.kept))) known.set(old, null);
    return known.get(key) ?? null;
  }
  return {
    rows(images, columns, theme) {
      if (terminal().rows <= most.rows + 4) return wordAlbum.rows(images, columns, theme);
      return images.flatMap((image) => {
        const picture = read(image);
        const seen = picture === null || picture instanceof Promise ? [] : store.rows(picture, columns, most.rows);
        return [...seen, told(image, columns, theme)];
      });
    },
    ready: (images) => !images.some((image) => read(image) instanceof Promise),
    graphics: store.graphics,
  };
}

const load = (image: Image): Promise<InlinePicture | null> =>
  loadPicture(Buffer.from(image.data, "base64"), "picture").catch(() => null);

function told({ data, mimeType }: Image, columns: number, theme: Theme): string {
  const kind = plainLine(mimeType.replace(/^image\//, "")).toUpperCase();
  return theme.paint("dim", fit(`[${kind} picture, ${formatBytes(Math.floor(data.length * 0.75))}]`, columns));
}
