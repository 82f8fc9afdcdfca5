import type { Image } from "@pith/llm";

/** What a person (or a program) says. */
export interface Input {
  text: string;
  images?: Image[];
}
