import { closeSync, constants, fchmodSync, lstatSync, openSync, readdirSync } from "node:fs";
import { getSystemErrorName } from "node:util";
import { closing } from "@pith/kit";
import { type Ffi, openFfi } from "../../platform.ts";
import { type Abi, abiOf, deviceOf, type Field, openat2, statxBasic, variadic } from "./abi.ts";
import { bytesOf, checkName, type Look, lookOf, type Name, type Names, type Way } from "./held.ts";

/**
 * The way by calls of the C library, which take the handle of a folder and a name in it. Throws where the runtime
 * cannot call it, or where it lacks one of them.
 */
export function openAt(platform: string = process.platform, arch: string = process.arch): Way {
  const abi = abiOf(platform, arch);
  const ffi = openFfi();
  if (!abi || !ffi) throw new Error("the C library cannot be called here");
  const library = bind(abi, `${platform}-${arch}`, ffi);
  const toPass = abi.toPass | constants.O_DIRECTORY;
  const way: Way = {
    name: "at",
    toPass,
    straight: straightOf(library, abi),
    names: (fd) => namesOf(fd, library, abi),
    lend(fd, _, use) {
      const back = openSync(".", toPass);
      try {
        library.enter(fd);
        return use(".");
      } finally {
        library.enter(back);
        closeSync(back);
      }
    },
  };
  // What is not tried by tests is tried here.
  if (platform !== "linux") mustTellTheSame(way);
  return way;
}

/** Throws if the calls tell something else of the root folder than the runtime: then a structure is not as we think. */
export function mustTellTheSame({ names, toPass }: Way): void {
  const fd = openSync("/", toPass);
  using _ = closing(fd);
  const root = names(fd, "/");
  const [look, real] = [root.stat("."), lstatSync("/", { bigint: true })];
  const fields = ["dev", "ino", "mode", "nlink", "uid", "gid", "size", "mtimeNs", "ctimeNs"] as const;
  const wrong = fields.filter((field) => look?.[field] !== real[field]);
  const told = root.list().map(({ name }) => name.toString());
  if (told.sort().join("\0") !== readdirSync("/").sort().join("\0")) throw new Error("names are told wrongly");
  if (wrong.length > 0) throw new Error(`${wrong.join(", ")} of a file are told wrongly`);
}

type Call = (...values: (number | Uint8Array | Uint32Array | BigUint64Array | null)[]) => number;

/** The functions as plain calls, which throw the system's error. */
function bind(abi: Abi, on: string, ffi: Ffi) {
  const opening = variadic(["i32", "ptr", "i32"], ["u32"], on);
  const symbols: Parameters<Ffi["dlopen"]>[1] = {
    openat: { args: opening.args, returns: "i32" },
    mkdirat: { args: ["i32", "ptr", "u32"], returns: "i32" },
    renameat: { args: ["i32", "ptr", "i32", "ptr"], returns: "i32" },
    unlinkat: { args: ["i32", "ptr", "i32"], returns: "i32" },
    linkat: { args: ["i32", "ptr", "i32", "ptr", "i32"], returns: "i32" },
    symlinkat: { args: ["ptr", "i32", "ptr"], returns: "i32" },
    readlinkat: { args: ["i32", "ptr", "ptr", "u64"], returns: "i32" },
    faccessat: { args: ["i32", "ptr", "i32", "i32"], returns: "i32" },
    fchmodat: { args: ["i32", "ptr", "u32", "i32"], returns: "i32" },
    fchdir: { args: ["i32"], returns: "i32" },
    closedir: { args: ["ptr"], returns: "i32" },
    [abi.symbols.fdopendir]: { args: ["i32"], returns: "ptr" },
    [abi.symbols.readdir]: { args: ["ptr"], returns: "ptr" },
    [abi.errno]: { args: [], returns: "ptr" },
  };
  const stat = abi.stat.call === "statx" ? "statx" : abi.symbols.fstatat;
  symbols[stat] = {
    args: abi.stat.call === "statx" ? ["i32", "ptr", "i32", "u32", "ptr"] : ["i32", "ptr", "ptr", "i32"],
    returns: "i32",
  };
  if (abi.noLinks === undefined) symbols.syscall = { args: ["i64", "i64", "ptr", "ptr", "i64"], returns: "i32" };
  const functions = opened(abi.libraries, symbols, ffi);
  const pick = (name: string) => functions[name] as unknown as Call;
  const place = pick(abi.errno)();
  // Seen directly, because to ask for it is one more call that could change it.
  const errno = new Int32Array(ffi.toArrayBuffer(place as Parameters<Ffi["toArrayBuffer"]>[0], 0, 4));
  const interrupted = 4;
  const checked = (name: string): Call => {
    const call = pick(name);
    return (...values) => {
      for (;;) {
        const result = call(...values);
        if (result >= 0) return result;
        const number = errno[0] ?? 0;
        if (number !== interrupted) throw systemError(number, name);
      }
    };
  };
  const [open, enter] = [checked("openat"), checked("fchdir")];
  return {
    open(fd: number, name: Uint8Array, flags: number, mode = 0) {
      const file = open(fd, name, flags | abi.closeOnExec, ...opening.filler, mode);
      // Where the mode is handed over in an odd way, it is set again.
      if (opening.filler.length > 0 && (flags & constants.O_EXCL) !== 0) fchmodSync(file, mode & ~process.umask());
      return file;
    },
    make: checked("mkdirat"),
    rename: checked("renameat"),
    remove: checked("unlinkat"),
    link: checked("linkat"),
    makeLink: checked("symlinkat"),
    readLink: checked("readlinkat"),
    setMode: checked("fchmodat"),
    mustBeAllowed: checked("faccessat"),
    enter: (fd: number) => void enter(fd),
    stat: checked(stat),
    syscall: abi.noLinks === undefined ? checked("syscall") : undefined,
    entries: (fd: number) => readEntries(fd, { pick, errno, ffi, abi }),
  };
}

