/** How bad it would be if a command were not meant: what anybody could want back comes first. */
export const severities = ["none", "medium", "high", "critical"] as const;
export type Severity = (typeof severities)[number];

export const worse = (one: Severity, other: Severity): Severity =>
  severities.indexOf(other) > severities.indexOf(one) ? other : one;

export const worst = (all: Iterable<Severity>): Severity => {
  let most: Severity = "none";
  for (const one of all) most = worse(most, one);
  return most;
};
