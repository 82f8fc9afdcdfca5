import { hasher, ok } from "@pith/kit";
import { decode, otherwise } from "./decode.ts";
import { SnapshotFolder, type SnapshotRow } from "./folder.ts";
import { joinedLines, type LineSet, linesBeyond, type Shift, shiftedLines } from "./seen.ts";

/** The largest file that is shown with a tag. */
export const maxTagged = 32 * 1024 * 1024;
/** Contents above this are not kept: the tag then only tells whether the file is still the same. */
const maxKeptBytes = 4 * 1024 * 1024;
/** Characters in memory; what is kept in a folder too can be read again. */
const maxMemory = { folder: 8 * 1024 * 1024, alone: 48 * 1024 * 1024 };

interface MintOptions {
  via?: { from: string; shifts: readonly Shift[] } | undefined;
  seen?: LineSet | undefined;
}

/**
 * Contents that were shown to the model, by path and tag. A tag is derived from path and content, so it means the same
 * in every process; the contents are kept in the session's artifact directory, so that an edit can be carried over to a
 * file that has moved on, also after a resume.
 */
export class Snapshots {
  readonly #folder: SnapshotFolder | undefined;
  /** Rows by path, oldest first. */
  readonly #rows = new Map<string, SnapshotRow[]>();
  /** Contents by hash, least recently used first. */
  readonly #texts = new Map<string, string>();
  #held = 0;
  #loaded = false;

  /** `dir` tells the session's artifact directory; without one, and for secrets, snapshots live as long as the process. */
  constructor(dir: (() => string) | undefined, isSecret: (text: string) => boolean = () => false) {
    this.#folder = dir === undefined ? undefined : new SnapshotFolder(dir, isSecret);
  }

  /**
   * The tag of this content at this absolute path. `via` tells of our own edit that led here from an older tag, `seen`
   * of lines that the model is shown.
   */
  mint(path: string, content: string | Uint8Array, { via, seen }: MintOptions = {}): string {
    const text = typeof content === "string" ? plain(content) : this.#textOf(path, content);
    const hash = contentHash(text);
    const rows = this.#of(path);
    const known = rows.find((row) => row.hash === hash);
    const tag = known?.tag ?? freeTag(path, hash, rows);
    const before = via && rows.find((row) => row.tag === via.from)?.seen;
    const shown = joinedLines(seen ?? [], before ? shiftedLines(before, via.shifts) : []);
    const row: SnapshotRow = {
      path,
      tag,
      hash,
      ...(via && via.from !== tag ? { from: via.from, shifts: via.shifts } : {}),
      // Nothing is known of one that was kept without its lines.
      ...((known ? known.seen : (seen ?? before)) && { seen: joinedLines(known?.seen ?? [], shown) }),
    };
    const isNews = row.from !== undefined || row.seen?.join() !== known?.seen?.join();
    // The newest row of a content stands last: "where are we now" is the end of the list.
    if (known) rows.splice(rows.indexOf(known), 1);
    rows.push(known && !isNews ? known : { ...known, ...row });
    const kept = text.length <= maxKeptBytes;
    if (!known || isNews) this.#folder?.add(row, kept && !known ? text : undefined);
    if (kept) this.#hold(hash, text);
    return tag;
  }

  /** The text of a file, read as it was shown: an edit may change which encoding the bytes look most like. */
  decode(path: string, bytes: Uint8Array): ReturnType<typeof decode> {
    const decoded = decode(bytes);
    const rows = this.#of(path);
    const other = decoded.ok && rows.length > 0 ? otherwise(bytes, decoded.value) : undefined;
    if (!decoded.ok || !other) return decoded;
    const [first, second] = [decoded.value, other].map(({ text }) => {
      const hash = contentHash(text);
      return rows.findLastIndex((row) => row.hash === hash);
    });
    return (second ?? -1) > (first ?? -1) ? ok(other) : decoded;
  }

  /** True for the content that the tag stands for; a tag of another content never passes. */
  matches(path: string, tag: string, text: string): boolean {
    const known = this.#of(path).find((row) => row.tag === tag);
    const hash = contentHash(text);
    return known ? known.hash === hash : tagAt(path, hash, 0) === tag;
  }

  /** Notes lines that the model is shown of the content of a tag. */
  show(path: string, tag: string, lines: LineSet): void {
    const rows = this.#of(path);
    const at = rows.findIndex((row) => row.tag === tag);
    const row = rows[at];
    const seen = row?.seen && joinedLines(row.seen, lines);
    if (!seen || seen.join() === row.seen?.join()) return;
    rows[at] = { ...row, seen };
    this.#folder?.add(rows[at], undefined);
  }

