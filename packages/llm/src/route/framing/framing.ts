/** Splits the bytes of an answer into payloads; one cutter per answer. */
export type Framing = () => Cutter;

export interface Cutter {
  push(bytes: Uint8Array): string[];
  /** Length of the unterminated payload, or the length it announces; the caller enforces the limit. */
  readonly held: number;
  /** Returns the unterminated payload; it may be complete or cut. */
  end(): string | undefined;
}

/** Framing of a body declared as one document, unless it begins like the expected stream. */
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

/** The whole body as one payload. */
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
