/** Cuts the bytes of an answer into the payloads of a protocol. A fresh cutter per answer. */
export type Framing = () => Cutter;

export interface Cutter {
  push(bytes: Uint8Array): string[];
  /** How long what was begun and not terminated is, or is announced to be: whoever pushes decides when to stop. */
  readonly held: number;
  /** What was begun and never terminated; it may be whole or cut. */
  end(): string | undefined;
}

/** A body that is said to be one document, unless it begins like what it should have been. */
export const document =
  (framing: Framing): Framing =>
  () => {
    let cutter: Cutter | undefined;
    return {
      push(bytes) {
        cutter ??= /^(?:data|event|id|retry)?:/.test(beginning.decode(bytes.subarray(0, 8))) ? framing() : wholeBody();
        return cutter.push(bytes);
      },
      get held() {
        return cutter?.held ?? 0;
      },
      end: () => cutter?.end(),
    };
  };
const beginning = new TextDecoder("latin1");

/** The body is one payload. */
const wholeBody: Framing = () => {
  const decoder = new TextDecoder();
  let text = "";
  return {
    push(bytes) {
      text += decoder.decode(bytes, { stream: true });
      return [];
    },
    get held() {
      return text.length;
    },
    end: () => text + decoder.decode(),
  };
};
