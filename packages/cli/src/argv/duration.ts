import { fail, ok, type Result } from "@pith/kit";

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

const spans: Record<string, number> = { h: 3_600_000, d: 86_400_000, w: 7 * 86_400_000 };

/** The time that an option names: a day from its first minute here, or so long ago as `7d`, `12h`. */
export function pastTime(option: string, text: string | undefined, now: number): Result<number | undefined, "usage"> {
  if (text === undefined) return ok(undefined);
  const [, count, unit = ""] = /^(\d{1,5})([hdw])$/.exec(text) ?? [];
  if (count) return ok(now - Number(count) * (spans[unit] ?? 0));
  const time = Date.parse(/^\d{4}-\d\d-\d\d$/.test(text) ? `${text}T00:00:00` : text);
  if (!Number.isNaN(time)) return ok(time);
  return fail("usage", `--${option} expects a date such as 2026-01-31, or 7d, 12h, not ${JSON.stringify(text)}`);
}