  /** The lines of a range that the model was never shown; none where that is not known. */
  unseen(path: string, tag: string, from: number, to: number): [number, number][] {
    const seen = this.#of(path).find((row) => row.tag === tag)?.seen;
    return seen ? linesBeyond(seen, from, to) : [];
  }

  /** The tag that was given out last for this path. */
  last(path: string): string | undefined {
    return this.#of(path).at(-1)?.tag;
  }

  /** The content that the tag was given out for, `gone` when it was not kept, undefined when it was never given out. */
  find(path: string, tag: string): { text: string } | "gone" | undefined {
    const row = this.#of(path).find((row) => row.tag === tag);
    if (!row) return undefined;
    const text = this.#texts.get(row.hash) ?? this.#folder?.read(row.hash);
    if (text === undefined || contentHash(text) !== row.hash) return "gone";
    this.#hold(row.hash, text);
    return { text };
  }

  /** The texts that are at hand: those of a path first, then all others, newest first. */
  *texts(path: string | undefined): Generator<string> {
    const own = path === undefined ? [] : this.#of(path).toReversed();
    for (const row of own) {
      const kept = this.find(row.path, row.tag);
      if (typeof kept === "object") yield kept.text;
    }
    const seen = new Set(own.map(({ hash }) => hash));
    for (const [hash, text] of [...this.#texts].reverse()) if (!seen.has(hash)) yield text;
  }

  /** Our own edits from an older tag to this content, in order, else the latest ones, and the tag they end at. */
  chain(path: string, tag: string, text: string): { shifts: (readonly Shift[])[]; end: string } {
    const rows = this.#of(path);
    const goal = contentHash(text);
    const seen = new Set([tag]);
    // A content may come again (an edit taken back and made otherwise), so there may be several ways on.
    const search = (from: string): SnapshotRow[] | undefined => {
      if (rows.some((row) => row.tag === from && row.hash === goal)) return [];
      for (const next of rows.filter((row) => row.from === from && !seen.has(row.tag)).toReversed()) {
        seen.add(next.tag);
        const rest = search(next.tag);
        if (rest) return [next, ...rest];
      }
      return undefined;
    };
    const way = search(tag) ?? latest(rows, tag);
    return { shifts: way.map((row) => row.shifts ?? []), end: way.at(-1)?.tag ?? tag };
  }

  /** Resolves when everything is on the disk. */
  async flush(): Promise<void> {
    await this.#folder?.flush();
  }

  #textOf(path: string, bytes: Uint8Array): string {
    const decoded = this.decode(path, bytes);
    return decoded.ok ? decoded.value.text : Buffer.from(bytes).toString("latin1");
  }

  #of(path: string): SnapshotRow[] {
    if (!this.#loaded) {
      this.#loaded = true;
      for (const row of this.#folder?.rows() ?? []) {
        const rows = this.#rows.get(row.path) ?? [];
        this.#rows.set(row.path, [...rows.filter((older) => older.hash !== row.hash), row]);
      }
    }
    const rows = this.#rows.get(path) ?? [];
    this.#rows.set(path, rows);
    return rows;
  }

  #hold(hash: string, text: string): void {
    if (this.#texts.delete(hash)) this.#held -= text.length;
    this.#texts.set(hash, text);
    this.#held += text.length;
    const most = this.#folder ? maxMemory.folder : maxMemory.alone;
    for (const [oldest, old] of this.#texts) {
      if (this.#held <= most || oldest === hash) return;
      this.#texts.delete(oldest);
      this.#held -= old.length;
    }
  }
}

function latest(rows: readonly SnapshotRow[], tag: string): SnapshotRow[] {
  const way: SnapshotRow[] = [];
  for (let end = tag; ; ) {
    const next = rows.findLast((row) => row.from === end && row.tag !== tag && !way.includes(row));
    if (!next) return way;
    way.push(next);
    end = next.tag;
  }
}

const plain = (text: string): string => (text.startsWith("\ufeff") ? text.slice(1) : text);

const contentHash = (text: string): string => hasher("sha256").update(text).digest("hex");

/** The n-th tag that path and content give: later ones stand in when an earlier one is taken by another content. */
const tagAt = (path: string, hash: string, n: number): string =>
  hasher("sha256").update(`${n}\0${path}\0${hash}`).digest("hex").slice(0, 4).toUpperCase();

function freeTag(path: string, hash: string, rows: readonly SnapshotRow[]): string {
  for (let n = 0; ; n++) {
    const tag = tagAt(path, hash, n);
    if (!rows.some((row) => row.tag === tag)) return tag;
  }
}
