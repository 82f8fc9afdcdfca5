export type Ruling = "allow" | "ask" | "deny";

const strictness: readonly Ruling[] = ["allow", "ask", "deny"];

export const stricter = (one: Ruling, other: Ruling): Ruling =>
  strictness.indexOf(other) > strictness.indexOf(one) ? other : one;
