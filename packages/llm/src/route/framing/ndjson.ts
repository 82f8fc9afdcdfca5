import type { Framing } from "./framing.ts";

/** Framing with one JSON value per line; blank lines are skipped. */
export const ndjson: Framing = () => {
  const decoder = new TextDecoder();
  let rest = "";
  const cut = (fresh: string): string[] => {
    if (!fresh.includes("\n")) {
      rest += fresh;
      return [];
    }
    const lines = (rest + fresh).split("\n");
    rest = lines.pop() ?? "";
    return lines.filter((line) => line.trim() !== "");
  };
  return {
    push: (bytes) => cut(decoder.decode(bytes, { stream: true })),
    get held() {
      return rest.length;
    },
    end() {
      const [last] = cut(`${decoder.decode()}\n`);
      return last;
    },
  };
};
