/** The name that a TLS client says it wants to speak to, as far as it has said it. */
export type Hello = { name: string } | "more" | "none";

/** Reads the beginning of a connection. `none`: it is no TLS, or names nobody (or two), and so cannot be compared. */
export function readHello(bytes: Buffer): Hello {
  let handshake = Buffer.alloc(0);
  for (let at = 0; ; ) {
    if (bytes.length < at + 5) return at > 0 && whole(handshake) ? nameIn(handshake) : "more";
    if (bytes[at] !== 22 || bytes[at + 1] !== 3) return at > 0 && whole(handshake) ? nameIn(handshake) : "none";
    const length = bytes.readUInt16BE(at + 3);
    if (length === 0 || handshake.length > mostBytes) return "none";
    if (bytes.length < at + 5 + length) return "more";
    handshake = Buffer.concat([handshake, bytes.subarray(at + 5, at + 5 + length)]);
    if (whole(handshake)) return nameIn(handshake);
    at += 5 + length;
  }
}

const mostBytes = 64 * 1024;
const whole = (message: Buffer): boolean => message.length >= 4 && message.length >= 4 + message.readUIntBE(1, 3);

function nameIn(message: Buffer): Hello {
  try {
    if (message[0] !== 1) return "none";
    // Type and length, version, random.
    let at = 4 + 2 + 32;
    at += 1 + message.readUInt8(at);
    at += 2 + message.readUInt16BE(at);
    at += 1 + message.readUInt8(at);
    const end = at + 2 + message.readUInt16BE(at);
    const names: string[] = [];
    for (at += 2; at + 4 <= end; ) {
      const [type, length] = [message.readUInt16BE(at), message.readUInt16BE(at + 2)];
      // The name that counts is in it, and nobody else can read it.
      if (type === hiddenName) return "none";
      if (type === 0) names.push(...listed(message.subarray(at + 4, at + 4 + length)));
      at += 4 + length;
    }
    const [name] = names;
    return name !== undefined && names.length === 1 ? { name } : "none";
  } catch {
    return "none";
  }
}

/** An encrypted greeting. */
const hiddenName = 0xfe0d;

function listed(list: Buffer): string[] {
  const names: string[] = [];
  for (let at = 2; at + 3 <= list.length; ) {
    const length = list.readUInt16BE(at + 1);
    names.push(list[at] === 0 ? list.toString("latin1", at + 3, at + 3 + length) : "\0");
    at += 3 + length;
  }
  return names;
}
