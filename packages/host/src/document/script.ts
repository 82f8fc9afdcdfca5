import { bundle } from "../exec/bundle.ts" with { type: "macro" };

/** The programs that take documents apart. */
export const scripts: Readonly<Record<"book" | "office", string>> = {
  book: bundle("document/book-child.ts"),
  office: bundle("document/office-child.ts"),
};
