import type { Foot } from "./prompt.ts";

/** How long nothing comes of a model before something says that it works: where that goes again, and where it stays. */
const patience = { goes: 500, stays: 2000 };

/** Says that a model works while nothing is to be seen of it. */
export class Pulse {
  readonly #text: string;
  readonly #foot: Foot | undefined;
  readonly #line: (text: string) => void;
  #asked = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #came: string | undefined;
  /** It was said, and nothing came since. */
  thinking = false;

  /** `line` says it where there is no foot that could take it away again. */
  constructor(text: string, foot: Foot | undefined, line: (text: string) => void) {
    this.#text = text;
    this.#foot = foot;
    this.#line = line;
  }

  begins(): void {
    this.#asked = true;
    this.rests();
  }

  thinks(): void {
    if (this.thinking) return;
    this.thinking = true;
    clearTimeout(this.#timer);
    if (this.#foot?.erases) this.#foot.sign(this.#text);
    else this.#line(this.#text);
  }

  /** Something long comes: what, as far as it is known; where that stays, once for each. */
  comes(text: string, id: string): void {
    clearTimeout(this.#timer);
    this.thinking = false;
    if (this.#foot?.erases) this.#foot.sign(text);
    else if (this.#came !== id) this.#line(text);
    this.#came = id;
  }

  speaks(): void {
    this.thinking = false;
  }

  ends(): void {
    this.#asked = false;
    this.thinking = false;
    clearTimeout(this.#timer);
    this.#foot?.sign(undefined);
  }

  /** Something came; nothing does for now. */
  rests(): void {
    clearTimeout(this.#timer);
    if (!this.#asked || !this.#foot) return;
    if (this.#foot.erases) this.thinking = false;
    else if (this.thinking) return;
    this.#timer = setTimeout(() => this.thinks(), this.#foot.erases ? patience.goes : patience.stays);
    this.#timer.unref();
  }
}
