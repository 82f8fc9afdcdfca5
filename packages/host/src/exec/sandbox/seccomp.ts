/**
 * Builds the filter of kernel calls that no namespace keeps in: a socket to the machine around a virtual one passes
 * every network namespace, and the keys of a session are handed down to whatever runs in it. A queue of calls
 * (io_uring) would make sockets that are looked at by nobody. The result is one program for all that this processor
 * runs.
 */
export function seccompFilter(): Buffer | undefined {
  const native = { x64: ["x86_64", "i386"], arm64: ["aarch64", "arm"] }[process.arch as string];
  if (process.platform !== "linux" || !native) return undefined;
  const steps = native.flatMap((name) => {
    const machine = machines[name];
    return machine ? blockOf(machine) : [];
  });
  // What is none of them is a processor that we do not know.
  return encode([...steps, give(errno.EPERM)]);
}

interface Machine {
  arch: number;
  socket: number;
  keys: readonly number[];
  /** Calls that say what they do only behind a pointer, where it can be changed after the look. */
  blind: readonly number[];
  /** From here on numbers mean another machine's calls. */
  end: number;
}

const machines: Readonly<Record<string, Machine>> = {
  x86_64: { arch: 0xc000003e, socket: 41, keys: [248, 249, 250], blind: [], end: 0x40000000 },
  i386: { arch: 0x40000003, socket: 359, keys: [286, 287, 288], blind: [102], end: 0xffffffff },
  aarch64: { arch: 0xc00000b7, socket: 198, keys: [217, 218, 219], blind: [], end: 0xffffffff },
  arm: { arch: 0x40000028, socket: 281, keys: [309, 310, 311], blind: [102], end: 0xffffffff },
};

const ioUring = [425, 426, 427];
/** Unix, both internets, and questions to the kernel about the network. */
const families = [1, 2, 10, 16];
const errno = { EPERM: 1, ENOSYS: 38, EAFNOSUPPORT: 97 };

/** All for one machine: it ends in an answer, and is passed over for another. */
function blockOf({ arch, socket, keys, blind, end }: Machine): Step[] {
  const body: Step[] = [
    { code: load, k: at.call },
    ...when(atLeast, end, [give(errno.ENOSYS)]),
    ...ioUring.flatMap((call) => when(equals, call, [give(errno.ENOSYS)])),
    ...[...keys, ...blind].flatMap((call) => when(equals, call, [give(errno.EPERM)])),
    ...when(equals, socket, [
      { code: load, k: at.first },
      ...families.flatMap((family) => when(equals, family, [pass])),
      give(errno.EAFNOSUPPORT),
    ]),
    pass,
  ];
  return [{ code: load, k: at.arch }, ...when(equals, arch, body)];
}

interface Step {
  code: number;
  k: number;
  /** Number of steps to leave out where it does not hold. */
  over?: number;
}

const [load, equals, atLeast, answer] = [0x20, 0x15, 0x35, 0x06];
/** Offset at which the kernel puts the number of a call; of an argument, the half that counts. */
const at = { call: 0, arch: 4, first: 16 };
const pass: Step = { code: answer, k: 0x7fff0000 };
const give = (error: number): Step => ({ code: answer, k: 0x00050000 | error });
const when = (code: number, k: number, then: readonly Step[]): Step[] => [{ code, k, over: then.length }, ...then];

function encode(steps: readonly Step[]): Buffer {
  const bytes = Buffer.alloc(steps.length * 8);
  for (const [index, { code, k, over = 0 }] of steps.entries()) {
    bytes.writeUInt16LE(code, index * 8);
    bytes.writeUInt8(over, index * 8 + 3);
    bytes.writeUInt32LE(k >>> 0, index * 8 + 4);
  }
  return bytes;
}
