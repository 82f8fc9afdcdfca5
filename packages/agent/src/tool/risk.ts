/** Degrees of harm of an unintended call, the mildest first. */
export const risks = ["none", "medium", "high", "critical"] as const;
export type Risk = (typeof risks)[number];

/** The worst of some risks; `none` for an empty list. */
export const worstRisk = (all: Iterable<Risk>): Risk =>
  risks[Math.max(0, ...Iterator.from(all).map((risk) => risks.indexOf(risk)))] ?? "none";
