// Constants and structures of the C library that the way `at` needs and the runtime has no name for. The half for Linux
// is compared with the headers of the C library by `abi.test.ts`; the other half is written down from the files named.

/** Place of a number in a structure, and its bytes. */
export type Field = readonly [at: number, bytes: 2 | 4 | 8];

export interface Abi {
  /** Names under which the C library may be there. */
  libraries: readonly string[];
  errno: string;
  /** Functions with another name than usual. */
  symbols: Readonly<Record<"fstatat" | "fdopendir" | "readdir", string>>;
  /** Opens a folder only to reach names in it. */
  toPass: number;
  closeOnExec: number;
  /** Refuses every link on a path; undefined where `openat2` does it. */
  noLinks: number | undefined;
  here: number;
  noFollow: number;
  removeFolder: number;
  /** The state of a file: `statx` on Linux, which is alike on every machine; `fstatat` elsewhere. */
  stat: {
    call: "statx" | "fstatat";
    bytes: number;
    /** Undefined where the number of the device comes in two parts. */
    dev: Field | undefined;
    major?: Field;
    minor?: Field;
    mode: Field;
    nlink: Field;
    ino: Field;
    uid: Field;
    gid: Field;
    size: Field;
    /** Seconds, signed, and nanoseconds. */
    changed: readonly [Field, Field];
    touched: readonly [Field, Field];
  };
  /** An entry of a folder: `length` is that of the whole entry or of the name. */
  entry: { length: Field; of: "entry" | "name"; type: number; name: number; link: number };
}

/** Linux, glibc and musl: <fcntl.h>, <linux/stat.h>, <linux/openat2.h>, <dirent.h>, <asm-generic/unistd.h>. */
export const linux: Abi = {
  libraries: ["libc.so.6", "libc.musl-x86_64.so.1", "libc.musl-aarch64.so.1"],
  errno: "__errno_location",
  symbols: { fstatat: "fstatat", fdopendir: "fdopendir", readdir: "readdir" },
  toPass: 0o10000000, // O_PATH
  closeOnExec: 0o2000000,
  noLinks: undefined,
  here: -100,
  noFollow: 0x100,
  removeFolder: 0x200,
  stat: {
    call: "statx",
    bytes: 256,
    dev: undefined,
    major: [136, 4],
    minor: [140, 4],
    mode: [28, 2],
    nlink: [16, 4],
    ino: [32, 8],
    uid: [20, 4],
    gid: [24, 4],
    size: [40, 8],
    changed: [
      [96, 8],
      [104, 4],
    ],
    touched: [
      [112, 8],
      [120, 4],
    ],
  },
  entry: { length: [16, 2], of: "entry", type: 18, name: 19, link: 10 },
};

/** `openat2`, since Linux 5.6: alike on every machine. */
export const openat2 = { call: 437, noLinks: 0x04, noMagicLinks: 0x02, bytes: 24 };
/** Asks `statx` for all that `stat` tells. */
export const statxBasic = 0x7ff;

/** macOS: <sys/fcntl.h>, <sys/stat.h> with 64-bit numbers of files, <sys/dirent.h>. */
export const darwin = (arch: string): Abi => {
  const suffix = arch === "x64" ? "$INODE64" : "";
  return {
    libraries: ["/usr/lib/libSystem.B.dylib"],
    errno: "__error",
    symbols: { fstatat: `fstatat${suffix}`, fdopendir: `fdopendir${suffix}`, readdir: `readdir${suffix}` },
    toPass: 0x40000000, // O_SEARCH without O_DIRECTORY; where it is unknown, it is as to read
    closeOnExec: 0x1000000,
    noLinks: 0x20000000, // O_NOFOLLOW_ANY
    here: -2,
    noFollow: 0x20,
    removeFolder: 0x80,
    stat: {
      call: "fstatat",
      bytes: 144,
      dev: [0, 4],
      mode: [4, 2],
      nlink: [6, 2],
      ino: [8, 8],
      uid: [16, 4],
      gid: [20, 4],
      size: [96, 8],
      changed: [
        [64, 8],
        [72, 8],
      ],
      touched: [
        [48, 8],
        [56, 8],
      ],
    },
    entry: { length: [18, 2], of: "name", type: 20, name: 21, link: 10 },
  };
};

/** The table of a system; undefined where there are no such calls. */
export function abiOf(platform: string, arch: string): Abi | undefined {
  if (platform === "linux" && (arch === "x64" || arch === "arm64")) return linux;
  return platform === "darwin" ? darwin(arch) : undefined;
}

type Argument = "i32" | "u32" | "u64" | "ptr";

/**
 * The arguments of a function whose last ones may be left out. On Apple's ARM these lie on the stack, one in eight
 * bytes: the registers are filled first, so that a plain call puts them there. `filler` stands for what is put into
 * those registers.
 */
export function variadic(
  fixed: readonly Argument[],
  more: readonly Argument[],
  on: string,
): { args: Argument[]; filler: readonly 0[] } {
  const filler = on === "darwin-arm64" ? Array.from({ length: 8 - fixed.length }, (): 0 => 0) : [];
  const last = filler.length > 0 ? more.map((): Argument => "u64") : more;
  return { args: [...fixed, ...filler.map((): Argument => "u64"), ...last], filler };
}

/** The number of a device as `stat` tells it, of its two parts (`makedev` of glibc and musl). */
export const deviceOf = (major: bigint, minor: bigint): bigint =>
  ((major & 0xfffff000n) << 32n) | ((major & 0xfffn) << 8n) | ((minor & 0xffffff00n) << 12n) | (minor & 0xffn);
