const encoder = new TextEncoder();

export const byteLength = (text: string): number => Buffer.byteLength(text, "utf8");

/** The longest start of `text` that fits into `max` UTF-8 bytes, never cutting a character. */
export function headBytes(text: string, max: number): string {
  if (byteLength(text) <= max) return text;
  const { read } = encoder.encodeInto(text, new Uint8Array(max));
  return text.slice(0, read);
}

/** Number of lines a person would count: a final newline does not begin another one. */
export function countLines(text: string): number {
  if (text === "") return 0;
  let lines = 1;
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) lines++;
  return text.endsWith("\n") ? lines - 1 : lines;
}

export function formatBytes(bytes: number): string {
  if (bytes < 1024) return `${bytes}B`;
  const units = ["KB", "MB", "GB", "TB"];
  let value = bytes;
  let unit = -1;
  do {
    value /= 1024;
    unit++;
  } while (value >= 1024 && unit < units.length - 1);
  return `${value >= 10 || Number.isInteger(value) ? Math.round(value) : value.toFixed(1)}${units[unit]}`;
}

export const plural = (count: number, one: string, many = `${one}s`): string => `${count} ${count === 1 ? one : many}`;

/** A number for people, with commas: `12,345`. */
export const formatCount = (count: number): string => String(Math.round(count)).replace(/\B(?=(\d{3})+$)/g, ",");

/** At most `max` characters of a text; `…` stands for the rest. */
export const shorten = (text: string, max: number): string =>
  text.length > max ? `${text.slice(0, max - 1).toWellFormed()}…` : text;

/** The lines of a text; the newline that ends it begins no other. */
export function splitLines(text: string): string[] {
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  return lines;
}

/** A text as one word of a POSIX shell. */
export const shellQuote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

// Sequences first, then bare controls. CSI; a picture in SIXEL, which is no text however it ends; OSC, DCS, SOS, PM and
// APC with their end (one without an end is no sequence: only its beginning goes, and what was meant to be hidden in it
// is read); what tmux wraps others in; escapes of two characters and more.
const sequence =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are the subject here
  /(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]|(?:\x1bP|\x90)[0-9;]*q[!-$\-0-9;?-~\r\n]*(?:\x07|\x1b\\|\x9c)?|(?:\x1b[\]PX^_]|[\x90\x98\x9d-\x9f])[^\x00-\x1f\x7f-\x9f]{0,262144}(?:\x07|\x1b\\|\x9c)|\x1bPtmux;|\x1b[ -/]*[0-~]?/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are the subject here
const control = /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are the subject here
const suspicious = /[\x00-\x08\x0b-\x1f\x7f-\x9f]/;
// Characters that make text read in another order than it has.
const reordering = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/**
 * Text as data: no escape sequences, no control characters but tab and newline; CR LF and lone CR become LF, this one
 * unless it is to stay.
 */
export function cleanText(text: string, returns: "become LF" | "stay" = "become LF"): string {
  if (!suspicious.test(text)) return text;
  return text
    .replace(sequence, "")
    .replace(returns === "stay" ? /\r\n/g : /\r\n?/g, "\n")
    .replace(control, "");
}

/** Text for people: clean, and what would reorder it is seen instead of obeyed. */
export const plainText = (text: string): string =>
  cleanText(text).replace(reordering, (sign) => `<${sign.charCodeAt(0).toString(16).padStart(4, "0")}>`);
