import { Flow, type Style } from "../flow.ts";

const cp1252 = new TextDecoder("windows-1252");
const token = /\\([a-z]+)(-?\d+)? ?|\\'([\da-f]{2})|\\([^a-z'])|([{}])|[^\\{}\r\n]+/gi;

/** The text of an RTF file. Control words that it does not know are passed over. */
export function rtfText(rtf: string): string {
  const page = new Page();
  for (const [all, word, number, hex, sign, brace] of rtf.matchAll(token)) {
    if (brace === "{") page.open();
    else if (brace === "}") page.close();
    else if (word !== undefined) page.obey(word, number === undefined ? undefined : Number(number));
    else if (hex !== undefined) page.say(cp1252.decode(Buffer.from(hex, "hex")));
    else if (sign === "*") page.hide();
    else page.say(sign === undefined ? all : (signs[sign] ?? ""));
  }
  return page.end();
}

const signs: Readonly<Record<string, string>> = { "~": "\u00a0", _: "-", "\\": "\\", "{": "{", "}": "}" };

interface Group {
  style: Style;
  /** The text is not part of the page: fonts, colours, pictures, notes of a program for itself. */
  hidden: boolean;
  /** The number of characters after a Unicode character for readers that do not know it. */
  substitutes: number;
}

const hiddenWords = new Set(
  "fonttbl colortbl stylesheet info pict header footer headerl headerr footerl footerr fldinst listtable object".split(
    " ",
  ),
);
const quotes = { lquote: "‘", rquote: "’", ldblquote: "“", rdblquote: "”" };
const signsOf = { line: "\n", tab: "\t", bullet: "•", emdash: "—", endash: "–" };
const characters: Readonly<Record<string, string>> = { ...quotes, ...signsOf };

const maxDepth = 1000;

class Page {
  readonly #flow = new Flow();
  readonly #groups: Group[] = [{ style: {}, hidden: false, substitutes: 1 }];
  #deeper = 0;
  #heading = 0;
  #skip = 0;
  #table: "none" | "row" | "between" = "none";

  get #group(): Group {
    return this.#groups.at(-1) as Group;
  }

  /** Opens a group; those beyond a depth are counted, not kept. */
  open(): void {
    if (this.#groups.length < maxDepth) this.#groups.push({ ...this.#group, style: { ...this.#group.style } });
    else this.#deeper++;
  }
  close(): void {
    if (this.#deeper > 0) this.#deeper--;
    else if (this.#groups.length > 1) this.#groups.pop();
  }
  hide(): void {
    this.#group.hidden = true;
  }

  say(text: string): void {
    const rest = text.slice(this.#skip);
    this.#skip = Math.max(0, this.#skip - text.length);
    if (!this.#group.hidden && rest !== "") this.#flow.say(rest, this.#heading > 0 ? {} : this.#group.style);
  }

  obey(word: string, value: number | undefined): void {
    if (hiddenWords.has(word)) this.hide();
    if (this.#group.hidden) return;
    if (Object.hasOwn(characters, word)) this.say(characters[word] ?? "");
    else if (Object.hasOwn(this.#words, word)) this.#words[word]?.(value);
  }

  end(): string {
    this.#paragraph();
    return this.#flow.toString();
  }

  readonly #words: Readonly<Record<string, (value: number | undefined) => void>> = {
    par: () => this.#paragraph(),
    sect: () => this.#paragraph(),
    page: () => this.#paragraph(),
    b: (value) => (this.#group.style.bold = value !== 0),
    i: (value) => (this.#group.style.italic = value !== 0),
    plain: () => (this.#group.style = {}),
    uc: (value) => (this.#group.substitutes = value ?? 1),
    outlinelevel: (value) => (this.#heading = Math.min(6, (value ?? 0) + 1)),
    pard: () => (this.#heading = 0),
    trowd: () => this.#row(),
    cell: () => this.#cell(),
    row: () => {
      if (this.#table === "row") this.#table = "between";
    },
    u: (value = 0) => {
      this.say(String.fromCharCode(value < 0 ? value + 65_536 : value));
      this.#skip = this.#group.substitutes;
    },
  };

  #paragraph(): void {
    if (this.#table === "between") {
      this.#flow.closeTable();
      this.#table = "none";
    }
    this.#flow.end(this.#heading > 0 ? { is: "heading", level: this.#heading } : { is: "text" });
    this.#heading = 0;
  }

  #row(): void {
    if (this.#table === "row") return;
    if (this.#table === "none") this.#flow.openTable();
    this.#table = "row";
    this.#flow.openRow();
    this.#flow.openCell();
  }

  #cell(): void {
    this.#flow.end();
    if (this.#table === "row") this.#flow.openCell();
  }
}
