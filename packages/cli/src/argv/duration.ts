const units: Record<string, number> = { s: 1000, m: 60_000, h: 3_600_000 };
// A timer holds no more than this.
const most = 2 ** 31 - 1;

/** Milliseconds of `30`, `90s`, `10m`, `1.5h`; undefined when it is none of these. */
export function parseDuration(text: string): number | undefined {
  const match = /^(\d+(?:\.\d+)?)([smh]?)$/.exec(text.trim());
  if (!match) return undefined;
  const ms = Math.round(Number(match[1]) * (units[match[2] || "s"] ?? 0));
  return ms > 0 && ms <= most ? ms : undefined;
}
