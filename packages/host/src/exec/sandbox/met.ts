/** Hosts that commands reached or were refused, the newest last. */
export class Met {
  readonly #all: { at: number; text: string }[] = [];

  add(text: string): void {
    this.#all.push({ at: performance.now(), text });
    if (this.#all.length > most) this.#all.shift();
  }

  since(then: number): string[] {
    return this.#all.flatMap(({ at, text }) => (at >= then ? [text] : []));
  }
}

const most = 100;
