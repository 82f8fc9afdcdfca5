import type { KeyEvent, Modifier } from "./event.ts";

// Names of keys in all the ways terminals have of saying them.

const order: readonly Modifier[] = ["ctrl", "alt", "shift", "super"];

export function key(name: string, modifiers: readonly Modifier[] = [], text = "", phase: KeyEvent["phase"] = "press"): KeyEvent {
  const held = order.filter((each) => modifiers.includes(each));
  return { type: "key", name, combo: [...held, name].join("+"), text, phase };
}

/** A character as it was typed. Capitals come with the shift that made them. */
export function typed(char: string, modifiers: readonly Modifier[] = []): KeyEvent {
  const lower = char.toLowerCase();
  const shifted = lower !== char && char.length === 1;
  const types = !modifiers.includes("ctrl") && !modifiers.includes("alt") && !modifiers.includes("super");
  return key(char === " " ? "space" : lower, shifted ? [...modifiers, "shift"] : modifiers, types ? char : "");
}

/** One control character. */
export function control(char: string, modifiers: readonly Modifier[] = []): KeyEvent {
  const code = char.charCodeAt(0);
  const named = controls[code];
  if (named) return key(named, modifiers);
  if (code === 0) return key("space", ["ctrl", ...modifiers]);
  if (code <= 26) return key(String.fromCharCode(code + 96), ["ctrl", ...modifiers]);
  return key(["\\", "]", "^", "_"][code - 28] ?? "unknown", ["ctrl", ...modifiers]);
}
const controls: Record<number, string> = { 9: "tab", 13: "enter", 27: "escape", 127: "backspace" };

const letters: Record<string, string> = {
  A: "up",
  B: "down",
  C: "right",
  D: "left",
  E: "clear",
  F: "end",
  H: "home",
  P: "f1",
  Q: "f2",
  R: "f3",
  S: "f4",
  Z: "tab",
  M: "enter",
};
const tildes: Record<number, string> = {
  1: "home", 2: "insert", 3: "delete", 4: "end", 5: "pageup", 6: "pagedown", 7: "home", 8: "end", 11: "f1", 12: "f2", 13: "f3", 14: "f4", 15: "f5", 17: "f6", 18: "f7",
  19: "f8", 20: "f9", 21: "f10", 23: "f11", 24: "f12", 29: "menu",
}; // biome-ignore format: a table
const codes: Record<number, string> = {
  8: "backspace", 9: "tab", 13: "enter", 27: "escape", 32: "space", 127: "backspace", 57358: "capslock", 57359: "scrolllock", 57360: "numlock", 57361: "printscreen", 57362: "pause",
  57363: "menu", 57399: "0", 57400: "1", 57401: "2", 57402: "3", 57403: "4", 57404: "5", 57405: "6", 57406: "7", 57407: "8", 57408: "9", 57409: ".", 57410: "/", 57411: "*",
  57412: "-", 57413: "+", 57414: "enter", 57415: "=", 57417: "left", 57418: "right", 57419: "up", 57420: "down", 57421: "pageup", 57422: "pagedown", 57423: "home", 57424: "end",
  57425: "insert", 57426: "delete",
}; // biome-ignore format: a table

export function ss3(final: string): KeyEvent | undefined {
  const name = letters[final];
  return name ? key(name) : undefined;
}

/** A key in CSI form: cursor keys, `~` keys, modifyOtherKeys and the Kitty protocol. */
export function csiKey(parameters: string, final: string): KeyEvent | undefined {
  const fields = parameters.split(";").map((field) => field.split(":").map(Number));
  const first = fields[0]?.[0] ?? 0;
  const modifiers = modifiersOf(fields[1]?.[0]);
  const phase = (["press", "press", "repeat", "release"] as const)[fields[1]?.[1] ?? 1] ?? "press";
  if (final === "u") return unicodeKey(fields, modifiers, phase);
  if (final === "~" && first === 27 && fields.length >= 3) return coded(fields[2]?.[0] ?? 0, modifiers, "press");
  if (final === "~") return tildes[first] ? key(tildes[first], modifiers, "", phase) : undefined;
  if (final === "Z") return key("tab", [...modifiers, "shift"]);
  const name = letters[final];
  return name ? key(name, modifiers, "", phase) : undefined;
}

function unicodeKey(fields: readonly number[][], modifiers: readonly Modifier[], phase: KeyEvent["phase"]): KeyEvent | undefined {
  const [code = 0, shifted] = fields[0] ?? [];
  const said = (fields[2] ?? [])
    .filter((each) => each > 0)
    .map((each) => safePoint(each))
    .join("");
  const base = coded(code, modifiers, phase);
  if (!base || phase === "release") return base;
  if (said !== "") return { ...base, text: said };
  // The shifted key is what the layout types with shift; without it the letter's capital is.
  return base.text !== "" && modifiers.includes("shift") ? { ...base, text: shifted ? safePoint(shifted) : base.text.toUpperCase() } : base;
}

function coded(code: number, modifiers: readonly Modifier[], phase: KeyEvent["phase"]): KeyEvent | undefined {
  const types = !modifiers.some((each) => each !== "shift") && phase !== "release";
  const name = codes[code];
  if (name) return key(name, modifiers, types && (code === 32 || (code >= 57399 && code <= 57413)) ? (code === 32 ? " " : name) : "", phase);
  if (code < 32 || (code >= 57344 && code <= 63743)) return undefined;
  const char = safePoint(code);
  return key(char.toLowerCase(), char.toLowerCase() !== char ? [...modifiers, "shift"] : modifiers, types ? char : "", phase);
}

const safePoint = (code: number) => (code > 31 && code !== 127 && !(code > 127 && code < 160) && code <= 0x10ffff ? String.fromCodePoint(code) : "");

function modifiersOf(value: number | undefined): Modifier[] {
  const bits = Math.max(0, (value || 1) - 1);
  const held: Modifier[] = [];
  if (bits & 1) held.push("shift");
  if (bits & 2) held.push("alt");
  if (bits & 4) held.push("ctrl");
  if (bits & (8 | 32)) held.push("super");
  return held;
}