type Library = ReturnType<typeof bind>;

function opened(names: readonly string[], symbols: Parameters<Ffi["dlopen"]>[1], ffi: Ffi) {
  let why: unknown;
  for (const name of names)
    try {
      return ffi.dlopen(name, symbols).symbols;
    } catch (thrown) {
      why = thrown;
    }
  throw why;
}

const systemError = (errno: number, call: string): Error => {
  const code = getSystemErrorName(-errno);
  return Object.assign(new Error(`${code}: ${call}`), { code, errno: -errno, syscall: call });
};

/** Opens a path as a whole: the system refuses every link on it. Undefined where it does not do that. */
function straightOf(library: Library, abi: Abi): Way["straight"] {
  const { syscall } = library;
  const how = new BigUint64Array([0n, 0n, BigInt(openat2.noLinks | openat2.noMagicLinks)]);
  const open = syscall
    ? (path: Uint8Array, flags: number) => {
        how[0] = BigInt(flags | abi.closeOnExec);
        return syscall(openat2.call, abi.here, path, how, openat2.bytes);
      }
    : (path: Uint8Array, flags: number) =>
        library.open(abi.here, path, (flags & ~constants.O_NOFOLLOW) | (abi.noLinks ?? 0));
  let refuses: boolean | undefined;
  return (real, flags) => {
    if (refuses === false) return undefined;
    // A kernel that does not know a flag passes over it: a path that is a link on every Mac tells.
    if (!syscall && refuses === undefined) {
      refuses = codeFrom(() => closeSync(open(bytesOf("/etc/hosts"), constants.O_RDONLY))) === "ELOOP";
      if (!refuses) return undefined;
    }
    try {
      return open(bytesOf(real), flags);
    } catch (thrown) {
      const code = (thrown as NodeJS.ErrnoException).code;
      // An older kernel, or a filter that refuses what it does not know.
      if (syscall && (code === "ENOSYS" || code === "EPERM")) refuses = false;
      return undefined;
    }
  };
}

function codeFrom(work: () => void): string | undefined {
  try {
    work();
    return undefined;
  } catch (thrown) {
    return (thrown as NodeJS.ErrnoException).code;
  }
}

