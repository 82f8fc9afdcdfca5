export type Attributes = Readonly<Record<string, string>>;

/** Called at each element of a name. Elements and attributes are named without their prefix. */
export interface XmlWalk {
  open?: Readonly<Record<string, (attributes: Attributes) => void>>;
  close?: Readonly<Record<string, () => void>>;
  /** Called with each text and the element that it stands in. */
  text?(text: string, element: string | undefined): void;
  /** Elements that are passed over with all they hold. */
  skip?: ReadonlySet<string>;
}

/**
 * Walks through XML in the order it is written, looking at each character once. Nothing is refused: text that is no XML
 * is passed over, and an element that is never closed ends the walk. No entity is ever fetched.
 */
export function walkXml(xml: string, { open = {}, close = {}, text, skip = new Set() }: XmlWalk): void {
  const opening: Record<string, (attributes: Attributes) => void> = Object.assign(Object.create(null), open);
  const closing: Record<string, () => void> = Object.assign(Object.create(null), close);
  const elements: string[] = [];
  let skipped = 0;
  for (const { is, name, inner } of pieces(xml)) {
    if (skip.has(name)) skipped += depth[is];
    else if (skipped > 0) continue;
    else if (is === "text") text?.(inner, elements.at(-1));
    else {
      if (is !== "close") opening[name]?.(attributesOf(inner));
      if (is !== "open") closing[name]?.();
      if (is === "open") elements.push(name);
      if (is === "close") elements.pop();
    }
  }
}

const depth = { open: 1, close: -1, empty: 0, text: 0 };

interface Piece {
  is: "text" | "open" | "close" | "empty";
  /** The name of an element, without its prefix. */
  name: string;
  /** The text, or all that stands between the brackets. */
  inner: string;
}

function* pieces(xml: string): Generator<Piece> {
  for (let at = 0; at < xml.length; ) {
    const start = xml.indexOf("<", at);
    const before = decode(xml.slice(at, start === -1 ? xml.length : start));
    if (before !== "") yield { is: "text", name: "", inner: before };
    const { end, kind } = start === -1 ? { end: -1, kind: "other" } : tokenAt(xml, start);
    if (end === -1) return;
    if (kind === "data") yield { is: "text", name: "", inner: xml.slice(start + 9, end - 3) };
    if (kind === "tag") yield element(xml.slice(start + 1, end - 1));
    at = end;
  }
}

function element(tag: string): Piece {
  const closing = tag.startsWith("/");
  const inner = closing ? tag.slice(1) : tag;
  const name = local(/^[^\s/]*/.exec(inner)?.[0] ?? "");
  return { is: closing ? "close" : inner.endsWith("/") ? "empty" : "open", name, inner };
}

/** The token that begins here, and where it ends; -1 when it does not. */
function tokenAt(xml: string, start: number): { end: number; kind: "data" | "tag" | "other" } {
  const until = (mark: string, from: number) => {
    const at = xml.indexOf(mark, from);
    return at === -1 ? -1 : at + mark.length;
  };
  if (xml.startsWith("<!--", start)) return { end: until("-->", start + 4), kind: "other" };
  if (xml.startsWith("<![CDATA[", start)) return { end: until("]]>", start + 9), kind: "data" };
  if (/[?!]/.test(xml.charAt(start + 1))) return { end: until(">", start), kind: "other" };
  const sign = /["'>]/g;
  for (sign.lastIndex = start; ; ) {
    const match = sign.exec(xml);
    if (!match) return { end: -1, kind: "tag" };
    if (match[0] === ">") return { end: sign.lastIndex, kind: "tag" };
    sign.lastIndex = until(match[0], sign.lastIndex);
    if (sign.lastIndex <= 0) return { end: -1, kind: "tag" };
  }
}

const local = (name: string): string => name.slice(name.indexOf(":") + 1);

function attributesOf(tag: string): Record<string, string> {
  const attributes: Record<string, string> = {};
  for (let at = tag.search(/\s/); at !== -1; ) {
    const equals = tag.indexOf("=", at);
    const quote = equals === -1 ? -1 : firstOf(tag, equals + 1);
    const end = quote === -1 ? -1 : tag.indexOf(tag.charAt(quote), quote + 1);
    if (end === -1) break;
    attributes[local(tag.slice(at, equals).trim())] = decode(tag.slice(quote + 1, end));
    at = end + 1;
  }
  return attributes;
}

/** The quote that opens a value. */
function firstOf(tag: string, from: number): number {
  const [double, single] = [tag.indexOf('"', from), tag.indexOf("'", from)];
  return double === -1 || (single !== -1 && single < double) ? single : double;
}

const named: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

function decode(text: string): string {
  if (!text.includes("&")) return text;
  return text.replace(/&(?:#(\d+)|#x([\da-f]+)|(\w+));/gi, (all, decimal?: string, hex?: string, name?: string) => {
    if (name !== undefined) return Object.hasOwn(named, name) ? (named[name] ?? all) : all;
    const code = decimal === undefined ? Number.parseInt(hex ?? "", 16) : Number(decimal);
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : "\ufffd";
  });
}
