/**
 * Cuts a stream of text into lines at LF only (a JSON string may hold other separators); `rest` is the unfinished last
 * one.
 */
export class LineCutter {
  #rest = "";

  push(chunk: string): string[] {
    const first = chunk.indexOf("\n");
    if (first === -1) {
      this.#rest += chunk;
      return [];
    }
    const lines = (this.#rest + chunk).split("\n");
    this.#rest = lines.pop() ?? "";
    return lines;
  }

  get rest(): string {
    return this.#rest;
  }
}
