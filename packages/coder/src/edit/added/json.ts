/** A piece of a text in JSON, or its end. */
export type Piece = { key: string; text: string; over?: true };

/**
 * Hands out the texts of JSON that arrives in pieces, as they come and without escapes, each by the key it stands under
 * (a list's items by the list's). Nothing is refused, and no character is looked at twice.
 */
export class JsonTexts {
  /** Open objects with the key that was read last, and lists with the key that they stand under. */
  readonly #open: { is: "object" | "list"; key: string }[] = [];
  #at: "outside" | "text" | "escape" | "code" = "outside";
  #isKey = false;
  #wantsKey = false;
  #word = "";
  #code = "";

  take(delta: string): Piece[] {
    const pieces: Piece[] = [];
    for (let at = 0; at < delta.length; )
      if (this.#at === "text") {
        const end = textEnd(delta, at);
        this.#give(delta.slice(at, end), pieces);
        if (delta[end] === '"') this.#close(pieces);
        else if (end < delta.length) this.#at = "escape";
        at = end + 1;
      } else this.#sign(delta[at++] as string, pieces);
    return pieces;
  }

  #sign(sign: string, pieces: Piece[]): void {
    if (this.#at === "escape") {
      this.#at = sign === "u" ? "code" : "text";
      this.#code = "";
      if (sign !== "u") this.#give(escapes[sign] ?? sign, pieces);
    } else if (this.#at === "code") {
      this.#code += sign;
      if (this.#code.length < 4) return;
      this.#give(String.fromCharCode(Number.parseInt(this.#code, 16) || 0xfffd), pieces);
      this.#at = "text";
    } else this.#outside(sign);
  }

  #outside(sign: string): void {
    const top = this.#open.at(-1);
    if (sign === '"') {
      this.#at = "text";
      this.#isKey = this.#wantsKey && top?.is === "object";
      this.#word = "";
    } else if (sign === "{" || sign === "[") {
      if (this.#open.length < deepest) this.#open.push({ is: sign === "{" ? "object" : "list", key: top?.key ?? "" });
      this.#wantsKey = sign === "{";
    } else if (sign === "}" || sign === "]") this.#open.pop();
    else if (sign === ",") this.#wantsKey = top?.is === "object";
    else if (sign === ":") this.#wantsKey = false;
  }

  #give(text: string, pieces: Piece[]): void {
    if (text === "") return;
    if (this.#isKey) {
      this.#word = (this.#word + text).slice(0, 200);
      return;
    }
    // An escape makes no other piece: a text of nothing else would be as many as it has signs.
    const [key, last] = [this.#open.at(-1)?.key ?? "", pieces.at(-1)];
    if (last && !last.over && last.key === key) last.text += text;
    else pieces.push({ key, text });
  }

  #close(pieces: Piece[]): void {
    const top = this.#open.at(-1);
    if (!this.#isKey) pieces.push({ key: top?.key ?? "", text: "", over: true });
    else if (top) top.key = this.#word;
    this.#wantsKey = false;
    this.#at = "outside";
  }
}

/** The place where a text ends or is interrupted by an escape. */
function textEnd(text: string, from: number): number {
  let at = from;
  while (at < text.length && text[at] !== '"' && text[at] !== "\\") at++;
  return at;
}

const deepest = 100;
const escapes: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "\r", b: "\b", f: "\f" };
