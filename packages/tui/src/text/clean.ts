// Bytes of strangers (files, tool results, models, keys) are shown, never obeyed: `printable` is for content on its way
// into a row, `guardRow` the painter's last look at a finished row.

/** Content for rows: control characters become pictures of themselves, tabs become spaces, line ends LF. */
export function printable(text: string, colours: "show" | "keep" = "show"): string {
  if (!suspicious.test(text)) return text;
  const lines = text.replace(/\r\n?/g, "\n");
  if (colours === "show" || !lines.includes("\x1b[")) return untab(lines).replace(control, picture);
  return untab(pictured(lines, control, sgr));
}

/** Content for one row: as `printable`, with line ends and other white space runs as one space. */
export const oneLine = (text: string): string => printable(text.replace(/\s+/g, " ")).trim();

/** A row in which only colours, links and sized text are sequences; other control characters are pictures. */
export function guardRow(row: string): string {
  if (!dangerous.test(row)) return row;
  return pictured(row, every, allowed);
}

/** The text with pictures in the place of `characters`, except in the sequences that are kept. */
function pictured(text: string, characters: RegExp, kept: RegExp): string {
  let out = "";
  let at = 0;
  for (const { 0: sequence, index } of text.matchAll(kept)) {
    out += text.slice(at, index).replace(characters, picture) + sequence;
    at = index + sequence.length;
  }
  return out + text.slice(at).replace(characters, picture);
}

/** The address if it may stand in OSC 8: one that a person would click, without control characters. */
function safeUrl(url: string): string | undefined {
  return /^(?:https?|mailto|file):[\x21-\x7e]+$/i.test(url) ? url : undefined;
}

/** Text as a hyperlink where the address is safe, as itself where it is not. */
export function link(text: string, url: string): string {
  const target = safeUrl(url);
  return target ? `\x1b]8;;${target}\x1b\\${text}\x1b]8;;\x1b\\` : text;
}

const tabStop = 4;
function untab(text: string): string {
  if (!text.includes("\t")) return text;
  return text
    .split("\n")
    .map((line) => {
      let out = "";
      for (const char of line) out += char === "\t" ? " ".repeat(tabStop - (out.length % tabStop)) : char;
      return out;
    })
    .join("\n");
}

// C0 and C1 controls, DEL, and the bidi controls that make text read other than it is.
const bidi = "\\u061c\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069\\ufeff";
const suspicious = new RegExp(`[\\x00-\\x09\\x0b-\\x1f\\x7f-\\x9f${bidi}]`);
const control = new RegExp(`[\\x00-\\x08\\x0b-\\x1f\\x7f-\\x9f${bidi}]`, "g");
const dangerous = new RegExp(`[\\x00-\\x1f\\x7f-\\x9f${bidi}]`);
const every = new RegExp(dangerous.source, "g");
// biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences are the subject
const sgr = /\x1b\[[0-9;:]*m/g;
const allowed =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences are the subject
  /\x1b\[[0-9;:]*m|\x1b\]8;[\x20-\x3a\x3c-\x7e]*;[\x20-\x7e]*\x1b\\|\x1b\]66;[\x20-\x7e]*;[^\x00-\x1f\x7f-\x9f]*\x1b\\/g;

function picture(char: string): string {
  const code = char.charCodeAt(0);
  if (code < 0x20) return String.fromCharCode(0x2400 + code);
  if (code === 0x7f) return "␡";
  return `<${code.toString(16).padStart(2, "0")}>`;
}
