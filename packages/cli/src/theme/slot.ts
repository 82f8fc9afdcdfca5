import { join } from "node:path";
import { parseJson, readPlain, recordOf, tryOr, writeWhole } from "@pith/kit";

export type Slot = "dark" | "light";
type Env = Readonly<Record<string, string | undefined>>;

const slotFile = (home: string): string => join(home, "terminals.json");

/** The name under which a terminal is remembered. */
const terminalName = (env: Env): string =>
  [env.TERM_PROGRAM ?? env.LC_TERMINAL ?? env.TERM ?? "unknown", env.COLORFGBG ?? ""].join(" ").trim().slice(0, 100);

/** The slot of the terminal without asking it: remembered, from its environment, or dark. */
export function slotOf(home: string, env: Env): Slot {
  const kept = remembered(home)[terminalName(env)];
  if (kept === "dark" || kept === "light") return kept;
  const ground = /;(\d+)$/.exec(env.COLORFGBG ?? "")?.[1];
  return ground !== undefined && Number(ground) >= 8 ? "light" : ground === "7" ? "light" : "dark";
}

/** The slot for a background colour that a terminal has told (0 to 1, or 0 to 255). */
export function slotOfGround(rgb: readonly number[]): Slot {
  const most = rgb.some((value) => value > 1) ? 255 : 1;
  const [r = 0, g = 0, b = 0] = rgb.map((value) => value / most);
  return 0.2126 * r + 0.7152 * g + 0.0722 * b > 0.5 ? "light" : "dark";
}

/** Remembers the slot for the next start, which draws before the terminal has answered. */
export function rememberSlot(home: string, env: Env, slot: Slot): void {
  const all = remembered(home);
  const name = terminalName(env);
  if (all[name] === slot) return;
  const rows = Object.entries({ ...all, [name]: slot }).slice(-50);
  // Where it cannot be kept, the next start asks again.
  tryOr(() => writeWhole(slotFile(home), `${JSON.stringify(Object.fromEntries(rows), undefined, 2)}\n`));
}

function remembered(home: string): Record<string, unknown> {
  const text = readPlain(slotFile(home), { maxBytes: 64 * 1024 });
  if (!text.ok) return {};
  return recordOf(parseJson(text.value));
}
