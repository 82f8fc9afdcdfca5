import type { InputEvent, TerminalReply } from "./event.ts";
import { csiKey } from "./key.ts";

/** Reads one complete sequence; undefined if it is unknown, which no view needs to hear of. */
export function readCsi(
  body: string,
  final: string,
  expects: (type: TerminalReply["type"]) => boolean,
): InputEvent | TerminalReply | undefined {
  if (body.startsWith("?")) return privateReply(body.slice(1), final);
  if (final === "I" && body === "") return { type: "focus", inside: true };
  if (final === "O" && body === "") return { type: "focus", inside: false };
  // A cursor report looks like F3 with modifiers: it is a report only when somebody asked.
  if (final === "R" && expects("position")) return position(body);
  if (final === "t") return size(body);
  // Nobody asks for the mouse; what a program before us has left on is dropped.
  if (/^[<=>]/.test(body)) return undefined;
  return csiKey(body, final);
}

export const readString = (kind: string, body: string): TerminalReply | undefined =>
  kind === "]" ? osc(body) : undefined;

function privateReply(body: string, final: string): TerminalReply | undefined {
  if (final === "c") return { type: "device" };
  if (final === "u") return { type: "keyboard", flags: Number(body) || 0 };
  const [first = 0, second = 0] = body.replace("$", "").split(";").map(Number);
  if (final === "y")
    return {
      type: "mode",
      mode: first,
      state: (["unknown", "set", "reset", "permanent", "unknown"] as const)[second] ?? "unknown",
    };
  return final === "n" && first === 997 ? { type: "appearance", scheme: second === 2 ? "light" : "dark" } : undefined;
}

function position(body: string): TerminalReply | undefined {
  const [row = 0, column = 0] = body.split(";").map(Number);
  return row > 0 && column > 0 ? { type: "position", row: row - 1, column: column - 1 } : undefined;
}

function size(body: string): TerminalReply | undefined {
  const [kind, rows = 0, columns = 0] = body.split(";").map(Number);
  return kind === 48 && rows > 0 && columns > 0 ? { type: "size", rows, columns } : undefined;
}

function osc(body: string): TerminalReply | undefined {
  const [code = "", ...rest] = body.split(";");
  const value = rest.join(";");
  if (code === "99") return { type: "notification", body: value };
  const rgb = /^rgba?:([0-9a-f]+)\/([0-9a-f]+)\/([0-9a-f]+)/i.exec(value);
  if (!rgb || (code !== "10" && code !== "11")) return undefined;
  const part = (hex = "0") => Math.round((Number.parseInt(hex, 16) / (16 ** hex.length - 1)) * 255);
  return { type: "colour", slot: Number(code), rgb: [part(rgb[1]), part(rgb[2]), part(rgb[3])] };
}
