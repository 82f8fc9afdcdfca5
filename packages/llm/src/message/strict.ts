/**
 * Removes commas before closing brackets and escapes control characters in texts: mistakes in JSON that can mean one
 * thing only.
 */
export function strictJson(text: string): string {
  const whole = (bit: string) => (bit.startsWith("\\") ? bit : JSON.stringify(bit).slice(1, -1));
  return text.replace(/"(?:[^"\\]|\\[\s\S])*"|,(?=\s*[}\]])/g, (piece) =>
    piece === "," ? "" : piece.replace(/\\[\s\S]|\p{Cc}/gu, whole),
  );
}
