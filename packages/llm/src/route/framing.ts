/** Cuts the bytes of an answer into the payloads of a protocol. A fresh cutter per answer. */
export type Framing = () => Cutter;

export interface Cutter {
  push(bytes: Uint8Array): string[];
  /** What was begun and never terminated; it may be whole or cut. */
  end(): string | undefined;
}

/** The body is one payload. */
export const wholeBody: Framing = () => {
  const decoder = new TextDecoder();
  let text = "";
  return {
    push(bytes) {
      text += decoder.decode(bytes, { stream: true });
      return [];
    },
    end: () => text + decoder.decode(),
  };
};