function namesOf(fd: number, library: Library, abi: Abi): Names {
  const one = (name: Name): Uint8Array => {
    checkName(name);
    return bytesOf(name);
  };
  // Some file systems do not tell types with the names.
  const isLink = (type: number, name: Name): boolean =>
    type === unknownType
      ? lookAt(fd, one(name), abi.noFollow, library, abi)?.isSymbolicLink() === true
      : type === abi.entry.link;
  return {
    open: (name, flags, mode) => library.open(fd, one(name), flags | constants.O_NOFOLLOW, mode),
    make: (name, mode) => void library.make(fd, one(name), mode),
    rename: (from, to) => void library.rename(fd, one(from), fd, one(to)),
    moveTo: (name, path) => void library.rename(fd, one(name), abi.here, bytesOf(path)),
    remove: (name, what) => void library.remove(fd, one(name), what === "folder" ? abi.removeFolder : 0),
    link: (from, to) => void library.link(fd, one(from), fd, one(to), 0),
    makeLink: (name, target) => void library.makeLink(bytesOf(Buffer.from(target)), fd, one(name)),
    stat: (name, of) => lookAt(fd, one(name), of === "target" ? 0 : abi.noFollow, library, abi),
    readLink(name) {
      const target = Buffer.alloc(longestTarget);
      return target.subarray(0, library.readLink(fd, one(name), target, target.length));
    },
    mustBeWritable: (name) => void library.mustBeAllowed(fd, one(name), constants.W_OK, 0),
    setMode: (name, mode) => void library.setMode(fd, one(name), mode, name === "." ? 0 : abi.noFollow),
    list: () =>
      library
        .entries(library.open(fd, bytesOf("."), constants.O_RDONLY | constants.O_DIRECTORY))
        .map(({ name, type }) => ({ name, isLink: isLink(type, name) })),
  };
}

const longestTarget = 4096;
const unknownType = 0;

const buffer = new DataView(new ArrayBuffer(256));
const bytes = new Uint8Array(buffer.buffer);

function lookAt(fd: number, name: Uint8Array, follow: number, library: Library, { stat }: Abi): Look | undefined {
  try {
    if (stat.call === "statx") library.stat(fd, name, follow, statxBasic, bytes);
    else library.stat(fd, name, bytes, follow);
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw thrown;
  }
  const nanoseconds = ([seconds, rest]: readonly [Field, Field]) =>
    buffer.getBigInt64(seconds[0], true) * 1_000_000_000n + numberAt(rest);
  return lookOf({
    dev: stat.dev ? numberAt(stat.dev) : deviceOf(numberAt(stat.major), numberAt(stat.minor)),
    ino: numberAt(stat.ino),
    mode: numberAt(stat.mode),
    nlink: numberAt(stat.nlink),
    uid: numberAt(stat.uid),
    gid: numberAt(stat.gid),
    size: numberAt(stat.size),
    mtimeNs: nanoseconds(stat.touched),
    ctimeNs: nanoseconds(stat.changed),
  });
}

function numberAt([at, size]: Field = [0, 8]): bigint {
  if (size === 8) return buffer.getBigUint64(at, true);
  return BigInt(size === 4 ? buffer.getUint32(at, true) : buffer.getUint16(at, true));
}

/** Reads the names of a folder, and closes its handle. */
function readEntries(
  fd: number,
  { pick, errno, ffi, abi }: { pick(name: string): Call; errno: Int32Array; ffi: Ffi; abi: Abi },
): { name: Buffer; type: number }[] {
  const [next, close] = [pick(abi.symbols.readdir), pick("closedir")];
  const folder = pick(abi.symbols.fdopendir)(fd);
  if (!folder) {
    const number = errno[0] ?? 0;
    closeSync(fd);
    throw systemError(number, "fdopendir");
  }
  const { name: nameAt, length, of, type } = abi.entry;
  const entries: { name: Buffer; type: number }[] = [];
  try {
    for (;;) {
      errno[0] = 0;
      const entry = next(folder) as Parameters<Ffi["toArrayBuffer"]>[0] | null;
      if (!entry) {
        if (errno[0] !== 0) throw systemError(errno[0], "readdir");
        return entries;
      }
      const size = ffi.read.u16(entry, length[0]);
      const whole = Buffer.from(ffi.toArrayBuffer(entry, nameAt, of === "entry" ? size - nameAt : size));
      const end = whole.indexOf(0);
      // The memory is used again for the next entries.
      const name = Buffer.from(end === -1 ? whole : whole.subarray(0, end));
      const shown = name.toString("latin1");
      if (shown !== "." && shown !== "..") entries.push({ name, type: ffi.read.u8(entry, type) });
    }
  } finally {
    close(folder);
  }
}
