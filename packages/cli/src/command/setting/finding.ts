import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** The result of one check: as it should be, worth knowing, or in the way of pith's work. */
export interface CheckOutcome {
  state: "ok" | "note" | "wrong";
  text: string;
}

export const ok = (text: string): CheckOutcome => ({ state: "ok", text });
export const note = (text: string): CheckOutcome => ({ state: "note", text });
export const wrong = (text: string): CheckOutcome => ({ state: "wrong", text });

/** The user's home of pith, or a temporary one: a check leaves no home behind where there was none. */
export function homeToTry(home: string): Disposable & { path: string } {
  if (existsSync(home)) return { path: home, [Symbol.dispose]() {} };
  const path = mkdtempSync(join(tmpdir(), "pith-doctor-"));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}
