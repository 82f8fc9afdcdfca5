import type { KeyEvent, Modifier } from "./event.ts";

// Keys in all the forms in which terminals send them.

const order: readonly Modifier[] = ["ctrl", "alt", "shift", "super"];

export function key(
  name: string,
  modifiers: readonly Modifier[] = [],
  text = "",
  phase: KeyEvent["phase"] = "press",
): KeyEvent {
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

/** The key of a control character. */
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
  A: "up", B: "down", C: "right", D: "left", E: "clear", F: "end", H: "home", P: "f1", Q: "f2", R: "f3", S: "f4",
}; // biome-ignore format: a table
const keypad: Record<string, string> = {
  M: "enter", X: "=", j: "*", k: "+", l: ",", m: "-", n: ".", o: "/", p: "0", q: "1", r: "2", s: "3", t: "4", u: "5",
  v: "6", w: "7", x: "8", y: "9",
}; // biome-ignore format: a table
const tildes: Record<number, string> = {
  1: "home", 2: "insert", 3: "delete", 4: "end", 5: "pageup", 6: "pagedown", 7: "home", 8: "end", 11: "f1", 12: "f2",
  13: "f3", 14: "f4", 15: "f5", 17: "f6", 18: "f7", 19: "f8", 20: "f9", 21: "f10", 23: "f11", 24: "f12", 25: "f13",
  26: "f14", 28: "f15", 29: "menu", 31: "f17", 32: "f18", 33: "f19", 34: "f20",
}; // biome-ignore format: a table
/** Modifiers by the end of a numbered key; all but `~` are those of rxvt. */
const tildeModifiers: Record<string, readonly Modifier[]> = {
  "~": [], $: ["shift"], "^": ["ctrl"], "@": ["ctrl", "shift"],
}; // biome-ignore format: a table
const codes: Record<number, string> = {
  8: "backspace", 9: "tab", 13: "enter", 27: "escape", 32: "space", 127: "backspace", 57358: "capslock",
  57359: "scrolllock", 57360: "numlock", 57361: "printscreen", 57362: "pause", 57363: "menu", 57399: "0", 57400: "1",
  57401: "2", 57402: "3", 57403: "4", 57404: "5", 57405: "6", 57406: "7", 57407: "8", 57408: "9", 57409: ".",
  57410: "/", 57411: "*", 57412: "-", 57413: "+", 57414: "enter", 57415: "=", 57417: "left", 57418: "right",
  57419: "up", 57420: "down", 57421: "pageup", 57422: "pagedown", 57423: "home", 57424: "end", 57425: "insert",
  57426: "delete", 57427: "clear",
  ...Object.fromEntries(Array.from({ length: 23 }, (_, at) => [57376 + at, `f${13 + at}`])),
}; // biome-ignore format: a table

/** The key of a sequence behind `ESC O`: cursor keys, F1 to F4, the keypad, and rxvt's arrows with Ctrl. */
export function ss3(body: string): KeyEvent | undefined {
  const final = body.at(-1) ?? "";
  const modifiers = modifiersOf(Number(body.slice(0, -1)));
  if (letters[final]) return key(letters[final], modifiers);
  if (/[a-d]/.test(final)) return key(letters[final.toUpperCase()] ?? "", [...modifiers, "ctrl"]);
  const name = keypad[final];
  return name ? key(name, modifiers, name === "enter" ? "" : name) : undefined;
}

/** A key in CSI form: cursor keys, numbered keys, modifyOtherKeys and the Kitty protocol. */
export function csiKey(parameters: string, final: string): KeyEvent | undefined {
  // The Linux console has F1 to F5 in a form of its own.
  if (parameters === "[") return /[A-E]/.test(final) ? key(`f${final.charCodeAt(0) - 64}`) : undefined;
  const fields = parameters.split(";").map((field) => field.split(":").map(Number));
  const first = fields[0]?.[0] ?? 0;
  const modifiers = modifiersOf(fields[1]?.[0]);
  const phase = (["press", "press", "repeat", "release"] as const)[fields[1]?.[1] ?? 1] ?? "press";
  if (final === "u") return unicodeKey(fields, modifiers, phase);
  if (final === "~" && first === 27 && fields.length >= 3) return coded(fields[2]?.[0] ?? 0, modifiers, "press");
  if (tildeModifiers[final])
    return tildes[first] ? key(tildes[first], [...modifiers, ...tildeModifiers[final]], "", phase) : undefined;
  if (final === "Z") return key("tab", [...modifiers, "shift"]);
  if (letters[final]) return key(letters[final], modifiers, "", phase);
  return /[a-d]/.test(final) ? key(letters[final.toUpperCase()] ?? "", [...modifiers, "shift"]) : undefined;
}

/** A key with up to three codes: what it types, what it types with Shift, and its place on a Latin keyboard. */
function unicodeKey(
  fields: readonly number[][],
  modifiers: readonly Modifier[],
  phase: KeyEvent["phase"],
): KeyEvent | undefined {
  const [code = 0, shifted = 0, latin = 0] = fields[0] ?? [];
  const others = modifiers.filter((each) => each !== "shift");
  // Shift and a key that is no letter is the sign above it; a shortcut on another alphabet is meant by its place.
  const sign = shifted > 0 && modifiers.includes("shift") && safePoint(shifted).toLowerCase() !== safePoint(code);
  const place = others.length > 0 && latin > 0 && code > 127 ? latin : code;
  const base = sign ? coded(shifted, others, phase) : coded(place, modifiers, phase);
  if (!base || phase === "release") return base;
  const text = (fields[2] ?? []).map(safePoint).join("");
  if (text !== "") return { ...base, text };
  return base.text !== "" && !sign && modifiers.includes("shift") ? { ...base, text: base.text.toUpperCase() } : base;
}

function coded(code: number, modifiers: readonly Modifier[], phase: KeyEvent["phase"]): KeyEvent | undefined {
  const types = !modifiers.some((each) => each !== "shift") && phase !== "release";
  const name = codes[code];
  if (name) {
    const isText = types && (code === 32 || (code >= 57399 && code <= 57413));
    return key(name, modifiers, isText ? (code === 32 ? " " : name) : "", phase);
  }
  const char = code >= 57344 && code <= 63743 ? "" : safePoint(code);
  if (char === "") return undefined;
  const lower = char.toLowerCase();
  return key(lower, lower !== char ? [...modifiers, "shift"] : modifiers, types ? char : "", phase);
}

const safePoint = (code: number) =>
  code > 31 && !(code > 126 && code < 160) && !(code > 0xd7ff && code < 0xe000) && code <= 0x10ffff
    ? String.fromCodePoint(code)
    : "";

function modifiersOf(value: number | undefined): Modifier[] {
  const bits = Math.max(0, (value || 1) - 1);
  const held: Modifier[] = [];
  if (bits & 1) held.push("shift");
  if (bits & 2) held.push("alt");
  if (bits & 4) held.push("ctrl");
  if (bits & (8 | 32)) held.push("super");
  return held;
}
