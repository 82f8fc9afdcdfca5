/** JSON with commas before a closing bracket and bare control characters in texts, which can mean one thing only. */
export function strictJson(text: string): string {
  const whole = (bit: string) => (bit.startsWith("\\") ? bit : JSON.stringify(bit).slice(1, -1));
  return text.replace(/"(?:[^"\\]|\\[\s\S])*"|,(?=\s*[}\]])/g, (piece) =>
    piece === "," ? "" : piece.replace(/\\[\s\S]|\p{Cc}/gu, whole),
  );
}
