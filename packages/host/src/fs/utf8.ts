/** Number of bytes at the end that begin an incomplete UTF-8 character. */
export function incompleteTail(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if ((byte & 0xc0) === 0x80) continue;
    return sequenceLength(byte) > back ? back : 0;
  }
  return 0;
}

function sequenceLength(lead: number): number {
  if (lead >= 0xf0) return lead < 0xf8 ? 4 : 1;
  if (lead >= 0xe0) return 3;
  return lead >= 0xc0 ? 2 : 1;
}
