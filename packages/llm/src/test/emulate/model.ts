/** A model as a server has it on its disk. */
export interface Weights {
  id: string;
  /** Window of the model. */
  trained: number;
  /** Window that the server uses by default. */
  window: number;
  /** As servers write it: `8.2B`. */
  size: string;
  family: string;
  can: readonly ("tools" | "thinking" | "vision")[];
}

export const qwen: Weights = {
  id: "qwen3:8b",
  trained: 40_960,
  window: 4096,
  size: "8.2B",
  family: "qwen3",
  can: ["tools", "thinking"],
};

/** The same for the same model. */
export const digestOf = ({ id, size }: Weights): string =>
  new Bun.CryptoHasher("sha256").update(`${id} ${size}`).digest("hex");
