export type Attributes = Readonly<Record<string, string>>;

/** What to do at which element. Names come without their prefix; so do attributes. */
export interface XmlWalk {
  open?: Readonly<Record<string, (attributes: Attributes) => void>>;
  close?: Readonly<Record<string, () => void>>;
  text?(text: string): void;
}

const token = /<!\[CDATA\[(.*?)\]\]>|<!--.*?-->|<[?!][^>]*>|<\/([^\s>]+)\s*>|<([^\s/>]+)((?:"[^"]*"|'[^']*'|[^"'>])*?)(\/?)>|[^<]+/gs;

/** Walks through XML in the order it is written. It does not judge: what is no XML is passed over. No entity is ever fetched. */
export function walkXml(xml: string, { open = {}, close = {}, text }: XmlWalk): void {
  for (const [all, data, closed, opened, attributes, empty] of xml.matchAll(token)) {
    if (opened !== undefined) {
      const name = local(opened);
      if (Object.hasOwn(open, name)) open[name]?.(attributesOf(attributes ?? ""));
      if (empty && Object.hasOwn(close, name)) close[name]?.();
    } else if (closed !== undefined) {
      const name = local(closed);
      if (Object.hasOwn(close, name)) close[name]?.();
    } else if (data !== undefined) text?.(data);
    else if (!all.startsWith("<")) text?.(decode(all));
  }
}

const local = (name: string): string => name.slice(name.indexOf(":") + 1);

function attributesOf(text: string): Record<string, string> {
  const found: Record<string, string> = {};
  for (const [, name = "", double, single] of text.matchAll(/([^\s=]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g)) found[local(name)] = decode(double ?? single ?? "");
  return found;
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
